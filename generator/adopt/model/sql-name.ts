import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { FoundColumn, FoundTable } from "../catalogue/catalogue.js";

/** The table in a statement, with its schema and in quotation marks where they are needed. */
export function sqlTable({ schema, name }: Pick<FoundTable, "schema" | "name">): string {
  return `${sqlIdentifier(schema)}.${sqlIdentifier(name)}`;
}

/** The columns in a statement, separated by commas. */
export function sqlColumns(columns: readonly Pick<FoundColumn, "name">[]): string {
  return columns.map(({ name }) => sqlIdentifier(name)).join(", ");
}
