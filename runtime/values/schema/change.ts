import type { Change, ChangeOf } from "./change-kinds.js";
import { withRenamedValue } from "./renamed-value.js";
import {
  type Column,
  columnIn,
  type Entries,
  isSame,
  type Schema,
  type Table,
  type Words,
} from "./schema.js";
import { withWordsAfter } from "./words.js";

/** The name of the changed table before the change. */
export function tableOf(change: Change): string {
  return change.kind === "createTable" ? change.table.name : change.table;
}

/**
 * The existing table, with its schema, to which a change adds links. Null for any other change, for a link to a new
 * table, and if the app has no tables yet.
 */
export function linkedInUse(
  change: Change,
  before: Schema,
  isCreated: (table: string) => boolean,
): string | null {
  const isLinked = change.kind === "setLink" || change.kind === "setEntries";
  if (!isLinked || change.to === null || before.tables.length === 0) return null;
  const { schema, table } = change.to;
  return schema === "public" && isCreated(table) ? null : `${schema}.${table}`;
}

/** The name of the changed column before the change; null for changes of tables or indexes. */
export function changedColumn(change: Change): string | null {
  if (!("column" in change)) return null;
  return typeof change.column === "string" ? change.column : change.column.name;
}

/** The schema after a change. Its tables are sorted by name. */
export function applyChange(schema: Schema, change: Change): Schema {
  const { tables } = changed(schema, change);
  return { tables: withWordsAfter(tables, schema, change) };
}

function changed({ tables }: Schema, change: Change): Schema {
  const name = tableOf(change);
  switch (change.kind) {
    case "movePairs":
      return { tables };
    case "createTable":
      return { tables: tables.toSpliced(placeOf(tables, name), 0, change.table) };
    case "dropTable":
      return { tables: tables.filter((table) => table.name !== name) };
    case "renameTable":
      return {
        tables: tables
          .map((table) => renameTable(table, change))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      };
    default: {
      const at = tables.findIndex((table) => table.name === name);
      const table = tables[at];
      return { tables: table === undefined ? tables : tables.with(at, alterTable(table, change)) };
    }
  }
}

/** The index at which a new table is inserted. */
function placeOf(tables: readonly Table[], name: string): number {
  const next = tables.findIndex((table) => table.name > name);
  return next === -1 ? tables.length : next;
}

/** Renames a table, and every link to it. */
function renameTable(table: Table, { table: former, to }: ChangeOf<"renameTable">): Table {
  const columns = table.columns.map((column): Column => {
    const { link, entries } = column;
    if (entries?.schema === "public" && entries.table === former) {
      return { ...column, entries: { ...entries, table: to.name } };
    }
    if (link?.schema !== "public" || link.table !== former) return column;
    return { ...column, link: { ...link, table: to.name } };
  });
  return table.name === former ? { ...table, ...to, columns } : { ...table, columns };
}

type Alteration = Exclude<
  Change,
  ChangeOf<"createTable"> | ChangeOf<"dropTable"> | ChangeOf<"renameTable"> | ChangeOf<"movePairs">
>;

function alterTable(table: Table, change: Alteration): Table {
  switch (change.kind) {
    case "renameColumn":
      return renameColumn(table, change);
    case "renameValue":
      return onColumn(
        table,
        change.column,
        withRenamedValue(columnIn(table, change.column), change),
      );
    case "addColumn":
      return withAdopted({ ...table, columns: [...table.columns, change.column] }, change);
    case "dropColumn":
      return {
        ...table,
        columns: table.columns.filter(({ name }) => name !== change.column),
        ...withoutColumn(table, change.column),
      };
    case "replaceColumn": {
      const { column, indexes } = change;
      const rest = withoutColumn(table, column.name);
      // Appended at the end, because the new column is created while the old one exists.
      const columns = table.columns.filter(({ name }) => name !== column.name);
      return {
        ...table,
        columns: [...columns, column],
        ...rest,
        indexes: [...rest.indexes, ...indexes],
      };
    }
    case "setKind":
      return onColumn(table, change.column, { kind: change.to });
    case "setDefault":
      return onColumn(table, change.column, { default: change.to });
    case "setRequired":
      return onColumn(table, change.column, { required: change.to });
    case "setCheck":
      return onColumn(table, change.column, { check: change.to });
    case "setLink":
      return onColumn(table, change.column, { link: change.to });
    case "setEntries":
      return {
        ...table,
        columns: table.columns.map((column) =>
          column.name === change.column ? withEntries(column, change.to) : column,
        ),
      };
    case "setSchema":
      return withSchema(table, change);
    case "createIndex":
      return { ...table, indexes: [...table.indexes, change.index] };
    case "dropIndex":
      return { ...table, indexes: table.indexes.filter((index) => !isSame(index, change.index)) };
    case "setTally":
      return { ...table, counts: change.to };
    case "setSearch":
      return { ...table, search: change.to };
    case "setLog":
      return withLog(table, { logged: change.to });
    case "setTrash":
      return withTrash(table, { trash: change.to });
    case "setWords":
      return withWords(table, change.to);
    default:
      return change satisfies never;
  }
}

/** Adds the column to those of an adopted table, unless it already has the column. */
function withAdopted(table: Table, { column, adopted: added }: ChangeOf<"addColumn">): Table {
  const { adopted } = table;
  const { name, type } = column;
  if (adopted === undefined || adopted.some((one) => one.name === name)) return table;
  return { ...table, adopted: [...adopted, added ?? { name, type }] };
}

function withLog({ logged: _, ...table }: Table, { logged }: { readonly logged: boolean }): Table {
  return logged ? { ...table, logged } : table;
}

function withTrash({ trash: _, ...table }: Table, { trash }: { readonly trash: boolean }): Table {
  return trash ? { ...table, trash } : table;
}

/** The column with these entries; without entries if they are null. */
export function withEntries({ entries: _, ...column }: Column, entries: Entries | null): Column {
  return entries === null ? column : { ...column, entries };
}

function withWords({ words: _, ...table }: Table, words: Words | null): Table {
  return words === null ? table : { ...table, words };
}

function withSchema(table: Table, { column: name, to }: ChangeOf<"setSchema">): Table {
  const { schema: _, ...column } = columnIn(table, name);
  const changed = to === null ? column : { ...column, schema: to };
  return { ...table, columns: table.columns.map((one) => (one.name === name ? changed : one)) };
}

/** The table's parts without those that PostgreSQL drops with the column. */
function withoutColumn(table: Table, column: string): Pick<Table, "indexes" | "counts" | "search"> {
  return {
    indexes: table.indexes.filter(({ keys }) => keys.every((key) => key.column !== column)),
    counts: table.counts?.filter((count) => count.column !== column) ?? null,
    search: table.search.filter((searched) => searched !== column),
  };
}

function onColumn(table: Table, name: string, changed: Partial<Column>): Table {
  return {
    ...table,
    columns: table.columns.map((column) =>
      column.name === name ? { ...column, ...changed } : column,
    ),
  };
}

function renameColumn(table: Table, { column: former, to }: ChangeOf<"renameColumn">): Table {
  const renamed = <Part extends { readonly column: string }>(part: Part): Part =>
    part.column === former ? { ...part, column: to.name } : part;
  return {
    ...onColumn(table, former, to),
    indexes: table.indexes.map((index) => ({ ...index, keys: index.keys.map(renamed) })),
    counts: table.counts?.map(renamed) ?? null,
    search: table.search.map((column) => (column === former ? to.name : column)),
  };
}
