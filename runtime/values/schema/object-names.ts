import { createHash } from "node:crypto";
import type { Check } from "./check.js";
import type { Count, Index, Key, Table } from "./schema.js";
import { shortName } from "./short-name.js";

/**
 * Names of constraints and indexes. Neither tables nor columns ever have two underscores in a row, so
 * no two objects of a schema share a name, and none has that of a table.
 */
function objectName(table: string, ...parts: readonly string[]): string {
  return shortName([table, ...parts].join("__"));
}

export function primaryKeyName(table: string): string {
  return objectName(table, "pk");
}

export function checkName(table: string, column: string, { rule }: Check): string {
  return objectName(table, column, rule);
}

export function linkName(table: string, column: string): string {
  return objectName(table, column, "link");
}

/** The constraint that holds while a column becomes required, until the column is `not null`. */
export function requiredName(table: string, column: string): string {
  return objectName(table, column, "required");
}

/** The constraint that keeps a column empty until it is dropped. */
export function emptyName(table: string, column: string): string {
  return objectName(table, column, "empty");
}

/**
 * The name of an index. One that ends with the newest records (`…, created_at desc, id desc`) is named
 * for its first column; any other for all, with each direction where one is descending: `…__index_ad`.
 */
export function indexName(table: string, { unique, keys }: Index): string {
  const isList = keys.at(-1)?.column === "id";
  const named = isList ? keys.slice(0, 1) : keys;
  const isDown = ({ order }: Key) => order.startsWith("desc");
  const directions =
    isList || !keys.some(isDown) ? "" : `_${keys.map((key) => (isDown(key) ? "d" : "a")).join("")}`;
  const columns = named.map(({ column }) => column);
  return objectName(table, ...columns, `${unique ? "unique" : "index"}${directions}`);
}

/** The names of all the tool's objects that depend on a column. */
export function namesOn(
  { name: table, columns, indexes, search }: Table,
  column: string,
): string[] {
  const found = columns.find(({ name }) => name === column);
  return [
    ...(found?.check ? [checkName(table, column, found.check)] : []),
    ...(found?.link ? [linkName(table, column)] : []),
    ...indexes
      .filter(({ keys }) => keys.some((key) => key.column === column))
      .map((index) => indexName(table, index)),
    ...searchParts(table, search).flatMap((part) =>
      part.columns.includes(column) ? [part.name] : [],
    ),
  ];
}

export function searchName(table: string): string {
  return objectName(table, "search");
}

/** An index for searches, and the columns that it holds. */
export interface SearchPart {
  readonly name: string;
  readonly columns: readonly string[];
}

/** PostgreSQL's `INDEX_MAX_KEYS`. */
const maxKeys = 32;

/** The search indexes of a table, as many as needed; the first exists even for no columns. */
export function searchParts(
  table: string,
  columns: readonly string[],
): readonly [SearchPart, ...SearchPart[]] {
  const first = { name: searchName(table), columns: columns.slice(0, maxKeys) };
  const others: SearchPart[] = [];
  for (let at = maxKeys; at < columns.length; at += maxKeys) {
    const name = objectName(table, "search", String(others.length + 2));
    others.push({ name, columns: columns.slice(at, at + maxKeys) });
  }
  return [first, ...others];
}

export function tallyName(table: string): string {
  return objectName(table, "tally");
}

/** The name of the tally's column for a value; of the counts by owner, the word for all of them. */
export function countName({ column, value }: Count): string {
  if (value === null) return "owner";
  const plain = /^[\w .-]{1,30}$/.test(value);
  return objectName(column, plain ? value : digest(value));
}

function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 16);
}

/** The temporary name of a table or column while names are swapped; no other has two underscores. */
export function movingName(name: string): string {
  return objectName(name, "moving");
}

/** The name of a replacement as long as the original exists. */
export function nextName(name: string): string {
  return objectName(name, "next");
}
