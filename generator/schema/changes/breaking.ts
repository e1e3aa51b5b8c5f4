import { applyChange, tableOf } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { countName } from "../../../runtime/values/schema/object-names.js";
import { type Count, type Schema, tableIn } from "../../../runtime/values/schema/schema.js";
import { isOfAdopted } from "./adopted.js";

/** A change and the schema that it applies to. */
export interface BreakingChange {
  readonly before: Schema;
  readonly change: Change;
}

/**
 * Returns the changes that break older servers, whose statements use what was dropped, or omit what has become
 * required.
 */
export function breakingChanges(
  before: Schema,
  changes: readonly Change[],
): readonly BreakingChange[] {
  const known = new Set(before.tables.map(({ name }) => name));
  let schema = before;
  return changes.flatMap((change) => {
    const now = schema;
    schema = applyChange(schema, change);
    const isOfKnown = known.has(tableOf(change)) && !isOfAdopted(now, change);
    return isOfKnown && breaks(now, change) ? [{ before: now, change }] : [];
  });
}

function breaks(schema: Schema, change: Change): boolean {
  switch (change.kind) {
    case "renameTable":
    case "renameColumn":
    case "renameValue":
    case "dropTable":
    case "dropColumn":
    case "replaceColumn":
      return true;
    case "addColumn":
      return change.column.required && change.column.default === null;
    case "setRequired":
      return change.to;
    case "setTally": {
      if (change.to === null) return true;
      const nameOf = (count: Count) => `${count.column} ${countName(count)}`;
      const kept = new Set(change.to.map(nameOf));
      return (tableIn(schema, change.table).counts ?? []).some((one) => !kept.has(nameOf(one)));
    }
    default:
      return false;
  }
}
