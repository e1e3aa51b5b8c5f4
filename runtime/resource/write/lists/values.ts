import { onceFor } from "../../rights/once-for.js";
import { sentFields, timeColumn } from "../../table/column-keys.js";
import type { Values } from "../../table/conflicts.js";
import type { EntryColumns } from "../../table/rule.js";
import type { Column, Table } from "../../table/table.js";
import type { Write } from "../operation.js";

/** A list of links that are rows of a table of another program. */
export interface JoinedList {
  readonly key: string;
  readonly column: Column;
  /** The table of the links, and that of the targets, as SQL. */
  readonly table: string;
  readonly target: string;
  readonly columns: EntryColumns;
}

/** The lists in tables of other programs that writes may have. */
export const joinedLists = onceFor((table: Table<never>): readonly JoinedList[] =>
  sentFields(table).flatMap(([key, column]) => {
    const { through, entries } = column;
    if (through !== true || entries?.columns === undefined) return [];
    const { table: name, target, columns } = entries;
    return [{ key, column, table: name, target, columns }];
  }),
);

/** A list, and its ids after the write. */
export interface ListedIds {
  readonly list: JoinedList;
  readonly ids: readonly string[];
}

/** The lists among the values. */
export function listsIn(table: Table<never>, values: Values): readonly ListedIds[] {
  return joinedLists(table).flatMap((list) =>
    Object.hasOwn(values, list.key) ? [{ list, ids: values[list.key] as readonly string[] }] : [],
  );
}

/** The values that are stored in the record's row. */
export function withoutLists(table: Table<never>, values: Values): Values {
  const lists = joinedLists(table);
  if (lists.length === 0) return values;
  const keys = new Set(lists.map(({ key }) => key));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.has(key)));
}

/** Whether a change of lists alone moves the time of the record's change. */
export function isTimed(table: Table<never>): boolean {
  return timeColumn(table, "updatedAt").missing !== true;
}

/** Whether the write adds or removes links, and so writes other rows than the record's. */
export function writesLists(write: Write): boolean {
  const { table } = write;
  if (!("checked" in write) || joinedLists(table).length === 0) return false;
  const lists = listsIn(table, { ...write.checked.values });
  return lists.some(({ ids }) => write.kind !== "create" || ids.length > 0);
}
