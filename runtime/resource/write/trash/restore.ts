import { refuse } from "../../../errors/index.js";
import { hasHook, runBefore } from "../../hooks/run.js";
import { appRecord } from "../../record/app-record.js";
import { type Place, storedRecord } from "../../record/read.js";
import { plainTrash } from "../../rights/trashed.js";
import { withSource } from "../../rights/view.js";
import { writerBy, writerSet } from "../../rights/writer.js";
import { creationOrder, idColumn, idIn, plainName, shownId } from "../../table/column-keys.js";
import type { Table } from "../../table/table.js";
import type { Restore, Written } from "../operation.js";
import { checkDeleted, lockMarked } from "./deleted-record.js";
import { type Refused, refuseRestore } from "./refused.js";
import { tableNamed } from "./tables.js";

/** Locks the records that were deleted together, checks them, and runs their hooks; returns their mark. */
export async function prepareRestore(place: Place, write: Restore): Promise<string> {
  const { table, id } = write;
  const { mark, root } = await lockMarked(place.reader, table, id);
  await checkDeleted(place, write);
  if (root !== null && (root.id !== id || root.table !== plainName(table))) {
    const resource = tableNamed(table, root.table)?.resource ?? root.table;
    const error = "The record was deleted with another one: restore that one";
    refuse("REFUSED", { error, record: { resource, id: root.id } });
  }
  for (const one of [table, ...(table.cascades ?? []).map((cascade) => cascade.table())]) {
    await runHooks(place, one, mark);
  }
  return mark;
}

/** Maximum number of records of each resource whose hooks run in a restore: all are held in memory. */
const maxRecords = 10_000;

async function runHooks(
  { actor, reader }: Place,
  table: Table<never>,
  mark: string,
): Promise<void> {
  if (!hasHook(actor, table, "beforeRestore")) return;
  const view = plainTrash(table);
  const rows = await reader.query<{ id: string; json: string }>(
    withSource(
      view,
      `select ${shownId(table)}, ${view.record} as json
       from ${view.name}
       where ${idColumn(table)} in (
         select ${idIn(table, "_marked")} from service.trash as _marked where mark = $1 and table_name = $2
       )
       order by ${creationOrder(view)}
       limit ${maxRecords + 1}`,
    ),
    [mark, plainName(table)],
  );
  if (rows.length > maxRecords) refuse("REFUSED", { error: tooMany });
  for (const { id, json } of rows) {
    const record = appRecord(actor.services, json);
    await runBefore(actor, { hook: "beforeRestore", table, id }, record);
  }
}

const tooMany = `More than ${maxRecords} records would be restored, too many to run the hook of each`;

/** Restores all rows with the mark, or none if one of them cannot be stored. */
export async function storeRestore(
  { actor, reader }: Place,
  write: Restore,
  mark: string,
): Promise<Written> {
  await reader.query(`select ${writerSet("$1")}`, [writerBy(actor, write)]);
  const [row] = await reader.query<{ refused: string | null }>(
    "select service.restore_trash($1)::text as refused",
    [mark],
  );
  const refused = row?.refused ?? null;
  if (refused !== null) {
    await refuseRestore(reader, write.table, JSON.parse(refused) as Refused);
  }
  return { id: write.id, record: await storedRecord(reader, write, write.id) };
}
