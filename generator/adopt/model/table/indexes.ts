import { sqlIdentifier, sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { databaseTimezone } from "../../../../runtime/values/timezone/name.js";
import type { FoundColumn, FoundTable } from "../../catalogue/catalogue.js";
import type { AdoptedField, Remark } from "../adoption.js";
import { isLocalTime, isString, linkType } from "../column/types.js";
import { sqlTable } from "../sql-name.js";

/** Returns remarks on indexes that the app's statements would use and the table lacks. */
export function missingIndexes(
  table: FoundTable,
  { createdAt, timezone }: Listed,
  fields: readonly AdoptedField[],
): readonly Remark[] {
  const links = fields.filter(({ options }) => options.type === linkType);
  const strings = fields.filter(({ options }) => isString(options) && options.list === undefined);
  const columns = links.map(({ column }) => column);
  return [
    ...(createdAt === null ? [] : orderRemarks(table, createdAt, timezone)),
    ...unindexedLinks(table, columns),
    ...searchRemarks(table, strings),
  ];
}

/** Returns remarks on link columns without an index. */
export function unindexedLinks(
  table: FoundTable,
  columns: readonly FoundColumn[],
): readonly Remark[] {
  const missing = columns.filter((column) => !isIndexed(table, column));
  return missing.map(({ name }) => remark(table, name, { why: unlinked }));
}

/** The column by which lists sort, and its time zone if known. */
interface Listed {
  readonly createdAt: FoundColumn | null;
  readonly timezone: string | null;
}

function orderRemarks(
  table: FoundTable,
  column: FoundColumn,
  timezone: string | null,
): readonly Remark[] {
  const { name } = column;
  if (timezone === null || !isLocalTime(column.type)) {
    return isIndexed(table, column) ? [] : [remark(table, name, { why: unsorted })];
  }
  const moment = `${sqlIdentifier(name)} at time zone ${sqlLiteral(databaseTimezone(timezone))}`;
  const isThere = table.indexes.some(
    ({ columns, definition }) =>
      columns[0] === 0 && definition.toLowerCase().includes(moment.toLowerCase()),
  );
  return isThere ? [] : [remark(table, name, { why: unsortedMoments, key: `(${moment})` })];
}

const unlinked = "the link has no index";
const unsorted = "lists sort by this column, which has no index";
const unsortedMoments =
  "lists sort by this column as times with a zone, and that expression has no index";

function isIndexed({ indexes }: FoundTable, { number }: FoundColumn): boolean {
  return indexes.some(({ columns, isPartial }) => !isPartial && columns[0] === number);
}

function remark(
  table: FoundTable,
  column: string,
  { why, key = sqlIdentifier(column) }: { readonly why: string; readonly key?: string },
): Remark {
  const way = `create index concurrently on ${sqlTable(table)} (${key})`;
  return { column, kind: "index", taken: true, why, way };
}

/** Returns remarks on strings without a trigram index: `q` then scans the whole table. */
function searchRemarks(table: FoundTable, strings: readonly AdoptedField[]): readonly Remark[] {
  const isThere = table.indexes.some(({ definition }) => definition.includes("fold_text"));
  if (strings.length === 0 || isThere) return [];
  const columns = strings
    .map(({ column }) => `service.fold_text(${textOf(column)}) gin_trgm_ops`)
    .join(", ");
  const way = `after migrate and with the extension pg_trgm: create index concurrently on ${sqlTable(table)} using gin (${columns})`;
  return [{ column: null, kind: "index", taken: true, why: "q reads the whole table", way }];
}

/** Returns the expression that searches compare. */
function textOf({ name, type }: FoundColumn): string {
  return type.base === "uuid" ? `(${sqlIdentifier(name)}::text)` : sqlIdentifier(name);
}
