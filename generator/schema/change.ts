import type { ForeignKey, Index, Schema, Table } from "./schema.js";

/** One step from a schema to another; a migration is a list of them. */
export type Change =
  | { readonly kind: "createTable"; readonly table: Table }
  | { readonly kind: "addLink"; readonly table: string; readonly link: ForeignKey }
  | { readonly kind: "createIndex"; readonly table: string; readonly index: Index };

/** The schema after a change. */
export function applyChange(schema: Schema, change: Change): Schema {
  switch (change.kind) {
    case "createTable": {
      const created = { ...change.table, links: [], indexes: [] };
      const tables = [...schema.tables, created];
      return { tables: tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    }
    case "addLink":
      return onTable(schema, change.table, (table) => ({
        ...table,
        links: [...table.links, change.link],
      }));
    case "createIndex":
      return onTable(schema, change.table, (table) => ({
        ...table,
        indexes: [...table.indexes, change.index],
      }));
    default:
      return change satisfies never;
  }
}

function onTable(schema: Schema, name: string, alter: (table: Table) => Table): Schema {
  return { tables: schema.tables.map((table) => (table.name === name ? alter(table) : table)) };
}
