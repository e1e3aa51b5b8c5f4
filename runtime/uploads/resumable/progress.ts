import type { Queryable } from "../../db/index.js";
import type { FileDetails } from "../objects/details.js";
import type { Kept } from "../storage/growing/growing.js";
import type { Judged } from "./judge.js";

export interface Progress {
  readonly kept: Kept;
  readonly judged: Judged | null;
  readonly hours: number;
}

/** A request's turn, in which it may change an upload. */
interface UploadTurn {
  readonly id: string;
  readonly turn: number;
}

/** Records the stored bytes; returns null if the turn has ended. */
export async function recordProgress(
  db: Queryable,
  { id, turn }: UploadTurn,
  { kept, judged, hours }: Progress,
): Promise<Date | null> {
  const [row] = await db.query<{ expiresAt: Date }>(
    `update service.resumable_uploads
     set size = $3, parts = $4, judged = $5, beat_at = now(),
       expires_at = now() + make_interval(hours => $6)
     where id = $1 and held = $2
     returning expires_at as "expiresAt"`,
    [id, turn, kept.size, jsonOf(kept.parts), jsonOf(judged), hours],
  );
  return row?.expiresAt ?? null;
}

/** Records the completion of an upload; returns false if the turn has ended. */
export async function recordDone(
  db: Queryable,
  { id, turn }: UploadTurn,
  details: FileDetails,
): Promise<boolean> {
  const rows = await db.query(
    `update service.resumable_uploads
     set state = 'done', details = $3, parts = null, judged = null
     where id = $1 and held = $2
     returning id`,
    [id, turn, JSON.stringify(details)],
  );
  return rows.length > 0;
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
