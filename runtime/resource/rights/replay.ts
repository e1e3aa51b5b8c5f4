import { type Caller, visitor } from "../../own-code/index.js";
import { detailsKey } from "../../values/files/details-key.js";
import { privateMark } from "../../values/files/private-mark.js";
import { detailsKeyOf } from "../table/record-json.js";
import type { Column, Table } from "../table/table.js";
import { without } from "./body.js";
import { closedKeys } from "./rules.js";

/**
 * Reduces the JSON text of a stored response to what the caller may read now. A right may have been lost since, or a
 * field with files may have become private. `tables` has one table for a record, and one for each entry of `data` in a
 * batch.
 */
export function shownAgain(
  json: string,
  tables: Table<never> | readonly (Table<never> | null)[],
  caller: Caller | null,
): string {
  const { role } = caller ?? visitor;
  if ("columns" in tables) {
    const change = changeFor(tables, role);
    if (change === nothing) return json;
    const record = JSON.parse(json);
    return concerns(change, record) ? JSON.stringify(changed(change, record)) : json;
  }
  const changes = tables.map((table) => (table === null ? nothing : changeFor(table, role)));
  if (changes.every((change) => change === nothing)) return json;
  const answer: { readonly data: readonly (object | null)[] } = JSON.parse(json);
  const changeAt = (at: number) => changes[at] ?? nothing;
  // A response without anything to change is sent byte for byte.
  if (!answer.data.some((record, at) => record !== null && concerns(changeAt(at), record))) {
    return json;
  }
  const data = answer.data.map((record, at) => record && changed(changeAt(at), record));
  return JSON.stringify({ ...answer, data });
}

/** The differences between stored records and current ones. */
interface Change {
  /** The members that the role may not read; a file's details are separate from its field. */
  readonly closed: readonly string[];
  /** From former to current names: details of files whose field has become private or public since. */
  readonly renamed: ReadonlyMap<string, string>;
}

const nothing: Change = { closed: [], renamed: new Map() };

function changeFor(table: Table<never>, role: string | null): Change {
  const closed = closedKeys(table, "read", role).flatMap((key) => {
    // The field may have become a list since, or a single file.
    const details = [true, false].map((isList) => detailsKey(key, { isList }));
    return [key, ...details, ...details.map((name) => name + privateMark)];
  });
  const renamed = new Map(
    Object.entries<Column>(table.columns).flatMap(([key, column]) => {
      const open = detailsKeyOf(key, column);
      if (open === null) return [];
      const marked = open + privateMark;
      return [column.isPrivate === true ? ([open, marked] as const) : ([marked, open] as const)];
    }),
  );
  return closed.length === 0 && renamed.size === 0 ? nothing : { closed, renamed };
}

function concerns({ closed, renamed }: Change, record: object): boolean {
  return Object.keys(record).some((key) => closed.includes(key) || renamed.has(key));
}

function changed({ closed, renamed }: Change, record: object): object {
  const members = Object.entries(without(record, closed));
  return Object.fromEntries(members.map(([key, value]) => [renamed.get(key) ?? key, value]));
}
