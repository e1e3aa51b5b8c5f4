import type { Queryable } from "../../db/index.js";
import { graceSeconds, maxTokens } from "./rules.js";

/** The grant of an access token that has not expired; null if there is none. */
export async function findGrantOfAccess(
  tx: Queryable,
  tokenHash: Buffer,
): Promise<{ readonly id: string; readonly clientId: string } | null> {
  const rows = await tx.query<{ id: string; clientId: string }>(
    `select g.id, g.client_id as "clientId"
     from service.app_tokens t
     join service.app_grants g on g.id = t.grant_id
     where t.token_hash = $1
       and t.kind = 'access'`,
    [tokenHash],
  );
  return rows[0] ?? null;
}

export async function deleteToken(tx: Queryable, tokenHash: Buffer): Promise<void> {
  await tx.query("delete from service.app_tokens where token_hash = $1", [tokenHash]);
}

/** The new tokens of a grant, one of each kind. */
export interface NewTokens {
  readonly grantId: string;
  readonly accessHash: Buffer;
  readonly accessEnd: Date;
  readonly refreshHash: Buffer;
  readonly refreshEnd: Date;
  readonly now: Date;
}

export async function insertTokens(tx: Queryable, tokens: NewTokens): Promise<void> {
  await tx.query(
    `insert into service.app_tokens (token_hash, grant_id, kind, created_at, expires_at)
     values ($1, $5, 'access', $6, $2), ($3, $5, 'refresh', $6, $4)`,
    [
      tokens.accessHash,
      tokens.accessEnd,
      tokens.refreshHash,
      tokens.refreshEnd,
      tokens.grantId,
      tokens.now,
    ],
  );
}

/**
 * Deletes the expired and used tokens of a grant, and all but the newest hundred of each kind. Reuse of a deleted
 * refresh token is still detected, from its first half.
 */
export async function deleteOldTokens(tx: Queryable, grantId: string, now: Date): Promise<void> {
  await tx.query(
    `delete from service.app_tokens
     where token_hash in (
       select token_hash
       from (
         select token_hash, expires_at, used_at,
           row_number() over (partition by kind order by created_at desc, token_hash) as place
         from service.app_tokens
         where grant_id = $1
       ) token
       where expires_at <= $2
         or used_at <= $2::timestamptz - interval '${graceSeconds} seconds'
         or place > ${maxTokens}
     )`,
    [grantId, now],
  );
}

/**
 * Marks a refresh token as used. Returns `reused` if the grace period since its first use is over, or if it is no
 * longer stored. The grant must be locked.
 */
export async function useRefreshToken(
  tx: Queryable,
  { tokenHash, grantId, now }: { tokenHash: Buffer; grantId: string; now: Date },
): Promise<"used" | "reused" | "expired"> {
  const rows = await tx.query<{ isLate: boolean; isExpired: boolean }>(
    `update service.app_tokens
     set used_at = coalesce(used_at, $3)
     where token_hash = $1
       and grant_id = $2
       and kind = 'refresh'
     returning used_at <= $3::timestamptz - interval '${graceSeconds} seconds' as "isLate",
       expires_at <= $3 as "isExpired"`,
    [tokenHash, grantId, now],
  );
  const [found] = rows;
  if (found === undefined || found.isLate) return "reused";
  return found.isExpired ? "expired" : "used";
}
