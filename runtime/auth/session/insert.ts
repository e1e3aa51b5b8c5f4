import type { Queryable } from "../../db/index.js";
import { type AccountEvent, pruneEvents, recordedPart, recordedValues } from "../event/record.js";
import { expiredRows, isPruningDue, prune } from "../pruning.js";

export interface NewSession {
  readonly id: string;
  readonly accountId: string;
  /** The account's generation when it was read. */
  readonly generation: number;
  readonly tokenHash: Buffer;
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
  readonly proofs: readonly string[];
  readonly now: Date;
  /** `infinity` for service tokens only. */
  readonly expiresAt: Date | "infinity";
}

/** Maximum number of an account's sessions that are counted when one is added. */
export const countedSessions = 50;

export type SessionEvent = Omit<AccountEvent, "accountId">;

/**
 * Adds a session with its event, and occasionally deletes expired sessions and old events. Returns the number of the
 * account's other sessions: at most `countedSessions`, without those that are being added concurrently. Adds nothing
 * and returns null if the account is disabled or has another generation. The lock waits for a transaction that is
 * changing the account, and prevents changes until the session is visible.
 */
export async function insertSession(
  db: Queryable,
  session: NewSession,
  event: SessionEvent,
): Promise<number | null> {
  const rows = await db.query<{ others: number }>(
    `with account as (
       select id
       from service.users
       where id = $2
         and generation = $10
         and disabled_at is null
       for no key update
     ), ${recordedPart("account", 11)}, other as (
       select 1
       from service.sessions
       where user_id = $2
       limit ${countedSessions}
     )
     insert into service.sessions
       (id, user_id, token_hash, name, browser, ip_address, proofs, created_at, last_used_at, expires_at)
     select $1, account.id, $3, $4, $5, $6, $7, $8, $8, $9
     from account
     returning (select count(*)::int from other) as others`,
    [
      session.id,
      session.accountId,
      session.tokenHash,
      session.name,
      session.browser,
      session.ipAddress,
      session.proofs,
      session.now,
      session.expiresAt,
      session.generation,
      ...recordedValues(event, session.now),
    ],
  );
  if (isPruningDue()) {
    await prune(db, expiredRows("service.sessions"));
    await pruneEvents(db);
  }
  return rows[0]?.others ?? null;
}
