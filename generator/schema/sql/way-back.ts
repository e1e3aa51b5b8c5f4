import { applyChange } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { isMerge } from "../../../runtime/values/schema/renamed-value.js";
import { columnIn, type Schema, tableIn } from "../../../runtime/values/schema/schema.js";
import { diffSchemas } from "../changes/diff.js";
import { type Renames, reverseRenames } from "../changes/renames/renames.js";
import type { Step } from "./step.js";
import { migrationSteps } from "./steps.js";

/** The steps that undo a migration, or the reason why it cannot be undone. */
export type WayBack = { readonly steps: readonly Step[] } | { readonly lost: string };

/** The reverse migration, from the schema after the changes to the one before them. */
export function wayBack(
  before: Schema,
  { changes, renames }: { readonly changes: readonly Change[]; readonly renames: Renames },
): WayBack {
  const lost = lostBy(before, changes);
  if (lost.length > 0) return { lost: `${lost.join(", ")} cannot be restored` };
  const after = changes.reduce(applyChange, before);
  return {
    steps: migrationSteps(
      after,
      diffSchemas(after, before, reverseRenames(renames, before)),
      "down",
    ),
  };
}

/** Describes losses that cannot be restored: dropped and merged values. Converted values can be converted back. */
function lostBy(before: Schema, changes: readonly Change[]): readonly string[] {
  let schema = before;
  return changes.flatMap((change) => {
    const now = schema;
    schema = applyChange(schema, change);
    return lostIn(now, change);
  });
}

function lostIn(schema: Schema, change: Change): readonly string[] {
  switch (change.kind) {
    case "dropTable":
      return [`the rows of ${change.table}`];
    case "dropColumn":
      return [`the values of ${change.table}.${change.column}`];
    case "setTrash":
      return change.to ? [] : [`the trash of ${change.table}`];
    case "renameValue": {
      const column = columnIn(tableIn(schema, change.table), change.column);
      const which = `the merged values of ${change.table}.${change.column}`;
      return isMerge(column, change) ? [which] : [];
    }
    default:
      return [];
  }
}
