import { shownColumn } from "../table/column-keys.js";
import { recordOf } from "../table/record-json.js";
import { type Column, columnOf, type Table } from "../table/table.js";

/** Members of a record that clients never set. */
const kept = ["id", "createdAt", "updatedAt"];

/** The keys of the stored fields among these columns, which a body may contain. */
export function fieldKeys(columns: Readonly<Record<string, Column>>): readonly string[] {
  return shownKeys(columns).filter((key) => columns[key]?.computed === undefined);
}

/** The keys of all fields among these columns, including computed ones. */
export function shownKeys(columns: Readonly<Record<string, Column>>): readonly string[] {
  return Object.keys(columns).filter((key) => !kept.includes(key));
}

/** SQL over one row of the table: these fields as JSON text, with values as in a body. */
export function plainValues(table: Pick<Table<never>, "columns">, keys: readonly string[]): string {
  const members = keys.flatMap((key) => {
    const column = columnOf(table, key);
    return column === null ? [] : [{ key, value: shownColumn(column) }];
  });
  return members.length === 0 ? "'{}'" : recordOf(members);
}
