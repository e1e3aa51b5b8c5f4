import type { Queryable } from "../../../db/index.js";
import { pruneExpired } from "../../pruning.js";

export interface EmailChange {
  readonly accountId: string;
  /** The new address, normalized. */
  readonly email: string;
  readonly codeDigest: Buffer;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** A change that has not expired; its guesses may be used up. */
export interface PendingChange extends EmailChange {
  readonly guesses: number;
}

/** Replaces the pending change of an account, and occasionally deletes expired ones. */
export async function upsertChange(
  db: Queryable,
  { accountId, email, codeDigest, tokenHash, expiresAt }: EmailChange,
): Promise<void> {
  await db.query(
    `insert into service.email_changes (user_id, email, code_digest, token_hash, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (user_id) do update
     set email = excluded.email,
         code_digest = excluded.code_digest,
         token_hash = excluded.token_hash,
         tries = 0,
         expires_at = excluded.expires_at`,
    [accountId, email, codeDigest, tokenHash, expiresAt],
  );
  await pruneExpired(db, "service.email_changes");
}

/** The pending change of an account; null if there is none, or it has expired. */
export async function findChange(
  db: Queryable,
  { accountId, now }: { readonly accountId: string; readonly now: Date },
): Promise<PendingChange | null> {
  const rows = await db.query<PendingChange>(
    `select user_id as "accountId", email, code_digest as "codeDigest", token_hash as "tokenHash",
       tries as guesses, expires_at as "expiresAt"
     from service.email_changes
     where user_id = $1
       and expires_at > $2`,
    [accountId, now],
  );
  return rows[0] ?? null;
}

/** The account whose change a link completes; null for a link that is spent, expired, replaced or unknown. */
export async function findAccountOfLink(
  db: Queryable,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
): Promise<string | null> {
  const rows = await db.query<{ accountId: string }>(
    `select user_id as "accountId"
     from service.email_changes
     where token_hash = $1
       and expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0]?.accountId ?? null;
}

/** Counts a wrong guess at an account's code. The account must be locked. */
export async function countGuess(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("update service.email_changes set tries = tries + 1 where user_id = $1", [
    accountId,
  ]);
}
