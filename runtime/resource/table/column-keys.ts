import { kindOf } from "./kinds/kinds.js";
import { type Column, columnOf, type Table } from "./table.js";

/** Returns a function from a column's name in the catalogue to the record's key; null for other columns. */
export function keysOfColumns(
  columns: Readonly<Record<string, Column>>,
): (column: string) => string | null {
  const keys = new Map(Object.entries(columns).map(([key, { name }]) => [unquoted(name), key]));
  return (column) => keys.get(column) ?? null;
}

/** The table's name in the catalogue. */
export function plainName({ name }: Pick<Table<never>, "name">): string {
  return unquoted(name);
}

/** A name without the quotes that it may need in SQL. */
export function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).split('""').join('"') : name;
}

/** A complete set of values in the order of the columns, as for `insert` and `replace`. */
export function columnValues<Values extends object>(
  table: Table<Values>,
  values: Values,
): readonly unknown[] {
  return writtenFields(table).map(([key, column]) =>
    kindOf(column).parameter(values[key as keyof Values]),
  );
}

/** Some of the values, in their own order, as parameters of a statement. */
export function parametersOf(table: Table<never>, values: object): readonly unknown[] {
  return Object.entries(values).map(([key, value]: [string, unknown]) => {
    const column = columnOf(table, key);
    return column === null ? value : kindOf(column).parameter(value);
  });
}

/** Whether writes may have the field: it has a column, which the API writes. */
export function isWritten({ computed, readOnly }: Pick<Column, "computed" | "readOnly">): boolean {
  return computed === undefined && readOnly === undefined;
}

/** The fields that a write stores, in the order of the columns. */
export function writtenFields({
  columns,
}: {
  readonly columns: Readonly<Record<string, Column>>;
}): [string, Column][] {
  // The id comes before the fields, `createdAt` and `updatedAt` after them.
  return Object.entries(columns)
    .slice(1, -2)
    .filter(([, column]) => isWritten(column));
}
