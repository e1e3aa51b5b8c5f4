import { createHash } from "node:crypto";
import type { Check } from "./check.js";
import type { Count, Index, Key, Table } from "./schema.js";
import { plainName, shortName } from "./short-name.js";

/**
 * The name of a constraint or index. The parts for tables and columns never contain two consecutive underscores, so
 * that all objects of a schema have different names.
 */
export function objectName(table: string, ...parts: readonly string[]): string {
  return shortName([plainName(table), ...parts].join("__"));
}

export function primaryKeyName(table: string): string {
  return objectName(table, "pk");
}

export function checkName(table: string, column: string, { rule }: Check): string {
  return objectName(table, plainName(column), rule);
}

export function linkName(table: string, column: string): string {
  return objectName(table, plainName(column), "link");
}

/**
 * The name of the table with the entries of a list of links or of files: lower-case letters, digits and underscores.
 */
export function entriesName(table: string, column: string): string {
  return shortName(`${plainName(table)}_${plainName(column)}`);
}

/** The name of a function or trigger that keeps a list and its entries in sync, as in `service.entries_function`. */
export function entriesFunction(entries: string, what: string): string {
  if (Buffer.byteLength(entries) + what.length <= 61) return `${entries}__${what}`;
  return `${what}_${createHash("md5").update(entries).digest("hex")}`;
}

/** The name of the trigger on a list's targets, as in `service.joint_deletes_trigger`. */
export function jointDeletesTrigger(entries: string): string {
  return `B_${Buffer.byteLength(entries) <= 61 ? entries : createHash("md5").update(entries).digest("hex")}`;
}

/** The name of the temporary constraint on a column that is becoming `not null`. */
export function requiredName(table: string, column: string): string {
  return objectName(table, plainName(column), "required");
}

/** The name of the constraint that keeps a column null until the column is dropped. */
export function emptyName(table: string, column: string): string {
  return objectName(table, plainName(column), "empty");
}

/**
 * The name of an index. If the index ends with the newest records (`…, created_at desc, id desc`), it is named after
 * its first column. Other indexes are named after all columns, with the directions if one is descending: `…__index_ad`.
 */
export function indexName(table: string, { unique, keys, expression }: Index): string {
  if (expression !== undefined) {
    return objectName(table, expression.name, unique ? "unique" : "index");
  }
  const isList = keys.at(-1)?.column === "id";
  const named = isList ? keys.slice(0, 1) : keys;
  const isDown = ({ order }: Key) => order.startsWith("desc");
  const directions =
    isList || !keys.some(isDown) ? "" : `_${keys.map((key) => (isDown(key) ? "d" : "a")).join("")}`;
  const columns = named.map(({ column }) => plainName(column));
  return objectName(table, ...columns, `${unique ? "unique" : "index"}${directions}`);
}

/** The names of the tool's constraints and indexes that depend on a column. */
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

/** A search index and the columns in it. */
export interface SearchPart {
  readonly name: string;
  readonly columns: readonly string[];
}

/** PostgreSQL's `INDEX_MAX_KEYS`. */
const maxKeys = 32;

/** The search indexes of a table, as many as its columns need, but at least one. */
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

/** The tally's column for a value; counts by owner share one name. */
export function countName({ column, value }: Count): string {
  if (value === null) return "owner";
  const plain = /^[\w .-]{1,30}$/.test(value);
  return objectName(column, plain ? value : digest(value));
}

function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 16);
}

/** The temporary name of a table or column while names are swapped; its two underscores keep it distinct. */
export function movingName(name: string): string {
  return temporaryName(name, "moving");
}

/** The name of a replacement while the original exists. */
export function nextName(name: string): string {
  return temporaryName(name, "next");
}

/**
 * Adds an ending to a name. Names of tables and columns are reduced first; those of indexes and constraints are plain
 * already.
 */
function temporaryName(name: string, ending: string): string {
  const plain = /^[a-z0-9_]+$/.test(name) ? name : plainName(name);
  return shortName(`${plain}__${ending}`);
}
