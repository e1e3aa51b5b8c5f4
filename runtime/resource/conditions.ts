import { type Parameters, readFilterValue } from "./parameters.js";
import { readFilter } from "./question/filter.js";
import { literalPattern, type Predicate, predicateSql } from "./question/predicate.js";
import { InvalidWhere, parseJson, readWhere } from "./question/where.js";
import { type Column, columnOf, type Table } from "./table.js";
import { countOf, countOfEmpty } from "./total.js";

/** Code points. */
const maxSearchLength = 200;

/** A condition that the records of a list must meet. */
export interface Condition {
  /** SQL over the statement's values. */
  readonly sql: string;
  /** The tally's column for the rows that meet it; null where only counting them gives their number. */
  readonly count: string | null;
  /**
   * What an index provides, whatever the value is: `page`, the rows with the newest first; `rows`, the
   * rows in no useful order; null where there is no index.
   */
  readonly index: "page" | "rows" | null;
}

/** Reads `filter[…]`, `where` and `q`; the values that the conditions compare with are added to `values`. */
export function readConditions<Values>(
  table: Table<Values>,
  parameters: Parameters,
  values: unknown[],
): readonly Condition[] {
  return [
    ...readFilters(table, parameters, values),
    ...readWhereParameter(table, parameters, values),
    ...readSearch(table, parameters, values),
  ];
}

const none: Condition = { sql: "false", count: null, index: "rows" };

function readFilters<Values>(
  table: Table<Values>,
  parameters: Parameters,
  values: unknown[],
): Condition[] {
  return parameters.takeFilters().flatMap(({ param, field, operator, value }) => {
    const column = columnOf(table, field);
    if (column === null) {
      parameters.reject(param, "Must name a field to filter by");
      return [];
    }
    if (operator !== null) {
      const compared = readFilter(column, operator, value);
      if ("problem" in compared) parameters.reject(param, compared.problem);
      else return [conditionOf(compared.predicate, values)];
      return [];
    }
    if (column.kind !== "text" && (value === "" || value === "null")) return [emptyIn(column)];
    const read = readFilterValue(column, value);
    if ("problem" in read) {
      parameters.reject(param, read.problem);
      return [];
    }
    values.push(read.value);
    // A text that is too long for an index is found by its digest.
    const match = column.unique?.match ?? `${column.name} = $1`;
    const sql = `(${match.replaceAll("$1", `$${values.length}`)})`;
    return [{ sql, count: countOf(column, read.value), index: indexOf(column) }];
  });
}

function readWhereParameter<Values>(
  table: Table<Values>,
  parameters: Parameters,
  values: unknown[],
): Condition[] {
  const text = parameters.take("where");
  if (text === undefined) return [];
  try {
    return [conditionOf(readWhere(table, parseJson(text)), values)];
  } catch (error) {
    if (!(error instanceof InvalidWhere)) throw error;
    parameters.reject("where", error.message);
    return [];
  }
}

/** How many rows fulfil it, and by which index, depends on its values. */
function conditionOf(predicate: Predicate, values: unknown[]): Condition {
  return { sql: predicateSql(predicate, values), count: null, index: null };
}

function emptyIn(column: Column): Condition {
  if (column.required) return none;
  const sql = `${column.name} is null`;
  // PostgreSQL does not know that rows without a value are in the order of the rest of the index.
  return { sql, count: countOfEmpty(column), index: indexOf(column) === null ? null : "rows" };
}

function indexOf(column: Column): Condition["index"] {
  if (column.kind === "id" || column.kind === "file" || column.unique !== undefined) return "rows";
  return column.kind === "belongsTo" || "counts" in column ? "page" : null;
}

function readSearch<Values>(
  { search }: Table<Values>,
  parameters: Parameters,
  values: unknown[],
): Condition[] {
  const words = parameters.take("q") ?? "";
  if (words === "") return [];
  if ([...words].length > maxSearchLength) {
    parameters.reject("q", `At most ${maxSearchLength} characters`);
    return [];
  }
  if (search.length === 0) return [none];
  values.push(`%${literalPattern(words)}%`);
  const pattern = `service.fold_case($${values.length})`;
  const sql = search.map((text) => `${text} like ${pattern}`).join(" or ");
  return [{ sql: `(${sql})`, count: null, index: null }];
}
