import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { appRecord } from "../record/app-record.js";
import { findRecord, type Place, wholeRecord } from "../record/read.js";
import { isShownByPolicy } from "../record/shown-by-policy.js";
import { type StoredRecord, tagOf } from "../record/tag.js";
import { idColumn, idEquals } from "../table/column-keys.js";
import type { Change, Delete } from "./operation.js";

/** Locks the record, so that it cannot change between app code and the write. */
export async function lockedRecord(place: Place, write: Change | Delete): Promise<StoredRecord> {
  await lock(place.reader, write);
  const record = await matchingRecord(place, write);
  return { ...record, json: await wholeRecord(place.reader, write, record.json) };
}

/**
 * Returns the stored record. 404 (or 403) if the caller may not write it, 412 if it does not match the precondition.
 */
export async function matchingRecord(place: Place, write: Change | Delete): Promise<StoredRecord> {
  const { id, ifMatch } = write;
  const record = (await findRecord(place.reader, write, id)) ?? (await refuseMissing(place, write));
  if (ifMatch !== null && !ifMatch.includes(tagOf(record))) refuse("CHANGED");
  return record;
}

/** Throws a 403 if the caller may read the record but a condition prevents the write, otherwise a 404. */
async function refuseMissing(
  { actor, reader }: Place,
  { view: { got }, table, account, id }: Change | Delete,
): Promise<never> {
  if (got === undefined) return refuse("NOT_FOUND");
  const record = await findRecord(reader, { view: got, account }, id);
  if (record === null) return refuse("NOT_FOUND");
  const whole = await wholeRecord(reader, { view: got, id }, record.json);
  const isSeen = await isShownByPolicy(actor, table, appRecord(actor.services, whole));
  return refuse(isSeen ? "FORBIDDEN" : "NOT_FOUND");
}

/**
 * Locks the record. It is read by a later statement, because one that waited for the lock may not see every earlier
 * change.
 */
async function lock({ query }: Queryable, { table, id, kind }: Change | Delete): Promise<void> {
  // Writes that only link to the record need not wait for its update.
  const strength = kind === "delete" ? "update" : "no key update";
  const rows = await query(
    `select ${idColumn(table)} from ${table.name} where ${idEquals(table, "$1")} for ${strength}`,
    [id],
  );
  if (rows.length === 0) refuse("NOT_FOUND");
}
