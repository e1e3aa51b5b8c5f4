import { jsonTestSql } from "../../values/json-condition/sql.js";
import type { JsonTest } from "../../values/json-condition/test.js";
import type { AccountSql } from "../rights/account.js";
import { entryColumns } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import { type Related, relatedRows } from "./links/related.js";

/** A condition on a record, checked against the table, with values that PostgreSQL can parse. */
export type Predicate =
  /** True if every part is true; without parts, true for every record. */
  | { readonly kind: "all"; readonly parts: readonly Predicate[] }
  /** True if at least one part is true; without parts, false for every record. */
  | { readonly kind: "any"; readonly parts: readonly Predicate[] }
  /** Matches exactly the records that do not meet the part, including those with empty fields. */
  | { readonly kind: "not"; readonly part: Predicate }
  | { readonly kind: "empty"; readonly column: Column }
  | { readonly kind: "equal"; readonly column: Column; readonly value: string }
  | { readonly kind: "oneOf"; readonly column: Column; readonly values: readonly string[] }
  /** For a list of links: it contains each of the values. */
  | { readonly kind: "eachOf"; readonly column: Column; readonly values: readonly string[] }
  | {
      readonly kind: "compared";
      readonly column: Column;
      readonly operator: "<" | "<=" | ">" | ">=";
      readonly value: string;
    }
  /** For a field that is unique regardless of letter case. */
  | { readonly kind: "same"; readonly column: Column; readonly value: string }
  /** For a list: at least one of its elements is among the values. */
  | { readonly kind: "hasAny"; readonly column: Column; readonly values: readonly string[] }
  /** For a list: all values are among its elements. */
  | { readonly kind: "hasAll"; readonly column: Column; readonly values: readonly string[] }
  /** Ignores case and accents; `pattern` is a `like` pattern. */
  | { readonly kind: "like"; readonly column: Column; readonly pattern: string }
  /** The column's JSON value passes the test. */
  | { readonly kind: "members"; readonly column: Column; readonly test: JsonTest }
  /** A related record exists that meets the part. */
  | { readonly kind: "related"; readonly related: Related; readonly part: Predicate };

/** A predicate that no record meets. */
export const nothing: Predicate = { kind: "any", parts: [] };

/**
 * SQL for a predicate over the row `row`; appends its values to `values`. It may be null for a row that does not match,
 * which a `where` clause treats as false.
 */
export function predicateSql(
  predicate: Predicate,
  { values, account, lists }: Pick<Scope, "values" | "account" | "lists">,
  row: string,
): string {
  const isJoined = countRelated(predicate) <= maxJoined;
  return sqlOf(predicate, { row, depth: 0, values, account, lists, isJoined });
}

/**
 * The maximum number of related records that PostgreSQL may join with the rows. It tries all join orders first, which
 * exceeds the timeout for fifty of them (measured: 10 s for a table of eight rows).
 */
const maxJoined = 8;

function countRelated(predicate: Predicate): number {
  switch (predicate.kind) {
    case "all":
    case "any":
      return predicate.parts.reduce((sum, part) => sum + countRelated(part), 0);
    case "not":
      return countRelated(predicate.part);
    case "related":
      return 1 + countRelated(predicate.part);
    default:
      return 0;
  }
}

/** The row to which a predicate applies; related records have higher numbers. */
interface Scope {
  readonly row: string;
  readonly depth: number;
  readonly values: unknown[];
  readonly account: AccountSql;
  /** How lists of links are compared: by their entries, which have an index, or by the column. */
  readonly lists: "entries" | "values";
  /** Whether related records may be joined; otherwise they are looked up per row. */
  readonly isJoined: boolean;
}

/** SQL for a predicate. An unqualified column name refers to the innermost row. */
function sqlOf(predicate: Predicate, scope: Scope): string {
  const parameter = (value: unknown): string => `$${scope.values.push(value)}`;
  switch (predicate.kind) {
    case "all":
    case "any":
      return joined(predicate, scope);
    case "not":
      // `exists` is never null, and PostgreSQL can turn `not exists` into an anti-join.
      if (predicate.part.kind === "related") return `not ${sqlOf(predicate.part, scope)}`;
      return `(${sqlOf(predicate.part, scope)}) is not true`;
    case "empty":
      return emptySql(predicate.column);
    case "equal": {
      const { column, value } = predicate;
      if (column.entries !== undefined) return listed(column, [value], scope);
      // A text too long for an index is found by its digest.
      const sql = `${parameter(value)}${kindOf(column).cast}`;
      const equal = `${column.name} = ${sql}`;
      const { match, anyCase } = column.unique ?? {};
      if (match === undefined) return `(${equal})`;
      return anyCase ? `(${match(sql)} and ${equal})` : `(${match(sql)})`;
    }
    case "same": {
      const { column, value } = predicate;
      return `(${column.unique?.match(parameter(value)) ?? "false"})`;
    }
    case "oneOf": {
      const { column, values } = predicate;
      if (column.entries !== undefined) return listed(column, values, scope);
      const { cast } = kindOf(column);
      return `${column.name} = any (${parameter(values)}${cast === "" ? "" : `${cast}[]`})`;
    }
    case "eachOf":
      return listsEach(predicate.column, predicate.values, scope);
    case "hasAny":
      return `${predicate.column.name} && ${parameter(predicate.values)}`;
    case "hasAll":
      return `${predicate.column.name} @> ${parameter(predicate.values)}`;
    case "compared": {
      const { column, operator, value } = predicate;
      return `${column.name} ${operator} ${parameter(value)}${kindOf(column).cast}`;
    }
    case "like": {
      const { column, pattern } = predicate;
      return `service.fold_text(${kindOf(column).text(column.name)}) like service.fold_text(${parameter(pattern)})`;
    }
    case "members":
      return jsonTestSql(
        predicate.test,
        kindOf(predicate.column).members(predicate.column.name),
        (value, type) => `${parameter(value)}::${type}`,
      );
    case "related": {
      const depth = scope.depth + 1;
      const inner = `_related_${depth}`;
      const rows = relatedRows(predicate.related, { ...scope, near: scope.row, as: inner });
      const found = `exists (select from ${rows} and ${sqlOf(predicate.part, { ...scope, row: inner, depth })})`;
      // PostgreSQL joins only a bare `exists`.
      return scope.isJoined ? found : `(${found} is true)`;
    }
    default:
      return predicate satisfies never;
  }
}

/** SQL that is true if the column is empty. */
export function emptySql(column: Column): string {
  return kindOf(column).isList ? `coalesce(${column.name}, '{}') = '{}'` : `${column.name} is null`;
}

/** SQL that is true for a row whose list contains at least one of the ids. */
function listed(column: Column, ids: readonly string[], { row, values, lists }: Scope): string {
  const { name, entries } = column;
  const { cast } = kindOf(column);
  const [only] = ids;
  const isOne = ids.length === 1;
  const parameter = isOne ? `$${values.push(only)}${cast}` : arrayOf(values.push(ids), cast);
  if (lists === "values" || entries === undefined) {
    return isOne ? `${parameter} = any (${name})` : `${name} && ${parameter}`;
  }
  const match = isOne ? parameter : `any (${parameter})`;
  const { key, record, target } = entryColumns(entries);
  return `exists (select from ${entries.table} as _entry where _entry.${record} = ${row}.${key} and _entry.${target} = ${match})`;
}

function arrayOf(at: number, cast: string): string {
  return cast === "" ? `$${at}` : `$${at}${cast}[]`;
}

/**
 * SQL that is true for a row whose list contains each of the ids, which are distinct. `intersect` scans the index for
 * each in order: three ids of 5,000 entries in a million records take 7 ms; counting the entries of each record takes
 * 16 ms.
 */
function listsEach(column: Column, ids: readonly string[], { row, values, lists }: Scope): string {
  const { name, entries } = column;
  const { cast } = kindOf(column);
  if (lists === "values" || entries === undefined) {
    return `${name} @> ${arrayOf(values.push(ids), cast)}`;
  }
  const { key, record, target } = entryColumns(entries);
  const records = ids.map(
    (id) =>
      `select _entry.${record} from ${entries.table} as _entry where _entry.${target} = $${values.push(id)}${cast}`,
  );
  return `${row}.${key} in (${records.join(" intersect ")})`;
}

function joined(
  { kind, parts }: Extract<Predicate, { kind: "all" | "any" }>,
  scope: Scope,
): string {
  const [word, none] = kind === "all" ? ["and", "true"] : ["or", "false"];
  if (parts.length === 0) return none;
  return `(${parts.map((part) => sqlOf(part, scope)).join(` ${word} `)})`;
}
