import type { Column, Table } from "./table.js";

/** The column that holds a record's key; null for any other word. */
export function columnOf(table: Table<never>, key: string): Column | null {
  return Object.hasOwn(table.columns, key) ? (table.columns[key] ?? null) : null;
}
