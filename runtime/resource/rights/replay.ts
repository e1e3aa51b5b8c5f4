import type { Caller } from "../../own-code/index.js";
import type { Table } from "../table/table.js";
import { closedKeys } from "./rules.js";
import { without } from "./without.js";

/**
 * The JSON text of a stored answer as the caller may read it now, because a right may have been lost since.
 * `tables` are those of its records: one for a record, and one for each entry of `data` in a batch.
 */
export function shownAgain(
  json: string,
  tables: Table<never> | readonly (Table<never> | null)[],
  caller: Caller | null,
): string {
  const role = caller?.role ?? null;
  if ("columns" in tables) {
    const closed = closedNames(tables, role);
    if (closed.length === 0) return json;
    const record = JSON.parse(json);
    return holds(record, closed) ? JSON.stringify(without(record, closed)) : json;
  }
  const closed = tables.map((table) => (table === null ? [] : closedNames(table, role)));
  if (closed.every(({ length }) => length === 0)) return json;
  const answer: { readonly data: readonly (object | null)[] } = JSON.parse(json);
  const closedAt = (at: number) => closed[at] ?? [];
  // An answer without hidden fields is sent unchanged, byte by byte.
  if (!answer.data.some((record, at) => record !== null && holds(record, closedAt(at)))) {
    return json;
  }
  const data = answer.data.map((record, at) => record && without(record, closedAt(at)));
  return JSON.stringify({ ...answer, data });
}

function holds(record: object, closed: readonly string[]): boolean {
  return closed.some((key) => Object.hasOwn(record, key));
}

/** The members of a record that the role may not read; a file has its details beside its field. */
function closedNames(table: Table<never>, role: string | null): readonly string[] {
  return closedKeys(table, "read", role).flatMap((key) => [key, `${key}File`]);
}
