import type { Queryable } from "../../db/index.js";
import type { FileDetails } from "../objects/details.js";
import type { Parts } from "../storage/growing/growing.js";
import type { Judged } from "./judge.js";

export interface Resumable {
  readonly id: string;
  readonly resource: string;
  readonly field: string;
  /** The key under which the upload's bytes are collected. */
  readonly key: string;
  readonly isPrivate: boolean;
  readonly name: string;
  readonly contentType: string | null;
  /** `Upload-Metadata` as sent. */
  readonly metadata: string;
  readonly length: number;
  readonly size: number;
  readonly parts: Parts | null;
  readonly judged: Judged | null;
  readonly state: "open" | "done" | "refused";
  readonly details: FileDetails | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly expiresAt: Date;
}

const columns = `id, resource, field, key, is_private as "isPrivate", name,
  content_type as "contentType", metadata, length::float8 as length, size::float8 as size, parts, judged,
  state, details, status, error, expires_at as "expiresAt"`;

/** Identifies an upload and its sender. */
export interface Wanted {
  readonly id: string;
  readonly sender: string;
  readonly resource: string;
  readonly field: string;
}

const ofSender = `id = $1 and sender = $2 and resource = $3 and field = $4 and expires_at > now()`;

function wantedValues({ id, sender, resource, field }: Wanted): readonly unknown[] {
  return [id, sender, resource, field];
}

export type NewResumable = Pick<
  Resumable,
  "id" | "resource" | "field" | "key" | "isPrivate" | "name" | "contentType" | "metadata" | "length"
> & { readonly sender: string; readonly hours: number };

/** The declared sizes of the account's open uploads. */
export async function pendingOf(
  db: Queryable,
  sender: string,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const [row] = await db.query<{ count: number; bytes: number }>(
    `select count(*)::int as count, coalesce(sum(length), 0)::float8 as bytes
     from service.resumable_uploads
     where sender = $1 and state = 'open' and expires_at > now()`,
    [sender],
  );
  return row ?? { count: 0, bytes: 0 };
}

export async function insertResumable(db: Queryable, made: NewResumable): Promise<Date> {
  const { id, resource, field, sender, key, isPrivate, name, contentType, metadata } = made;
  const rows = await db.query<{ expiresAt: Date }>(
    `insert into service.resumable_uploads
       (id, resource, field, sender, key, is_private, name, content_type, metadata, length, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(hours => $11))
     returning expires_at as "expiresAt"`,
    [
      id,
      resource,
      field,
      sender,
      key,
      isPrivate,
      name,
      contentType,
      metadata,
      made.length,
      made.hours,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("an upload was not recorded");
  return row.expiresAt;
}

export async function findResumable(db: Queryable, wanted: Wanted): Promise<Resumable | null> {
  const [row] = await db.query<Resumable>(
    `select ${columns} from service.resumable_uploads where ${ofSender}`,
    wantedValues(wanted),
  );
  return row ?? null;
}

/** Seconds without a heartbeat after which a request has lost the turn. */
export const deadAfter = 9;

const isFree = `(held is null or beat_at < now() - make_interval(secs => ${deadAfter}))`;

/**
 * Ends the current turn, and returns the number of a new one that no request takes. Null if there is no such upload.
 */
export async function endTurns(db: Queryable, wanted: Wanted): Promise<number | null> {
  const [row] = await db.query<{ turn: number }>(
    `update service.resumable_uploads set turn = turn + 1 where ${ofSender} returning turn`,
    wantedValues(wanted),
  );
  return row?.turn ?? null;
}

/** A requested turn; `upload` is null if it has not begun yet. */
export interface TurnRequest {
  readonly turn: number;
  readonly upload: Resumable | null;
}

/**
 * Requests the next turn, which tells the current one to end, and takes it if it is free. Null if there is no such
 * upload.
 */
export async function askForTurn(db: Queryable, wanted: Wanted): Promise<TurnRequest | null> {
  const [row] = await db.query<Resumable & { turn: number; held: number | null }>(
    `update service.resumable_uploads
     set turn = turn + 1,
       held = case when ${isFree} then turn + 1 else held end,
       beat_at = case when ${isFree} then now() else beat_at end
     where ${ofSender}
     returning turn, held, ${columns}`,
    wantedValues(wanted),
  );
  if (row === undefined) return null;
  return { turn: row.turn, upload: row.held === row.turn ? row : null };
}

/** Takes the turn if it is free now; otherwise null. Returns `overtaken` if a later request is waiting for it. */
export async function takeTurn(
  db: Queryable,
  id: string,
  turn: number,
): Promise<Resumable | "overtaken" | "gone" | null> {
  const [taken] = await db.query<Resumable>(
    `update service.resumable_uploads
     set held = turn, beat_at = now()
     where id = $1 and turn = $2 and ${isFree}
     returning ${columns}`,
    [id, turn],
  );
  if (taken !== undefined) return taken;
  const [row] = await db.query<{ turn: number }>(
    "select turn from service.resumable_uploads where id = $1",
    [id],
  );
  if (row === undefined) return "gone";
  return row.turn === turn ? null : "overtaken";
}

/** The upload once no earlier request appends bytes; null while one does. */
export async function findAtRest(
  db: Queryable,
  wanted: Wanted,
  turn: number,
): Promise<Resumable | "gone" | null> {
  const [row] = await db.query<Resumable & { isAtRest: boolean }>(
    `select ${columns}, (${isFree} or held > $5) as "isAtRest"
     from service.resumable_uploads
     where ${ofSender}`,
    [...wantedValues(wanted), turn],
  );
  if (row === undefined) return "gone";
  return row.isAtRest ? row : null;
}

/** Renews the request's turn; returns false if a later request wants it. */
export async function renewTurn(db: Queryable, id: string, turn: number): Promise<boolean> {
  const rows = await db.query(
    `update service.resumable_uploads
     set beat_at = now()
     where id = $1 and held = $2 and turn = $2
     returning id`,
    [id, turn],
  );
  return rows.length > 0;
}

export async function releaseTurn(db: Queryable, id: string, turn: number): Promise<void> {
  await db.query("update service.resumable_uploads set held = null where id = $1 and held = $2", [
    id,
    turn,
  ]);
}

/** Records the object that an upload is about to become; may be repeated: see `announceObjects`. */
export async function announceAgain(
  db: Queryable,
  { key, isPrivate }: Pick<Resumable, "key" | "isPrivate">,
): Promise<void> {
  await db.query(
    `insert into service.stored_objects as stored (key, unused_since, is_private)
     values ($1, now(), $2)
     on conflict (key) do update set unused_since = now() where stored.upload_key is null`,
    [key, isPrivate],
  );
}
