import { isAllowed } from "../../http/index.js";
import { type Actor, visitor } from "../../own-code/index.js";
import { hasPolicy } from "../own-code/policy.js";
import { accountAmong } from "../rights/account.js";
import { readable } from "../rights/readable.js";
import { trashByRule } from "../rights/trashed.js";
import { rowsSeen, wholeView, withSource } from "../rights/view.js";
import type { ResourceDefinition } from "../table/definition.js";
import { columnOf, type Table } from "../table/table.js";
import { appRecord } from "./app-record.js";
import { accessOf, type Place } from "./read.js";
import { isShownByPolicy } from "./shown-by-policy.js";

/** What a caller may see of the records that hold a file: at least one, or none of them; or no record holds it. */
export type FileUse = "shown" | "hidden" | "unused";

/** Determines what the actor may see of a file's records. */
export function fileUses(
  definitions: readonly ResourceDefinition[],
): (actor: Actor, file: HeldFile & { readonly resource: string }) => Promise<FileUse> {
  const tables = new Map(definitions.map(({ table }) => [table.resource, table]));
  return async (actor, { resource, ...file }) => {
    const table = tables.get(resource);
    if (table === undefined || columnOf(table, file.field) === null) return "unused";
    if (await isFileShown({ actor, reader: accessOf(actor, table) }, table, file)) return "shown";
    return (await isFileHeld(actor, table, file)) ? "hidden" : "unused";
  };
}

/** A stored file, and the only field that may hold its key. */
export interface HeldFile {
  readonly field: string;
  readonly key: string;
}

/** The maximum number of records per file whose policy is called; hardly any file has more than one. */
const maxAsked = 100;

/** Whether a record shows the file to the caller: by the rule and the policy of `get`, and the rule of the field. */
export async function isFileShown(
  { actor, reader }: Place,
  table: Table<never>,
  { field, key }: HeldFile,
): Promise<boolean> {
  const { services } = actor;
  const caller = actor.caller ?? visitor;
  if (await isInTrashShown({ actor, reader }, table, { field, key })) return true;
  if (!isAllowed(caller, table.access.get)) return false;
  const view = readable(table, "get", caller.role);
  const column = columnOf(view, field);
  if (column === null) return false;
  const values: unknown[] = [key];
  const account = accountAmong(values, caller.accountId);
  const found = `from ${table.name} where ${column.name} = $1 and ${rowsSeen(view, account)}`;
  if (!hasPolicy(actor, table, "get")) {
    return (await reader.query(`select ${found} limit 1`, values)).length > 0;
  }
  const rows = await reader.query<{ json: string }>(
    `select ${wholeView(table).record} as json ${found} order by id limit ${maxAsked}`,
    values,
  );
  for (const { json } of rows) {
    if (await isShownByPolicy(actor, table, appRecord(services, json))) return true;
  }
  return false;
}

/** Whether a record in the trash has the file that the caller may delete. */
async function isInTrashShown(
  { actor, reader }: Place,
  table: Table<never>,
  { field, key }: HeldFile,
): Promise<boolean> {
  const caller = actor.caller ?? visitor;
  if (table.trash === undefined || !isAllowed(caller, table.access.delete)) return false;
  const view = trashByRule(table, "delete", caller.role);
  const column = columnOf(view, field);
  if (column === null) return false;
  const values: unknown[] = [key];
  const seen = rowsSeen(view, accountAmong(values, caller.accountId));
  const found = `select id from ${view.name} where ${column.name} = $1 and ${seen} limit 1`;
  return (await reader.query(withSource(view, found), values)).length > 0;
}

/** Whether any record holds the file, visible or not. */
async function isFileHeld(
  actor: Actor,
  table: Table<never>,
  { field, key }: HeldFile,
): Promise<boolean> {
  const column = columnOf(table, field);
  if (column === null) return false;
  const kept = "exists (select from service.trash where files @> array[$1::text])";
  const held = `exists (select from ${table.name} where ${column.name} = $1)`;
  const text = `select where ${held}${table.trash === undefined ? "" : ` or ${kept}`}`;
  return (await accessOf(actor, table).query(text, [key])).length > 0;
}
