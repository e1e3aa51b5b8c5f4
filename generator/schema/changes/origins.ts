import type { Change, ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import type { Column, Schema, Table } from "../../../runtime/values/schema/schema.js";

/** The names of tables and columns before a migration, by their current names. */
export interface Origins {
  /** Null for a table that the migration creates. */
  table(name: string): string | null;
  /** Null for a column that the migration adds. */
  column(table: string, name: string): string | null;
  /** Returns the values of the column that the migration has renamed: former and current names. */
  values(table: string, column: string): readonly (readonly [former: string, now: string])[];
  /** Returns the table before the migration; null if the migration creates it. */
  formerTable(name: string): Table | null;
  /** Applies the next change of the migration. */
  follow(change: Change): void;
}

/**
 * Returns the column that held the values of a list of files before the migration; null if they are not storage keys of
 * files.
 */
export function strangersOf(
  { table, column, from, to }: ChangeOf<"setEntries">,
  origins: Origins,
): Column | null {
  if (to?.column === undefined || from !== null) return null;
  const name = origins.column(table, column);
  const before = origins.formerTable(table)?.columns.find((one) => one.name === name);
  return before === undefined || holdsFiles(before) ? null : before;
}

/** Whether foreign keys reference the files in a column's values. */
export function holdsFiles({ link, entries }: Pick<Column, "link" | "entries">): boolean {
  return link?.column === "key" || entries?.column === "key";
}

/**
 * Returns the renames of a column's values plus a further one, which is merged with an earlier rename to its former
 * name.
 */
export function followedValues(
  renamed: readonly (readonly [string, string])[],
  { value, to }: ChangeOf<"renameValue">,
): readonly (readonly [string, string])[] {
  const isPassedOn = renamed.some(([, now]) => now === value);
  const moved = renamed.map(([one, now]) => [one, now === value ? to : now] as const);
  return isPassedOn ? moved : [...moved, [value, to]];
}

/** Returns the names before the first change. */
export function newOrigins({ tables: former }: Schema): Origins {
  const tables = new Map<string, string | null>();
  const columns = new Map<string, string | null>();
  const values = new Map<string, readonly (readonly [string, string])[]>();
  const key = (table: string, column: string) => JSON.stringify([table, column]);
  const originOf = (known: ReadonlyMap<string, string | null>, at: string, name: string) => {
    const found = known.get(at);
    return found === undefined ? name : found;
  };
  const table = (name: string) => originOf(tables, name, name);
  const column = (of: string, name: string) => originOf(columns, key(of, name), name);
  return {
    table,
    column,
    values: (of, name) => values.get(key(of, name)) ?? [],
    formerTable: (name) => former.find((one) => one.name === table(name)) ?? null,
    follow(change) {
      if (change.kind === "renameTable") tables.set(change.to.name, table(change.table));
      if (change.kind === "createTable") tables.set(change.table.name, null);
      if (change.kind === "addColumn") columns.set(key(change.table, change.column.name), null);
      if (change.kind === "renameValue") {
        const own = key(change.table, change.column);
        values.set(own, followedValues(values.get(own) ?? [], change));
      }
      if (change.kind === "renameColumn") {
        columns.set(key(change.table, change.to.name), column(change.table, change.column));
      }
    },
  };
}
