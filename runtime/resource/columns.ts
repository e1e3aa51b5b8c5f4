import type { Column, Table } from "./table.js";

/** The column that holds a record's key; null for any other word. */
export function columnOf(table: Table<never>, key: string): Column | null {
  return Object.hasOwn(table.columns, key) ? (table.columns[key] ?? null) : null;
}

/** A complete set of values in the order of `insert` and `replace`: that of the columns. */
export function valuesOf<Values extends object>(
  table: Table<Values>,
  values: Values,
): readonly unknown[] {
  // Around the fields stand the id, `createdAt` and `updatedAt`.
  const keys = Object.keys(table.columns).slice(1, -2) as (keyof Values)[];
  return keys.map((key) => values[key]);
}
