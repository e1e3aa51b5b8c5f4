import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { type Reader, storedRecord } from "../record/read.js";
import { type StoredRecord, tagOf } from "../record/tag.js";
import type { Change, Delete, Write } from "./operation.js";

/** Locks the record, so that nobody changes it between the decision of own code and the write. */
export async function lockedRecord(reader: Reader, write: Change | Delete): Promise<StoredRecord> {
  await lock(reader, write);
  return wholeRecord(reader, write, await matchingRecord(reader, write));
}

/** The record with the fields that the caller does not see: own code always gets whole records. */
export async function wholeRecord(
  reader: Reader,
  { table, id }: Pick<Write, "table" | "id">,
  seen: StoredRecord,
): Promise<StoredRecord> {
  if (table.whole === undefined) return seen;
  const text = `select ${table.whole} as json, xmin::text as version from ${table.name} where id = $1`;
  const [row] = await reader.query<StoredRecord>(text, [id]);
  return row ?? refuse("NOT_FOUND");
}

/** The stored record; 404 when there is none, 412 when it does not fulfil the precondition. */
export async function matchingRecord(
  reader: Reader,
  { table, id, ifMatch }: Change | Delete,
): Promise<StoredRecord> {
  const record = await storedRecord(reader, table, id);
  if (ifMatch !== null && !ifMatch.includes(tagOf(record))) refuse("CHANGED");
  return record;
}

/** The record is read afterwards: a statement that waited for the lock does not see every earlier change. */
async function lock({ query }: Queryable, { table, id, kind }: Change | Delete): Promise<void> {
  // Writers that only link to the record need not wait for its update.
  const strength = kind === "delete" ? "update" : "no key update";
  const rows = await query(`select id from ${table.name} where id = $1 for ${strength}`, [id]);
  if (rows.length === 0) refuse("NOT_FOUND");
}
