import type { ForeignKey, Index, Schema, SearchIndex, Table, Tally } from "./schema.js";

/** One step from a schema to another; a migration is a list of them. */
export type Change =
  | { readonly kind: "createTable"; readonly table: Table }
  | { readonly kind: "addLink"; readonly table: string; readonly link: ForeignKey }
  | { readonly kind: "createIndex"; readonly table: string; readonly index: Index }
  | { readonly kind: "createTally"; readonly table: string; readonly tally: Tally }
  | { readonly kind: "createSearch"; readonly table: string; readonly search: SearchIndex };

/** The schema after a change. */
export function applyChange(schema: Schema, change: Change): Schema {
  switch (change.kind) {
    case "createTable": {
      const tables = [...schema.tables, change.table];
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
    case "createTally":
      return onTable(schema, change.table, (table) => ({ ...table, tally: change.tally }));
    case "createSearch":
      return onTable(schema, change.table, (table) => ({ ...table, search: change.search }));
    default:
      return change satisfies never;
  }
}

function onTable(schema: Schema, name: string, alter: (table: Table) => Table): Schema {
  return { tables: schema.tables.map((table) => (table.name === name ? alter(table) : table)) };
}
