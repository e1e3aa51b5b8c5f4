import { isDeepStrictEqual } from "node:util";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import type { Column, Count, Table } from "../../../runtime/values/schema/schema.js";

export interface Pair {
  readonly former: Table;
  readonly table: Table;
}

/** Updates which columns are searched and counted. */
export function keepCounts({ former, table: { name: table, counts, search } }: Pair): Change[] {
  const changes: Change[] = [];
  // The order of searched columns does not matter to the index.
  if (!isDeepStrictEqual(new Set(former.search), new Set(search))) {
    changes.push({ kind: "setSearch", table, to: search });
  }
  if (!isSameCounts(former.counts, counts)) {
    changes.push({ kind: "setTally", table, to: counts });
  }
  return changes;
}

/** Starts or stops logging changes. */
export function keepLog({ former, table }: Pair): Change[] {
  const to = table.logged ?? false;
  return to === (former.logged ?? false) ? [] : [{ kind: "setLog", table: table.name, to }];
}

/** Starts or stops keeping deleted rows. */
export function keepTrash({ former, table }: Pair): Change[] {
  const to = table.trash ?? false;
  return to === (former.trash ?? false) ? [] : [{ kind: "setTrash", table: table.name, to }];
}

/** Updates which words are indexed. */
export function keepWords({ former, table }: Pair): Change[] {
  const to = table.words ?? null;
  if (isDeepStrictEqual(to, former.words ?? null)) return [];
  return [{ kind: "setWords", table: table.name, to }];
}

/** Whether the counts are equal in any order. */
function isSameCounts(one: readonly Count[] | null, other: readonly Count[] | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.length !== other.length) return false;
  return other.every(({ column, value }) =>
    one.some((count) => count.column === column && count.value === value),
  );
}

/** The column of a field; null if the table has none. */
export function columnOf({ columns }: Table, field: string | null): Column | null {
  return columns.find((column) => column.field === field) ?? null;
}

export function hasField(table: Table, field: string | null): boolean {
  return field === null || columnOf(table, field) !== null;
}
