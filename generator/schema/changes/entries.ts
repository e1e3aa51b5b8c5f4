import { isDeepStrictEqual } from "node:util";
import type { Change, ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import type { Entries, Table } from "../../../runtime/values/schema/schema.js";
import { columnOf, type Pair } from "./kept.js";

/** Removes the entries of lists that are replaced or dropped. */
export function releaseEntries({ former, table }: Pair): Change[] {
  return releasedEntries(former, (column, entries) => {
    const field = former.columns.find(({ name }) => name === column)?.field ?? null;
    const next = columnOf(table, field);
    if (next?.entries === undefined || next.name !== column) return true;
    // Entries of links are UUIDs, entries of files are strings: they need different tables.
    return next.entries.column !== entries.column;
  });
}

/** Removes the entries of these lists. */
export function releasedEntries(
  { name: table, columns }: Table,
  isReleased: (column: string, entries: Entries) => boolean,
): SetEntries[] {
  return columns.flatMap(({ name, entries }) =>
    entries !== undefined && isReleased(name, entries)
      ? [setEntries(table, name, { from: entries })]
      : [],
  );
}

/** The links of a new table's columns, and the entries of its lists. */
export function newLinks({ name: table, columns }: Table): readonly Change[] {
  return columns.flatMap(({ name: column, link, entries }): Change[] => [
    ...(link === null ? [] : [{ kind: "setLink", table, column, from: null, to: link } as const]),
    ...(entries === undefined ? [] : [setEntries(table, column, { to: entries })]),
  ]);
}

/** Removes the entries of a table that is dropped, and those that refer to such a table. */
export function droppedEntries(table: Table, dropped: readonly string[]): readonly SetEntries[] {
  return releasedEntries(
    table,
    (_, { schema, table: target }) =>
      dropped.includes(table.name) || (schema === "public" && dropped.includes(target)),
  );
}

/** Adds the entries of new lists, and changes their targets. */
export function keepEntries({ former, table }: Pair): Change[] {
  return table.columns.flatMap(({ name, field, entries: to = null }) => {
    const from = columnOf(former, field)?.entries ?? null;
    return isDeepStrictEqual(from, to) ? [] : [setEntries(table.name, name, { from, to })];
  });
}

export function setEntries(
  table: string,
  column: string,
  { from = null, to = null }: Partial<Pick<SetEntries, "from" | "to">>,
): SetEntries {
  return { kind: "setEntries", table, column, from, to };
}

export type SetEntries = ChangeOf<"setEntries">;
