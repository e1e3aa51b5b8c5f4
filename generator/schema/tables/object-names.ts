import { createHash } from "node:crypto";
import type { Check } from "../../kind/check.js";
import { shortened } from "../../model/names.js";
import type { Count, Index, Key, Table } from "./schema.js";

/**
 * Names of constraints and indexes. Neither tables nor columns ever have two underscores in a row, so
 * no two objects of a schema can get the same name, and none that of a table.
 */
function objectName(table: string, ...parts: readonly string[]): string {
  return shortened([table, ...parts].join("__"));
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

/** Holds while a column becomes required, until the column itself says it. */
export function requiredName(table: string, column: string): string {
  return objectName(table, column, "required");
}

/** Holds while a column must stay empty, until it goes. */
export function emptyName(table: string, column: string): string {
  return objectName(table, column, "empty");
}

/**
 * One that ends with the newest records (`…, created_at desc, id desc`) is named by its first column;
 * any other by all of them, with the direction of each where one goes down: `…__index_ad`.
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

/** Of everything of ours that depends on a column. */
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

/** `INDEX_MAX_KEYS` of PostgreSQL. */
const maxKeys = 32;

/** The indexes for searches of a table: as many as it takes. The first is there for no columns, too. */
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

/** The tally's column. */
export function countName({ column, value }: Count): string {
  const plain = /^[\w .-]{1,30}$/.test(value);
  return objectName(column, plain ? value : digest(value));
}

function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 16);
}

/** Of a table or column while names are passed on in a circle; no other has two underscores in a row. */
export function movingName(name: string): string {
  return objectName(name, "moving");
}

/** Of what is to take the place of something: as long as both are there. */
export function nextName(name: string): string {
  return objectName(name, "next");
}
