import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { FoundColumn, FoundTable } from "../catalogue/catalogue.js";

/** Returns the table's qualified name for SQL, quoted if needed. */
export function sqlTable({ schema, name }: Pick<FoundTable, "schema" | "name">): string {
  return `${sqlIdentifier(schema)}.${sqlIdentifier(name)}`;
}

/** Returns the column names for SQL, separated by commas. */
export function sqlColumns(columns: readonly Pick<FoundColumn, "name">[]): string {
  return columns.map(({ name }) => sqlIdentifier(name)).join(", ");
}
