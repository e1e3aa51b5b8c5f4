import { columnOf } from "./column-of.js";
import { type Parameters, readFilterValue } from "./parameters.js";
import type { Column, Table } from "./table.js";
import { countOf, countOfEmpty } from "./total.js";

/** Code points. */
const maxSearchLength = 200;

/** What the records of a list have to fulfil. */
export interface Condition {
  /** Over the statement's values. */
  readonly sql: string;
  /** The tally's column for the rows that fulfil it; null where only counting them tells. */
  readonly count: string | null;
  /** True when an index finds the rows, whatever the value is. */
  readonly indexed: boolean;
}

/** Reads `filter[…]` and `q`; the values that the conditions compare with are added to `values`. */
export function readConditions<Values>(
  table: Table<Values>,
  parameters: Parameters,
  values: unknown[],
): readonly Condition[] {
  return [...readFilters(table, parameters, values), ...readSearch(table, parameters, values)];
}

const none: Condition = { sql: "false", count: null, indexed: true };

function readFilters<Values>(
  table: Table<Values>,
  parameters: Parameters,
  values: unknown[],
): Condition[] {
  return parameters.takeFilters().flatMap(({ param, field, value }) => {
    const column = columnOf(table, field);
    if (column === null) {
      parameters.reject(param, "Must name a field to filter by");
      return [];
    }
    if (column.kind !== "text" && (value === "" || value === "null")) return [emptyIn(column)];
    const read = readFilterValue(column, value);
    if ("problem" in read) {
      parameters.reject(param, read.problem);
      return [];
    }
    values.push(read.value);
    const sql = `${column.name} = $${values.length}`;
    return [{ sql, count: countOf(column, read.value), indexed: isIndexed(column) }];
  });
}

function emptyIn(column: Column): Condition {
  if (column.required) return none;
  const sql = `${column.name} is null`;
  return { sql, count: countOfEmpty(column), indexed: isIndexed(column) };
}

/** Unique fields, links and what the tally counts have indexes. */
function isIndexed(column: Column): boolean {
  const isUnique = column.unique !== undefined;
  return column.kind === "id" || isUnique || column.link !== undefined || "counts" in column;
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
  values.push(`%${words.replace(/[\\%_]/g, "\\$&")}%`);
  const pattern = `service.fold_case($${values.length})`;
  const sql = search.map((text) => `${text} like ${pattern}`).join(" or ");
  return [{ sql: `(${sql})`, count: null, indexed: false }];
}
