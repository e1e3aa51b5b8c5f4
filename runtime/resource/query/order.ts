import type { Issues } from "../../http/index.js";
import type { Rows } from "../rights/view.js";
import { idColumn } from "../table/column-keys.js";
import { kindOf, kindWord } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import { LinkedValues, type Value } from "./links/values.js";
import type { Reach } from "./reach.js";

export interface Order {
  /** SQL after `order by`, in either direction. */
  readonly forward: string;
  readonly backward: string;
  /** SQL after the table's name in `from`: the linked records to sort by; empty if there are none. */
  readonly joins: string;
  /** The start of an index scan along the linked records; null unless one of their fields comes first. */
  readonly walk: LinkedWalk | null;
  /** The keys of the order. The last one is the id, which breaks ties. */
  readonly keys: readonly OrderKey[];
  /** Whether the order is by time of creation, in either direction. */
  readonly isCreation: boolean;
  /** The number of fields. */
  readonly fields: number;
}

/** Rows in the order of a field of linked records, for which the linked table has an index. */
export interface LinkedWalk {
  /** SQL after `order by`, for rows that either all have or all lack a value of the first key. */
  readonly order: string;
  /** SQL conditions: first the rows with a value, then those without one. */
  readonly parts: readonly string[];
}

/** One of the values that an order compares. */
export interface OrderKey {
  /** The field's key and the kind of comparison: a change of either changes the order. */
  readonly name: string;
  /** SQL over one row of the table and `Order.joins`. */
  readonly sql: string;
  readonly descending: boolean;
  /** SQL that is true if the key is empty, which sorts last in both directions; null if the key is never empty. */
  readonly empty: string | null;
  /** Whether the key is a field of the table itself. */
  readonly isOwn: boolean;
}

const maxSortFields = 3;

/** The maximum number of links on the path to a sort field. */
const maxSortLinks = 2;

interface OrderReader {
  readonly issues: Issues;
  readonly reach: Reach;
  /** The name of the parameter in issues. */
  readonly param?: string;
}

/**
 * Parses `sort`: up to three fields, including those of linked records; a leading dash sorts in descending order. Adds
 * the linked resources to `reach`.
 */
export function readOrder(
  rows: Rows,
  names: readonly string[],
  { issues, reach, param = "sort" }: OrderReader,
): Order {
  const values = new LinkedValues(rows, reach, maxSortLinks);
  const keys = names.map((name) => readKey(values, name));
  const problem = sortProblem(values, names, keys);
  if (problem === null) {
    const sound = keys.flatMap((key) => key ?? []);
    return orderOf(values, sound);
  }
  issues.reject(param, problem);
  const none = { joins: "", walk: null, keys: [], isCreation: false, fields: 1 };
  const id = idColumn(rows);
  return { forward: id, backward: `${id} desc`, ...none };
}

interface SortKey extends Value {
  readonly descending: boolean;
}

function readKey(values: LinkedValues, written: string): SortKey | null {
  const value = values.find(fieldOf(written));
  return value && { ...value, descending: written.startsWith("-") };
}

function fieldOf(written: string): string {
  return written.startsWith("-") ? written.slice(1) : written;
}

function sortProblem(
  values: LinkedValues,
  names: readonly string[],
  keys: readonly (SortKey | null)[],
): string | null {
  const fields = names.map(fieldOf);
  const unknown = fields.filter((_, at) => keys[at] === null)[0];
  if (names.length === 0 || unknown === "") return "Must name a field to sort by";
  if (unknown !== undefined) return values.unknown(unknown);
  const unsorted = keys.find((one) => one && !isSorted(one.column)) ?? null;
  if (unsorted !== null) return `${kindWord(unsorted.column)} fields cannot be sorted`;
  if (fields.length > maxSortFields) return `At most ${maxSortFields} fields`;
  return new Set(fields).size < fields.length ? "Names a field twice" : null;
}

function isSorted(column: Column): boolean {
  const { comparisons, isList } = kindOf(column);
  return comparisons !== null && comparisons !== "links" && !isList;
}

function orderOf(values: LinkedValues, sorted: readonly SortKey[]): Order {
  const [first] = sorted;
  const keys = withId(values, sorted).map(orderKey);
  return {
    forward: orderBy(keys),
    backward: orderBy(keys, { flipped: true }),
    // Generating this SQL adds compared values to the statement, so it is only generated on use.
    get joins() {
      return values.joins;
    },
    walk: walkBy(keys, first?.column),
    keys,
    isCreation: sorted.length === 1 && first?.key === values.newest,
    fields: sorted.length,
  };
}

/**
 * `column` is that of the first key, whose index may be descending. If all rows have a value, or none has one, an index
 * may place empty values anywhere.
 */
function walkBy(
  [first, ...others]: readonly OrderKey[],
  column: Column | undefined,
): LinkedWalk | null {
  if (first === undefined || first.isOwn) return null;
  const { sql, descending, empty } = first;
  const direction = descending ? "desc" : "asc";
  const nulls = column?.isDescending === true ? ` nulls ${descending ? "last" : "first"}` : "";
  return {
    order: [`${sql} ${direction}${nulls}`, orderBy(others)].join(", "),
    parts: [`${sql} is not null`, ...(empty === null ? [] : [empty])],
  };
}

/** Adds the id, which breaks ties in the direction of the last field; keys after the id have no effect. */
function withId(values: LinkedValues, keys: readonly SortKey[]): readonly SortKey[] {
  const { id } = values;
  const at = keys.findIndex(({ key }) => key === id.key);
  if (at >= 0) return keys.slice(0, at + 1);
  return [...keys, { ...id, descending: keys.at(-1)?.descending ?? false }];
}

function orderKey(key: SortKey): OrderKey {
  const { column, descending, canBeEmpty, link } = key;
  const { kind, values } = column;
  const comparedAs = values === undefined ? kind : `${kind}(${values.join()})`;
  const sql = sortKey(column, key.sql);
  return {
    name: `${key.key}:${comparedAs}`,
    sql,
    descending,
    empty: canBeEmpty ? `${emptyOf(key, sql)} is null` : null,
    isOwn: link === null,
  };
}

/**
 * An expression that is null if the key is null. An index covers rows without a linked record, but not rows whose
 * linked record has an empty field.
 */
function emptyOf({ column, sql, link, isWhole }: SortKey, key: string): string {
  return link !== null && isWhole && column.required && key === sql ? link : key;
}

/** SQL after `order by`; `of` replaces the SQL of a key. */
function orderBy(
  keys: readonly OrderKey[],
  { flipped = false, of = ({ sql }: OrderKey, _at: number) => sql } = {},
): string {
  const empty = flipped ? "first" : "last";
  const parts = keys.map((key, at) => {
    const direction = key.descending === flipped ? "asc" : "desc";
    return `${of(key, at)} ${direction}${key.empty === null ? "" : ` nulls ${empty}`}`;
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

export function keyColumn(at: number): string {
  return `_key_${at}`;
}

/** SQL by which lists sort a column; `sql` is a value of the column. */
export function sortKey(column: Column, sql = column.name): string {
  return kindOf(column).sortKey(sql, column);
}
