import type { Services } from "../../own-code/index.js";
import type { Watched, WatchedRow } from "../../resource/index.js";
import type { ChangedRecords } from "./changed-records.js";

export interface RecordEvent {
  /** The number of the record's last change. */
  readonly n: number;
  readonly json: string;
}

export interface RecordEvents {
  readonly events: readonly RecordEvent[];
  /**
   * Size in bytes of the records' JSON. Beyond `maxWatchedBytes` the events lack it, and fewer changes must be read.
   */
  readonly bytes: number;
}

/**
 * Returns the events of some changes for the subscribers of one watch. The changes of a record become one event, from
 * its state before the first change to its state after the last. A subscriber may know more than its position
 * indicates: it received some of the changes before a disconnect or from another process, or its list is newer. A
 * record that ends unchanged therefore still has an event if it had other values, or was visible, in between. A record
 * that was invisible in between is sent as created.
 */
export async function recordEvents(
  { db, signFiles }: Pick<Services, "db" | "signFiles">,
  { table: { resource }, text, values }: Watched,
  { ids, firsts, lasts }: ChangedRecords,
): Promise<RecordEvents> {
  if (ids.length === 0) return { events: [], bytes: 0 };
  const rows = await db.query<WatchedRow>(text, [ids, firsts, lasts, resource, ...values]);
  const numbers = new Map(ids.map((id, place) => [id, lasts[place] ?? 0]));
  const events = rows.flatMap((row) => {
    const json = changeJson(resource, row, signFiles);
    return json === null ? [] : [{ n: numbers.get(row.id) ?? 0, json }];
  });
  return { events, bytes: rows[0]?.bytes ?? 0 };
}

/** Returns the JSON of a change; null if nothing changed that the subscriber may see. */
function changeJson(
  resource: string,
  { id, key = id, before, after, json, changed, differed }: WatchedRow,
  signFiles: (json: string) => string,
): string | null {
  if (!before && !after && !differed) return null;
  const start = `{"resource":${JSON.stringify(resource)}`;
  const shown = JSON.stringify(key);
  if (!after) return `${start},"op":"delete","id":${shown},"record":null,"changed":null}`;
  if (before && changed.length === 0 && !differed) return null;
  const op = before ? "update" : "create";
  const unnamed = before ? ["updatedAt"] : ["updatedAt", "createdAt"];
  const named = changed.filter((key) => !unnamed.includes(key));
  const record = json === null ? "null" : signFiles(json);
  return `${start},"op":"${op}","id":${shown},"record":${record},"changed":${JSON.stringify(named)}}`;
}
