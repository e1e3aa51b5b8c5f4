import type { Schema, Table } from "../../runtime/values/schema/schema.js";
import type { Renames } from "../schema/changes/renames/renames.js";

/** Returns the table that a resource had before, by its former name if it was renamed; undefined for a new one. */
export function formerTable(before: Schema, renames: Renames, resource: string): Table | undefined {
  const moved = renames.tables.find(({ to }) => to.resource === resource)?.table;
  return before.tables.find((table) =>
    moved === undefined ? table.resource === resource : table.name === moved,
  );
}
