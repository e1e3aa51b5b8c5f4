import type { FilterParameter, Issues, Parameters } from "../../http/index.js";
import { maxJsonLevels, parseJson } from "../../values/json.js";
import type { Rows, View } from "../rights/view.js";
import { kindOf } from "../table/kinds/kinds.js";
import { type Column, columnOf } from "../table/table.js";
import { countOf, countOfEmpty, tallied } from "../table/tally.js";
import { maxSearchLength, readFilterValue, unfiltered } from "./comparison.js";
import { readFilter } from "./filter.js";
import { literalPattern, type Predicate, predicateSql } from "./predicate.js";
import type { Reach } from "./reach.js";
import { type Lookup, lookupsOf } from "./shape.js";
import { InvalidWhere, readWhere } from "./where.js";

/** A condition that the records of a list must meet. */
export interface Condition {
  /** SQL over the statement's values. */
  readonly sql: string;
  /** SQL for the number of rows that meet it, from the tally; null where only counting them gives it. */
  readonly count: string | null;
  /**
   * What an index provides, whatever the value is: `page`, the rows with the newest first; `rows`, the rows in
   * another order; `words`, the few or many rows that contain a text; null where there is no index.
   */
  readonly index: "page" | "rows" | "words" | null;
  /** The conditions of which one must be met, where an index has the rows of each; left out for any other form. */
  readonly alternatives?: readonly string[];
  /** A lookup that an index could answer. */
  readonly lookups?: readonly Lookup[];
}

/** The parameters that narrow a query, as plain values. */
export interface ConditionParameters {
  readonly filters: readonly FilterParameter[];
  /** A JSON value. */
  readonly where?: unknown;
  readonly q?: string | undefined;
}

/** Takes `filter[…]`, `where` and `q` out of the parameters. */
export function takeConditions(parameters: Parameters): ConditionParameters {
  const filters = parameters.takeFilters();
  const where = takeWhere(parameters, "where");
  return { filters, where, q: parameters.take("q") };
}

/** Takes conditions in JSON out of the parameters; undefined where there are none, or no JSON. */
export function takeWhere(parameters: Parameters, name: string): unknown {
  const written = parameters.take(name);
  if (written === undefined) return undefined;
  const parsed = parseJson(written);
  if (parsed.kind === "value") return parsed.value;
  const problem =
    parsed.kind === "deep" ? `is deeper than ${maxJsonLevels} levels` : "must be JSON";
  parameters.reject(name, `where ${problem}`);
  return undefined;
}

/** Checks the conditions against the table. Adds the values that they compare with, and the resources, to `reach`. */
export function readConditions(
  view: View,
  { filters, where, q = "" }: ConditionParameters,
  reading: Reading,
): readonly Condition[] {
  return [
    ...ownRecords(view, reading),
    ...filters.flatMap((filter) => readOneFilter(view, filter, reading)),
    ...(where === undefined ? [] : readWhereCondition(view, where, reading)),
    ...(q === "" ? [] : readSearch(view, q, reading)),
  ];
}

/** What is filled while a query is parsed. */
export interface Reading {
  readonly issues: Issues;
  readonly reach: Reach;
}

/** The condition for own records, where the caller may only see those. */
function ownRecords(
  { table, name, own }: View,
  { reach: { account } }: Reading,
): readonly Condition[] {
  if (own === undefined) return [];
  const { leadsTo, team } = table.owner ?? {};
  // The rows of several groups are in no index together.
  const index = leadsTo === undefined && team === undefined ? "page" : null;
  return [{ sql: own.row(name, account), count: own.count?.(account) ?? null, index }];
}

const none: Condition = { sql: "false", count: null, index: "rows" };

function readOneFilter(
  view: View,
  { param, field, operator, value }: FilterParameter,
  { issues, reach }: Reading,
): readonly Condition[] {
  const column = columnOf(view, field);
  if (column === null) {
    issues.reject(param, "Must name a field to filter by");
    return [];
  }
  if (operator !== null) {
    const compared = readFilter(column, operator, value);
    if (!("problem" in compared)) return [conditionOf(view, compared.predicate, reach)];
    issues.reject(param, compared.problem);
    return [];
  }
  if ((value === "" || value === "null") && unfiltered(column) === null) {
    return [emptyIn(view, column)];
  }
  const read = readFilterValue(column, value);
  if ("problem" in read) {
    issues.reject(param, read.problem);
    return [];
  }
  const sql = predicateSql({ kind: "equal", column, value: read.value }, reach, view.name);
  const lookups = [{ column, by: "value" }] as const;
  const count = countIn(view, countOf(column, read.value));
  const index = indexOf(column);
  return [{ sql, count, index, lookups, ...(index !== null && { alternatives: [sql] }) }];
}

function readWhereCondition(
  view: View,
  where: unknown,
  { issues, reach }: Reading,
): readonly Condition[] {
  try {
    return [conditionOf(view, readWhere(view, where, reach), reach)];
  } catch (error) {
    if (!(error instanceof InvalidWhere)) throw error;
    issues.reject("where", error.message);
    return [];
  }
}

function conditionOf({ name }: Rows, predicate: Predicate, reach: Reach): Condition {
  const lookups = lookupsOf(predicate);
  const equalities = isIndexed(predicate) ? equalitiesOf(predicate) : null;
  if (equalities === null) {
    const sql = predicateSql(predicate, reach, name);
    return { sql, count: null, index: isIndexed(predicate) ? "rows" : null, lookups };
  }
  const alternatives = equalities.map((equality) => predicateSql(equality, reach, name));
  const sql = `(${alternatives.join(" or ")})`;
  return { sql, count: null, index: "rows", lookups, alternatives };
}

/** The equalities of which a record must fulfil one; null for a predicate of another form. */
function equalitiesOf(predicate: Predicate): readonly Predicate[] | null {
  if (predicate.kind === "equal") return [predicate];
  if (!("parts" in predicate)) return null;
  const { kind, parts } = predicate;
  // Every record fulfils one without parts.
  if (kind === "all" && parts.length !== 1) return null;
  const found = parts.map(equalitiesOf);
  return found.every((part) => part !== null) ? found.flat() : null;
}

/** The most equalities of a predicate that is prepared: clients choose them, and longer ones seldom return. */
const maxPrepared = 3;

/** Whether indexes find the rows that fulfil it, whatever the values are. */
function isIndexed(predicate: Predicate): boolean {
  const leaves = leavesOf(predicate);
  return (
    leaves.length > 0 &&
    leaves.length <= maxPrepared &&
    leaves.every((leaf) => leaf.kind === "equal" && indexOf(leaf.column) !== null)
  );
}

/** The conditions that a predicate is made of; what every record fulfils, an `all` without parts, is one. */
function leavesOf(predicate: Predicate): readonly Predicate[] {
  if (!("parts" in predicate)) return [predicate];
  const { kind, parts } = predicate;
  return kind === "all" && parts.length === 0 ? [predicate] : parts.flatMap(leavesOf);
}

function emptyIn(view: View, column: Column): Condition {
  if (column.required) return none;
  const sql = `${column.name} is null`;
  // PostgreSQL does not know that rows without a value are sorted like the rest of the index.
  const index = indexOf(column) === null ? null : "rows";
  const count = countIn(view, countOfEmpty(column));
  return { sql, count, index, lookups: [{ column, by: "value" }] };
}

function countIn({ table }: View, count: string | null): string | null {
  return count === null ? null : tallied(table, count);
}

function indexOf(column: Column): Condition["index"] {
  if (column.unique !== undefined) return "rows";
  return column.counts === undefined ? kindOf(column).index : "page";
}

function readSearch(
  { columns }: View,
  words: string,
  { issues, reach: { values } }: Reading,
): readonly Condition[] {
  if ([...words].length > maxSearchLength) {
    issues.reject("q", `At most ${maxSearchLength} characters`);
    return [];
  }
  const searched = Object.values<Column>(columns).filter((column) => kindOf(column).isSearched);
  if (searched.length === 0) return [none];
  values.push(`%${literalPattern(words)}%`);
  const isIndexed = trigram.test(words);
  const folded = `service.fold_case($${values.length})`;
  const pattern = isIndexed ? `(select ${folded})` : folded;
  // The same expression as in the search index.
  const sql = searched.map(({ name }) => `service.fold_case(${name}) like ${pattern}`).join(" or ");
  return [{ sql: `(${sql})`, count: null, index: isIndexed ? "words" : null }];
}

/**
 * What the search index certainly finds, in every locale. PostgreSQL plans such a search once for all words, as the
 * select hides them from its planner: measured, planning took twice as long as finding a rare word. For a shorter text it
 * must not choose the index, which would be read as a whole.
 */
const trigram = /[a-z0-9]{3}/i;
