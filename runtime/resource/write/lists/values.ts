import { onceFor } from "../../rights/once-for.js";
import { sentFields, timeColumn } from "../../table/column-keys.js";
import type { Values } from "../../table/conflicts.js";
import type { EntryColumns } from "../../table/rule.js";
import type { Column, Table } from "../../table/table.js";
import type { Write } from "../operation.js";

/** A list whose links are rows of another program's join table. */
export interface JoinedList {
  readonly key: string;
  readonly column: Column;
  /** The join table as SQL, and below it the table of the link targets. */
  readonly table: string;
  readonly target: string;
  readonly columns: EntryColumns;
}

/** The table's writable lists that are stored in join tables of other programs. */
export const joinedLists = onceFor((table: Table<never>): readonly JoinedList[] =>
  sentFields(table).flatMap(([key, column]) => {
    const { through, entries } = column;
    if (through !== true || entries?.columns === undefined) return [];
    const { table: name, target, columns } = entries;
    return [{ key, column, table: name, target, columns }];
  }),
);

/** A list and the ids that it has after the write. */
export interface ListedIds {
  readonly list: JoinedList;
  readonly ids: readonly string[];
}

/** The lists from join tables that occur among the values. */
export function listsIn(table: Table<never>, values: Values): readonly ListedIds[] {
  return joinedLists(table).flatMap((list) =>
    Object.hasOwn(values, list.key) ? [{ list, ids: values[list.key] as readonly string[] }] : [],
  );
}

/** The values without those lists: what the record's own row stores. */
export function withoutLists(table: Table<never>, values: Values): Values {
  const lists = joinedLists(table);
  if (lists.length === 0) return values;
  const keys = new Set(lists.map(({ key }) => key));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.has(key)));
}

/** Whether a change that affects only lists updates the record's time of change. */
export function isTimed(table: Table<never>): boolean {
  return timeColumn(table, "updatedAt").missing !== true;
}

/** Whether the write adds or removes links in join tables, so that it writes rows besides the record's. */
export function writesLists(write: Write): boolean {
  const { table } = write;
  if (!("checked" in write) || joinedLists(table).length === 0) return false;
  const lists = listsIn(table, { ...write.checked.values });
  return lists.some(({ ids }) => write.kind !== "create" || ids.length > 0);
}
