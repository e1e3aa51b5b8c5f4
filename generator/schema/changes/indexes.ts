import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { isSame } from "../../../runtime/values/schema/schema.js";
import type { Pair } from "./kept.js";

export function createIndexes({ former, table }: Pair): Change[] {
  return table.indexes
    .filter((index) => !former.indexes.some((other) => isSame(index, other)))
    .map((index) => ({ kind: "createIndex", table: table.name, index }));
}

export function dropIndexes({ former, table }: Pair): Change[] {
  const kept = new Set(table.columns.map(({ name }) => name));
  return former.indexes
    .filter((index) => !table.indexes.some((other) => isSame(index, other)))
    .filter(({ keys }) => keys.every(({ column }) => kept.has(column)))
    .map((index) => ({ kind: "dropIndex", table: table.name, index }));
}
