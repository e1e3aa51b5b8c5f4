import { refuse } from "../../../errors/index.js";
import { checkWritePolicy } from "../../own-code/policy.js";
import { appRecord } from "../../record/app-record.js";
import { isHiddenInTrash } from "../../record/hidden-in-trash.js";
import { findRecord, type Place, type Reader } from "../../record/read.js";
import { plainTrash } from "../../rights/trashed.js";
import { keptId, plainName } from "../../table/column-keys.js";
import { purgeRule } from "../../table/rule.js";
import type { Table } from "../../table/table.js";
import { callerToCheck } from "../make.js";
import type { Delete, Restore } from "../operation.js";

/** A record in the trash, and the record whose deletion also deleted it. */
export interface Marked {
  readonly mark: string;
  /**
   * The unquoted table name and the id of the record whose deletion moved this one to the trash; null if it is no
   * longer there.
   */
  readonly root: { readonly table: string; readonly id: string } | null;
}

/** Locks the record and everything that was deleted with it; 404 if it is not in the trash. */
export async function lockMarked(reader: Reader, table: Table<never>, id: string): Promise<Marked> {
  return (await lockIfMarked(reader, table, id)) ?? refuse("NOT_FOUND");
}

/**
 * Locks the record and everything that was deleted with it; null if it is not in the trash. Locks on several records in
 * the trash are always taken in this order, so that they cannot deadlock.
 */
export async function lockIfMarked(
  reader: Reader,
  table: Table<never>,
  id: string,
): Promise<Marked | null> {
  const name = plainName(table);
  const rows = await reader.query<{ mark: string; table: string; id: string; isRoot: boolean }>(
    `with _marked as materialized (
       select mark, table_name, id, key, is_root
       from service.trash
       where mark = (select mark from service.trash where table_name = $1 and id = ${keptId(table, "$2")})
       order by table_name, id
       for update
     )
     select mark, table_name as table, coalesce(key, id::text) as id, is_root as "isRoot"
     from _marked
     where is_root or (table_name = $1 and id = ${keptId(table, "$2")})`,
    [name, id],
  );
  const own = rows.find((row) => row.table === name && row.id === id);
  if (own === undefined) return null;
  return { mark: own.mark, root: rows.find(({ isRoot }) => isRoot) ?? null };
}

/**
 * 404 (or 403) unless the caller could have deleted the record in its stored state; 403 if the `delete` policy refuses.
 */
export async function checkDeleted(
  { actor, reader }: Place,
  { kind, table, id, account, trashed: view }: (Delete | Restore) & Pick<Restore, "trashed">,
): Promise<void> {
  if ((await findRecord(reader, { view, account }, id)) === null) {
    const rule = kind === "restore" ? table.access.delete : purgeRule(table);
    const hidden = { table, rule, caller: callerToCheck(actor), id };
    refuse((await isHiddenInTrash({ actor, reader }, hidden)) ? "FORBIDDEN" : "NOT_FOUND");
  }
  const whole = { view: plainTrash(table), account: null };
  const { json } = (await findRecord(reader, whole, id)) ?? refuse("NOT_FOUND");
  const record = appRecord(actor.services, json);
  await checkWritePolicy(actor, table, { action: "delete", id, record });
}
