import type { Issues } from "../../http/index.js";
import type { Rows } from "../rights/view.js";
import { kindOf, kindWord } from "../table/kinds/kinds.js";
import { type Column, columnOf } from "../table/table.js";
import { notField } from "../table/unknown-field.js";

/** What a list is sorted by. */
export interface Order {
  /** SQL after `order by`, in both directions. */
  readonly forward: string;
  readonly backward: string;
  /** The keys of the order, down to the id, which breaks ties. */
  readonly keys: readonly OrderKey[];
  /** Whether it sorts by the time of creation, in either direction. */
  readonly isCreation: boolean;
  /** The number of fields. */
  readonly fields: number;
}

/** One of the values that an order compares. */
export interface OrderKey {
  /** The field's key and how its values are compared: a change of either changes the order. */
  readonly name: string;
  /** SQL over one row of the table. */
  readonly sql: string;
  readonly descending: boolean;
  /** Whether it may be empty; empty values come last in both directions. */
  readonly canBeEmpty: boolean;
}

/** The most fields of one `sort`. */
const maxSortFields = 3;

/** Parses `sort`: up to three fields, descending with a dash in front. */
export function readOrder(
  table: Rows,
  names: readonly string[],
  issues: Issues,
  param = "sort",
): Order {
  const keys = names.map((name) => readKey(table, name));
  const problem = sortProblem(table, names, keys);
  if (problem === null) {
    const sound = keys.flatMap((key) => key ?? []);
    return orderOf(table, sound);
  }
  issues.reject(param, problem);
  return { forward: "id", backward: "id desc", keys: [], isCreation: false, fields: 1 };
}

interface SortKey {
  /** The field's key in a record. */
  readonly name: string;
  readonly column: Column;
  readonly descending: boolean;
}

function readKey(table: Rows, written: string): SortKey | null {
  const descending = written.startsWith("-");
  const name = fieldOf(written);
  const column = columnOf(table, name);
  return column === null ? null : { name, column, descending };
}

function fieldOf(written: string): string {
  return written.startsWith("-") ? written.slice(1) : written;
}

function sortProblem(
  table: Rows,
  names: readonly string[],
  keys: readonly (SortKey | null)[],
): string | null {
  const columns = keys.map((key) => key?.column ?? null);
  const unknown = names.filter((_, at) => keys[at] === null).map(fieldOf)[0];
  if (names.length === 0 || unknown === "") return "Must name a field to sort by";
  if (unknown !== undefined) return notField(table, unknown);
  const unsorted = columns.find((one) => one !== null && kindOf(one).comparisons === null) ?? null;
  if (unsorted !== null) return `${kindWord(unsorted)} fields cannot be sorted`;
  if (columns.length > maxSortFields) return `At most ${maxSortFields} fields`;
  return new Set(columns).size < columns.length ? "Names a field twice" : null;
}

function orderOf(table: Rows, sorted: readonly SortKey[]): Order {
  const [first] = sorted;
  const keys = withId(sorted).map(orderKey);
  return {
    forward: orderBy(keys),
    backward: orderBy(keys, { flipped: true }),
    keys,
    isCreation: sorted.length === 1 && first?.column === table.columns.createdAt,
    fields: sorted.length,
  };
}

/** Keys that every table has. */
const id: Column = { name: "id", kind: "id", required: true };

/** Adds the id, which breaks ties in the direction of the last field; keys after the id have no effect. */
function withId(keys: readonly SortKey[]): readonly SortKey[] {
  const at = keys.findIndex(({ column }) => column.kind === "id");
  if (at >= 0) return keys.slice(0, at + 1);
  return [...keys, { name: "id", column: id, descending: keys.at(-1)?.descending ?? false }];
}

function orderKey({ name, column, descending }: SortKey): OrderKey {
  const { kind, values } = column;
  const comparedAs = values === undefined ? kind : `${kind}(${values.join()})`;
  return {
    name: `${name}:${comparedAs}`,
    sql: sortKey(column),
    descending,
    canBeEmpty: !column.required,
  };
}

/** SQL after `order by`; `of` names a key other than by its own SQL. */
function orderBy(
  keys: readonly OrderKey[],
  { flipped = false, of = ({ sql }: OrderKey, _at: number) => sql } = {},
): string {
  const empty = flipped ? "first" : "last";
  const parts = keys.map((key, at) => {
    const direction = key.descending === flipped ? "asc" : "desc";
    return `${of(key, at)} ${direction}${key.canBeEmpty ? ` nulls ${empty}` : ""}`;
  });
  return parts.join(", ");
}

/** The order's values as columns of a select, for a statement that sorts its rows again; see `orderByColumns`. */
export function keyColumns(keys: readonly OrderKey[]): readonly string[] {
  return keys.map(({ sql }, at) => `${sql} as ${keyColumn(at)}`);
}

/** SQL after `order by`, over rows that have `keyColumns`. */
export function orderByColumns(keys: readonly OrderKey[]): string {
  return orderBy(keys, { of: (_, at) => keyColumn(at) });
}

/** The name of one of `keyColumns`. */
export function keyColumn(at: number): string {
  return `_key_${at}`;
}

/** SQL by which lists sort a column; `sql` is a value of it. */
export function sortKey(column: Column, sql = column.name): string {
  return kindOf(column).sortKey(sql, column);
}
