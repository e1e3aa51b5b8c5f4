import type { Column, Table } from "./table.js";

/** Whether a record of the table, or one that its responses may include, has a private file. */
export function reachesPrivate(table: Table<never>): boolean {
  const known = new Set<Table<never>>();
  const waiting = [table];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (known.has(one)) continue;
    known.add(one);
    if (Object.values<Column>(one.columns).some((column) => column.isPrivate)) return true;
    const related = [one.links, one.inverses].flatMap((each) => Object.values(each ?? {}));
    waiting.push(...related.flatMap((each) => each.table?.() ?? []));
  }
  return false;
}
