import type { Change } from "./change.js";

/** Where tables and columns were before a migration: its checks are made before its first step. */
export interface Origins {
  /** Null for a table that the migration creates. */
  table(name: string): string | null;
  /** Null for a column that the migration adds. */
  column(table: string, name: string): string | null;
}

/** The origins after those changes, in the names that hold then. */
export function originsAfter(changes: readonly Change[]): Origins {
  const tables = new Map<string, string | null>();
  const columns = new Map<string, string | null>();
  const key = (table: string, column: string) => JSON.stringify([table, column]);
  for (const change of changes) {
    switch (change.kind) {
      case "renameTable":
        tables.set(change.to.name, tables.get(change.table) ?? change.table);
        break;
      case "createTable":
        tables.set(change.table.name, null);
        break;
      case "renameColumn":
        columns.set(
          key(change.table, change.to.name),
          columns.get(key(change.table, change.column)) ?? change.column,
        );
        break;
      case "addColumn":
        columns.set(key(change.table, change.column.name), null);
        break;
      default:
    }
  }
  return {
    table: (name) => tables.get(name) ?? (tables.has(name) ? null : name),
    column: (table, name) => {
      const found = columns.get(key(table, name));
      return found === undefined ? name : found;
    },
  };
}
