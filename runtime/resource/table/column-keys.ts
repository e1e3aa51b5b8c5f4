import type { Column, Table } from "./table.js";

/** Makes a function from a column as the catalogue has it to the record's key; null where none of these is it. */
export function keysOfColumns(
  columns: Readonly<Record<string, Column>>,
): (column: string) => string | null {
  const keys = new Map(Object.entries(columns).map(([key, { name }]) => [unquoted(name), key]));
  return (column) => keys.get(column) ?? null;
}

/** The table's name as the catalogue has it. */
export function plainName({ name }: Pick<Table<never>, "name">): string {
  return unquoted(name);
}

/** A name without the quotes that it may need in SQL. */
export function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).split('""').join('"') : name;
}
