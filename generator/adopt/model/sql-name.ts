import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { FoundTable } from "../catalogue/catalogue.js";

/** The table in a statement, with its schema and in quotation marks where they are needed. */
export function sqlTable({ schema, name }: Pick<FoundTable, "schema" | "name">): string {
  return `${sqlIdentifier(schema)}.${sqlIdentifier(name)}`;
}
