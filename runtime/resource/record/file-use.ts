import { isAllowed } from "../../http/index.js";
import { type Actor, visitor } from "../../own-code/index.js";
import { sqlLiteral } from "../../values/sql/text.js";
import { hasPolicy } from "../own-code/policy.js";
import { accountAmong } from "../rights/account.js";
import { readable } from "../rights/readable.js";
import { trashByRule } from "../rights/trashed.js";
import { rowsSeen, wholeView, withSource } from "../rights/view.js";
import { hasUuids, idColumn, plainName } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";
import { kindOf } from "../table/kinds/kinds.js";
import { type Column, columnOf, type Table } from "../table/table.js";
import { appRecord } from "./app-record.js";
import { accessOf, type Place, type Reader } from "./read.js";
import { isShownByPolicy } from "./shown-by-policy.js";

/**
 * `shown`: the caller may see at least one record with the file; `hidden`: none of them; `unused`: there is no such
 * record.
 */
export type FileUse = "shown" | "hidden" | "unused";

/** Determines whether the actor may see a record that has a file. */
export function fileUses(
  definitions: readonly ResourceDefinition[],
): (actor: Actor, file: HeldFile & { readonly resource: string }) => Promise<FileUse> {
  const tables = new Map(definitions.map(({ table }) => [table.resource, table]));
  return async (actor, { resource, field, key }) => {
    const table = tables.get(resource);
    if (table === undefined || columnOf(table, field) === null) return "unused";
    const place = { actor, reader: accessOf(actor, table) };
    if ((await filesShown(place, table, { field, keys: [key] })).has(key)) return "shown";
    return (await isFileHeld(actor, table, { field, key })) ? "hidden" : "unused";
  };
}

/** A stored file, and the only field that may contain its key. */
export interface HeldFile {
  readonly field: string;
  readonly key: string;
}

interface HeldFiles {
  readonly field: string;
  readonly keys: readonly string[];
}

/** The maximum number of records per file for which a policy is called; hardly any file has more than one. */
const maxJudged = 100;

/** The maximum number of files looked up at once, and of records for which a policy is called: a list has no more. */
const maxJudgedInAll = 200;

/**
 * Returns the files that the caller may see. They belong to a record that the caller may get by access rule, policy and
 * rule of the field, or to one in the trash that the caller may delete.
 */
export async function filesShown(
  { actor, reader }: Place,
  table: Table<never>,
  { field, keys }: HeldFiles,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const shown = await shownInTrash({ actor, reader }, table, { field, keys });
  const caller = actor.caller ?? visitor;
  if (!isAllowed(caller, table.access.get)) return shown;
  const view = readable(table, "get", caller.role);
  const column = columnOf(view, field);
  if (column === null) return shown;
  const values: unknown[] = [keys];
  const account = accountAmong(values, caller.accountId);
  const found = `from ${table.name} where ${holds(table, column, "_file.key")} and ${rowsSeen(view, account)}`;
  if (!hasPolicy(actor, table, "get")) {
    const rows = await reader.query<{ key: string }>(
      `select _file.key from unnest($1::text[]) as _file (key) where exists (select ${found})`,
      values,
    );
    for (const { key } of rows) shown.add(key);
    return shown;
  }
  const others = keys.filter((key) => !shown.has(key));
  for (let at = 0; at < others.length; at += maxJudgedInAll) {
    const some = others.slice(at, at + maxJudgedInAll);
    for (const { json, held } of await holders(reader, table, { found, values, keys: some })) {
      if (held.every((key) => shown.has(key))) continue;
      if (!(await isShownByPolicy(actor, table, appRecord(actor.services, json)))) continue;
      for (const key of held) shown.add(key);
    }
  }
  return shown;
}

interface Holder {
  readonly json: string;
  /** The requested files that the record has. */
  readonly held: readonly string[];
}

/** Finds the records that have the files, at least the first one for each file; `found` is the SQL for one file. */
function holders(
  reader: Reader,
  table: Table<never>,
  { found, values, keys }: Pick<HeldFiles, "keys"> & { found: string; values: readonly unknown[] },
): Promise<readonly Holder[]> {
  const id = idColumn(table);
  return reader.query<Holder>(
    `with _held as materialized (
       select _file.key, _record.${id}
       from unnest($1::text[]) as _file (key)
       cross join lateral (
         select ${id}, row_number() over (order by ${id}) as place ${found} order by ${id} limit ${maxJudged}
       ) as _record
       order by _record.place
       limit ${maxJudgedInAll}
     )
     select
       ${wholeView(table).record} as json,
       array(select key from _held where _held.${id} = ${table.name}.${id}) as held
     from ${table.name}
     where ${id} in (select ${id} from _held)
     order by ${id}`,
    [keys, ...values.slice(1)],
  );
}

/** Finds files of records in the trash that the caller may delete. */
async function shownInTrash(
  { actor, reader }: Place,
  table: Table<never>,
  { field, keys }: HeldFiles,
): Promise<Set<string>> {
  const caller = actor.caller ?? visitor;
  if (table.trash === undefined || !isAllowed(caller, table.access.delete)) return new Set();
  const view = trashByRule(table, "delete", caller.role);
  const column = columnOf(view, field);
  if (column === null) return new Set();
  const values: unknown[] = [keys];
  const seen = rowsSeen(view, accountAmong(values, caller.accountId));
  const { entries: _, ...kept } = column;
  const found = `select _file.key from unnest($1::text[]) as _file (key) where exists (
    select from service.trash as _kept
    join ${view.name} on ${view.name}.${hasUuids(table) ? idColumn(table) : "_kept"} = _kept.id
    where _kept.table_name = ${sqlLiteral(plainName(table))} and _kept.files @> array[_file.key]
      and ${holds(view, kept, "_file.key")} and ${seen}
  )`;
  const rows = await reader.query<{ key: string }>(withSource(view, found), values);
  return new Set(rows.map(({ key }) => key));
}

/** SQL that is true for a row that has the file with this key, given as SQL. */
export function holds(
  { name: table }: { readonly name: string },
  { name, kind, entries }: Column,
  key: string,
): string {
  if (!kindOf({ kind }).isList) return `${table}.${name} = ${key}`;
  if (entries === undefined) return `${key} = any (${table}.${name})`;
  return `exists (select from ${entries.table} as _entry where _entry.target_id = ${key} and _entry.record_id = ${table}.id)`;
}

/** Whether any record has the file, visible or not. */
async function isFileHeld(
  actor: Actor,
  table: Table<never>,
  { field, key }: HeldFile,
): Promise<boolean> {
  const column = columnOf(table, field);
  if (column === null) return false;
  const kept = "exists (select from service.trash where files @> array[$1::text])";
  const held = `exists (select from ${table.name} where ${holds(table, column, "$1")})`;
  const text = `select where ${held}${table.trash === undefined ? "" : ` or ${kept}`}`;
  return (await accessOf(actor, table).query(text, [key])).length > 0;
}
