import { sqlIdentifier } from "../../../../runtime/values/sql/text.js";
import type { FoundColumn, FoundTable } from "../../catalogue/catalogue.js";
import type { AdoptedField, Remark } from "../adoption.js";
import { isString, linkType } from "../column/types.js";
import { sqlTable } from "../sql-name.js";

/** The indexes that the app's statements would use and the table lacks. */
export function missingIndexes(
  table: FoundTable,
  createdAt: FoundColumn | null,
  fields: readonly AdoptedField[],
): readonly Remark[] {
  const links = fields.filter(({ options }) => options.type === linkType);
  const strings = fields.filter(({ options }) => isString(options) && options.list === undefined);
  const listed = createdAt !== null && !isIndexed(table, createdAt) ? [createdAt] : [];
  const missing = links.map(({ column }) => column).filter((column) => !isIndexed(table, column));
  return [
    ...listed.map((column) => remark(table, column.name, "lists sort by it, and it has no index")),
    ...missing.map((column) => remark(table, column.name, "no index finds the records of a link")),
    ...searchRemarks(table, strings),
  ];
}

function isIndexed({ indexes }: FoundTable, { number }: FoundColumn): boolean {
  return indexes.some(({ columns, isPartial }) => !isPartial && columns[0] === number);
}

function remark(table: FoundTable, column: string, why: string): Remark {
  const way = `create index concurrently on ${sqlTable(table)} (${sqlIdentifier(column)})`;
  return { column, kind: "index", taken: true, why, way };
}

/** `q` reads the whole table unless an index of trigrams has the strings. */
function searchRemarks(table: FoundTable, strings: readonly AdoptedField[]): readonly Remark[] {
  const isThere = table.indexes.some(({ definition }) => definition.includes("fold_text"));
  if (strings.length === 0 || isThere) return [];
  const columns = strings
    .map(({ column }) => `service.fold_text(${textOf(column)}) gin_trgm_ops`)
    .join(", ");
  const way = `after migrate and with the extension pg_trgm: create index concurrently on ${sqlTable(table)} using gin (${columns})`;
  return [{ column: null, kind: "index", taken: true, why: "q reads the whole table", way }];
}

/** The column as searches compare it. */
function textOf({ name, type }: FoundColumn): string {
  return type.base === "uuid" ? `(${sqlIdentifier(name)}::text)` : sqlIdentifier(name);
}
