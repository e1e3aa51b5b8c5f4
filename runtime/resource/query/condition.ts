import type { Issues } from "../../http/index.js";
import type { Rows } from "../rights/view.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import type { Order } from "./order.js";
import { type Predicate, predicateSql } from "./predicate.js";
import type { Reach } from "./reach.js";

/** A condition that the records of a list must meet. */
export interface Condition {
  /** SQL that refers to the statement's values. */
  readonly sql: string;
  /** SQL for the number of matching rows, from the tally; null if they must be counted. */
  readonly count: string | null;
  /**
   * What an index provides for any value. `page`: the rows, newest first; `rows`: the rows in another order; null
   * without an index.
   */
  readonly index: "page" | "rows" | null;
  /** Set for a full-text search, which has its own limits. */
  readonly isSearch?: true;
  /** Lookups that an index could answer. */
  readonly lookups?: readonly Lookup[];
}

/** A column by which an index could look up rows for a condition of a query. */
export interface Lookup {
  readonly column: Column;
  readonly by: "value" | "range";
}

/** Data collected while a query is parsed. */
export interface Reading {
  readonly issues: Issues;
  readonly reach: Reach;
}

export const noRecord: Condition = { sql: "false", count: null, index: "rows" };

export function conditionOf({ name }: Rows, predicate: Predicate, reach: Reach): Condition {
  const sql = predicateSql(predicate, reach, name);
  const index = isIndexed(predicate) ? "rows" : null;
  return { sql, count: null, index, lookups: lookupsOf(predicate) };
}

/**
 * The maximum number of equalities in a prepared predicate: clients choose them, and longer combinations seldom recur.
 */
const maxPrepared = 3;

/** Whether indexes find the rows that meet the predicate, for any values. */
function isIndexed(predicate: Predicate): boolean {
  const leaves = leavesOf(predicate);
  return (
    leaves.length > 0 &&
    leaves.length <= maxPrepared &&
    leaves.every(
      (leaf) => (leaf.kind === "equal" || leaf.kind === "same") && indexOf(leaf.column) !== null,
    )
  );
}

/** The simple parts of a predicate, including an `all` without parts, which every record meets. */
function leavesOf(predicate: Predicate): readonly Predicate[] {
  if (!("parts" in predicate)) return [predicate];
  const { kind, parts } = predicate;
  return kind === "all" && parts.length === 0 ? [predicate] : parts.flatMap(leavesOf);
}

/** What an index provides for equality with a value of the column. */
export function indexOf(column: Column): Condition["index"] {
  if (column.unique !== undefined) return "rows";
  return column.counts === undefined ? kindOf(column).index : "page";
}

/** The lookups of a predicate whose parts are joined by *and*; parts of `or` and `not` are ignored. */
function lookupsOf(predicate: Predicate): readonly Lookup[] {
  switch (predicate.kind) {
    case "all":
      return predicate.parts.flatMap(lookupsOf);
    case "empty":
      // Indexes from a descriptor cannot include lists.
      return kindOf(predicate.column).isList ? [] : [{ column: predicate.column, by: "value" }];
    case "equal":
    case "same":
    case "oneOf":
      // The entries of a list are already indexed.
      return predicate.column.entries ? [] : [{ column: predicate.column, by: "value" }];
    case "compared":
      return [{ column: predicate.column, by: "range" }];
    default:
      return [];
  }
}

/**
 * An SQL comment that describes a statement's conditions and a list's order, without values. It appears in the log of
 * slow statements, and `service doctor --slow` derives helpful indexes from it.
 */
export function shapeComment(table: Rows, lookups: readonly Lookup[], order: Order | null): string {
  const named = (by: Lookup["by"]) => [
    ...new Set(lookups.filter((one) => one.by === by).map(({ column }) => fieldOf(table, column))),
  ];
  const keys = order?.keys ?? [];
  const sort = keys.map(
    ({ name, descending }) => `${descending ? "-" : ""}${name.slice(0, name.indexOf(":"))}`,
  );
  const shape = { resource: table.resource, values: named("value"), ranges: named("range"), sort };
  return `/* service: ${JSON.stringify(shape)} */`;
}

/** The comment of a statement that counts or sums the matching records. */
export function conditionsComment(
  table: Rows,
  conditions: readonly { readonly lookups?: readonly Lookup[] }[],
): string {
  if (conditions.length === 0) return "";
  return shapeComment(
    table,
    conditions.flatMap(({ lookups }) => lookups ?? []),
    null,
  );
}

function fieldOf({ columns }: Rows, column: Column): string {
  const found = Object.entries<Column>(columns).find(([, { name }]) => name === column.name);
  return found?.[0] ?? "";
}
