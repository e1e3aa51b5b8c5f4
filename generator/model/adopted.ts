import type { AdoptedColumn, Schema } from "../../runtime/values/schema/schema.js";

export type StoredColumns = ReadonlyMap<string, AdoptedColumn>;

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

/** Returns the columns of the resource's table; empty if the app's migrations create it. */
export function storedIn(
  { adopted }: { readonly adopted?: AdoptedTables },
  { table }: { readonly table: string },
): StoredColumns {
  return adopted?.get(table) ?? new Map();
}
