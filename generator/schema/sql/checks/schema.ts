import type { Change } from "../../../../runtime/values/schema/change-kinds.js";
import {
  type Column,
  columnIn,
  type Schema,
  tableIn,
} from "../../../../runtime/values/schema/schema.js";
import { conversion } from "../../changes/convert.js";
import type { Origins } from "../../changes/origins.js";
import type { Step } from "../step.js";
import { formerColumn } from "./former-column.js";

/** Counts the stored values that a new JSON Schema rejects, before a migration. */
export function schemaSteps(schema: Schema, change: Change, origins: Origins): readonly Step[] {
  const judged = judgedColumn(schema, change);
  if (judged === null) return [];
  const { table, column, former } = judged;
  if (column.schema === undefined) return [];
  const stored = formerColumn({ table, column: column.name }, origins);
  if (stored === null || column.field === null) return [];
  const { from, value, id } = stored;
  const { readable, value: converted } =
    former === null ? { readable: null, value: (one: string) => one } : conversion(former, column);
  const isRead = readable === null ? "" : ` and ${readable(value)}`;
  const { resource } = tableIn(schema, table);
  return [
    {
      kind: "schema",
      field: `${resource}.${column.field}`,
      schema: column.schema,
      statement: `select ${id === "id" ? id : `${id} as id`}, ${converted(value)} as value from ${from} where ${value} is not null${isRead};`,
    },
  ];
}

/** Returns the column whose values a new schema validates, and the former column if its values are converted. */
function judgedColumn(
  schema: Schema,
  change: Change,
): { readonly table: string; readonly column: Column; readonly former: Column | null } | null {
  if (change.kind === "setSchema" && change.to !== null) {
    const column = columnIn(tableIn(schema, change.table), change.column);
    return { table: change.table, column: { ...column, schema: change.to }, former: null };
  }
  if (change.kind !== "replaceColumn") return null;
  const { table, from, column } = change;
  return { table, column, former: from };
}
