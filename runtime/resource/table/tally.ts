import { kindOf } from "./kinds/kinds.js";
import type { Column, Table } from "./table.js";

/**
 * SQL for a row count from the tally, in the statement's own snapshot: as exact as counting, and equally quick for any
 * number of rows.
 */
export function tallied({ tally }: Pick<Table<never>, "tally">, column: string): string {
  return `(select ${sumOf(column)} from ${tally})`;
}

/** SQL over the tally's slots. */
export function sumOf(column: string): string {
  return `coalesce(sum(${column}), 0)::bigint`;
}

/** The tally's column for all rows. */
export const allRows = "total";

/** The tally's column (or an expression over several) for the rows in which the column holds the value. */
export function countOf(column: Column, value: string): string | null {
  return column.counts?.[countedValues(column).indexOf(value)] ?? null;
}

/** The tally's expression for the rows in which the column is empty. */
export function countOfEmpty({ counts }: Column): string | null {
  return counts === undefined ? null : [allRows, ...counts].join(" - ");
}

/** The values of a counted column, in the order of its `counts`; empty for any other. */
export function countedValues(column: Column): readonly string[] {
  return kindOf(column).counted(column);
}
