import { kindOf } from "./kinds/kinds.js";
import type { Column, Table } from "./table.js";

/**
 * SQL for a row count from the tally, in the statement's own snapshot: as exact as counting, and equally quick for any
 * number of rows.
 */
export function tallied({ tally }: Pick<Table<never>, "tally">, column: string): string {
  return `(select ${sumOf(column)} from ${tally})`;
}

/** SQL for the sum of a column over the tally's slots. */
export function sumOf(column: string): string {
  return `coalesce(sum(${column}), 0)::bigint`;
}

/** The tally column that counts all rows. */
export const allRows = "total";

/**
 * The tally column (or an expression over several) that counts the rows with this value in the column; null if the
 * tally does not count it.
 */
export function countOf(column: Column, value: string): string | null {
  return column.counts?.[countedValues(column).indexOf(value)] ?? null;
}

/**
 * The tally expression that counts the rows in which the column is null; null if the tally does not count the column.
 */
export function countOfEmpty({ counts }: Column): string | null {
  return counts === undefined ? null : [allRows, ...counts].join(" - ");
}

/** The counted values of a column, in the order of its `counts`; empty for columns that are not counted. */
export function countedValues(column: Column): readonly string[] {
  return kindOf(column).counted(column);
}
