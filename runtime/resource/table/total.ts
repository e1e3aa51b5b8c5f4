import type { Column, CountedColumn, Table } from "./table.js";

/**
 * SQL for a number of rows from the tally, in the statement's own snapshot: as exact as counting the rows, and
 * equally quick for any number of them.
 */
export function tallied<Values>({ tally }: Table<Values>, column: string): string {
  return `(select ${sumOf(column)} from ${tally})`;
}

/** SQL for the number of rows that an account owns, whose SQL is asked for; null where these are not counted. */
export function talliedOf({ owner }: Table<never>, account: () => string): string | null {
  if (owner?.counts === undefined) return null;
  return `(select ${sumOf(allRows)} from ${owner.counts} and owner = ${account()})`;
}

/** SQL over the tally's slots. */
export function sumOf(column: string): string {
  return `coalesce(sum(${column}), 0)::bigint`;
}

/** The tally's column for all rows. */
export const allRows = "total";

/** The tally's column (or an expression over several) for the rows in which the column holds the value. */
export function countOf(column: Column, value: string): string | null {
  if (column.kind !== "enum" && column.kind !== "boolean") return null;
  return column.counts?.[countedValues(column).indexOf(value)] ?? null;
}

/** The tally's expression for the rows in which the column is empty. */
export function countOfEmpty(column: Column): string | null {
  if (column.kind !== "enum" && column.kind !== "boolean") return null;
  return column.counts === undefined ? null : [allRows, ...column.counts].join(" - ");
}

/** The values of a counted column, in the order of its `counts`. */
export function countedValues(column: CountedColumn): readonly string[] {
  return column.kind === "enum" ? column.values : ["true", "false"];
}
