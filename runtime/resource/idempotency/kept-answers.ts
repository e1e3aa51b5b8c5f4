import { type Access, lockClasses, type Queryable } from "../../db/index.js";
import type { Answer } from "../../http/index.js";
import type { KeyedRequest } from "./key.js";

/** The lifetime by PostgreSQL's clock, which all servers share. */
const keptFor = "interval '24 hours'";

export interface KeptAnswer {
  readonly request: Buffer;
  readonly status: number;
  /** Null if the response had no body, or if its body was dropped; see `isDropped`. */
  readonly body: string | null;
  /** For a batch, the data from which a dropped body is recreated; null if it was dropped too. */
  readonly outcomes: string | null;
  readonly location: string | null;
  readonly etag: string | null;
}

/** The stored outcome of an earlier request. */
export interface Repeated {
  readonly kept: KeptAnswer;
}

export interface KeyedAnswer extends Answer {
  /** Data stored in addition to the body; either may be dropped first. */
  readonly outcomes?: string;
}

/** Whether the response had a body that is no longer stored: only the response to a delete has none. */
export function isDropped({ status, body }: KeptAnswer): boolean {
  return body === null && status !== 204;
}

/** Finds the stored response of this key; null if there is none or it has expired. */
export async function findAnswer(
  db: Pick<Access, "read">,
  { accountId, key }: KeyedRequest,
): Promise<KeptAnswer | null> {
  const [kept] = await db.read<KeptAnswer>({
    text: `select request, status, body, outcomes, location, etag
     from service.kept_answers
     where account_id = $1 and key = $2 and kept_at > now() - ${keptFor}`,
    values: [accountId, key],
    cost: "key",
  });
  return kept ?? null;
}

/**
 * Waits until the synchronous standbys, if any, have this response: its own commit may have stopped waiting. A row lock
 * is written to PostgreSQL's WAL after the response, and its commit waits like that of every write.
 *
 * @throws {NotConfirmed}
 */
export async function confirmAnswer(
  db: Pick<Access, "query">,
  { accountId, key }: KeyedRequest,
): Promise<void> {
  await db.query(
    `select status
     from service.kept_answers
     where account_id = $1 and key = $2
     for share`,
    [accountId, key],
  );
}

/** Claims the key until the transaction ends; returns false if another transaction has it. Never waits. */
export async function claimKey(tx: Queryable, { accountId, key }: KeyedRequest): Promise<boolean> {
  const [row] = await tx.query<{ claimed: boolean }>(
    "select pg_try_advisory_xact_lock($1, hashtext($2 || ' ' || $3)) as claimed",
    [lockClasses.keyedRequest, accountId, key],
  );
  return row?.claimed === true;
}

/** Stores a response in the transaction of its write; returns false if one is already stored. */
export async function keepAnswer(
  tx: Queryable,
  { accountId, key, digest }: KeyedRequest,
  { status, json, headers, outcomes }: KeyedAnswer,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into service.kept_answers (account_id, key, request, status, body, location, etag, outcomes)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (account_id, key) do update
     set
       request = excluded.request,
       status = excluded.status,
       body = excluded.body,
       location = excluded.location,
       etag = excluded.etag,
       outcomes = excluded.outcomes,
       kept_at = excluded.kept_at
     where kept_answers.kept_at <= now() - ${keptFor}
     returning status`,
    [
      accountId,
      key,
      digest,
      status,
      json,
      headers?.location ?? null,
      headers?.etag ?? null,
      outcomes ?? null,
    ],
  );
  return rows.length > 0;
}

/** Deletes up to `max` expired responses; returns their number. Several servers may call it concurrently. */
export async function deleteOldAnswers(db: Queryable, max: number): Promise<number> {
  const rows = await db.query(
    `delete from service.kept_answers
     where (account_id, key) in (
       select account_id, key
       from service.kept_answers
       where kept_at <= now() - ${keptFor}
       order by kept_at
       limit $1
       for update skip locked
     )
     returning status`,
    [max],
  );
  return rows.length;
}
