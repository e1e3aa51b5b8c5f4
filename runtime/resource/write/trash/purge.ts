import type { Queryable } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { Place, Reader } from "../../record/read.js";
import { writerSet } from "../../rights/writer.js";
import { hasUuids, idEquals, keptId, plainName } from "../../table/column-keys.js";
import type { Delete } from "../operation.js";
import { checkDeleted, lockIfMarked } from "./deleted-record.js";

/** A permanent delete of a record in the trash. */
export type Purge = Delete & Required<Pick<Delete, "trashed">>;

/**
 * Turns the delete of a record in the trash into a permanent one; null if the record is live. Locks the record, and if
 * it is in the trash, everything that was deleted with it. Waits for concurrent requests, which may move the record to
 * the trash or restore it.
 */
export async function purgeOfTrashed(reader: Reader, write: Delete): Promise<Purge | null> {
  const { table, id, trashed } = write;
  if (trashed === undefined) return null;
  for (let round = 0; round < maxRounds; round += 1) {
    const living = await reader.query(
      `select from ${table.name} where ${idEquals(table, "$1")} for update`,
      [id],
    );
    if (living.length > 0) return null;
    if ((await lockIfMarked(reader, table, id)) !== null) break;
  }
  return { ...write, trashed };
}

/**
 * Maximum number of searches in both the table and the trash: a record is in neither only while another request moves
 * it.
 */
const maxRounds = 2;

/** Checks a permanent delete of a record in the trash. Such a record has no ETag, so every `If-Match` fails. */
export async function preparePurge(place: Place, write: Purge): Promise<void> {
  await checkDeleted(place, write);
  if (write.ifMatch !== null) refuse("CHANGED");
}

/** Deletes the record from the trash, with everything in the trash that belongs to it. */
export async function storePurge(
  { query }: Queryable,
  { table, id }: Delete,
  by: string | null,
): Promise<void> {
  const key = `$1::text || ${keptId(table, hasUuids(table) ? "$2::uuid" : "$2")}`;
  const text = `select service.empty_trash(array[${key}]), ${writerSet("$3")}`;
  await query(text, [`${plainName(table)}/`, id, by]);
}

/** Runs the work; rows that it deletes do not go to the trash. */
export async function skippingTrash<T>(
  { query }: Queryable,
  { trashed }: Delete,
  work: () => Promise<T>,
): Promise<T> {
  if (trashed === undefined) return work();
  await query("select set_config('service.trash', 'skip', true)");
  const done = await work();
  await query("select set_config('service.trash', '', true)");
  return done;
}
