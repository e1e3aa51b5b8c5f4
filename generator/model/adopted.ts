import type { AdoptedColumn, Schema } from "../../runtime/values/schema/schema.js";

/** The columns of an adopted table, by their names. */
export type StoredColumns = ReadonlyMap<string, AdoptedColumn>;

/** The adopted tables, by their names. */
export type AdoptedTables = ReadonlyMap<string, StoredColumns>;

/** The names of adopted tables whose rows have no version. */
export function unversionedTables({ tables }: Schema): ReadonlySet<string> {
  return new Set(tables.flatMap(({ name, unversioned }) => (unversioned === true ? [name] : [])));
}

export function adoptedTables({ tables }: Schema): AdoptedTables {
  return new Map(
    tables.flatMap(({ name, adopted }) =>
      adopted === undefined
        ? []
        : [[name, new Map(adopted.map((column) => [column.name, column]))] as const],
    ),
  );
}

/** The columns of the resource's table; empty if the app's own migrations create it. */
export function storedIn(
  { adopted }: { readonly adopted?: AdoptedTables },
  { table }: { readonly table: string },
): StoredColumns {
  return adopted?.get(table) ?? new Map();
}
