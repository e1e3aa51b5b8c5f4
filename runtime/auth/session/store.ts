import type { Queryable } from "../../db/index.js";

/** One signed-in device. */
export interface NewSession {
  readonly id: string;
  readonly accountId: string;
  readonly tokenHash: Buffer;
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
  readonly proofs: readonly string[];
  readonly now: Date;
  readonly expiresAt: Date;
}

/** What a token leads to. */
export interface FoundSession {
  readonly sessionId: string;
  readonly accountId: string;
  readonly role: string | null;
  readonly lastUsedAt: Date;
}

/** Adds a session and takes up to ten expired ones away, so that they never pile up. */
export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.query(
    `with expired as (
       select id
       from service.sessions
       where expires_at <= $8
       order by expires_at
       limit 10
       for update skip locked
     ), removed as (
       delete from service.sessions
       where id in (select id from expired)
     )
     insert into service.sessions
       (id, user_id, token_hash, name, browser, ip_address, proofs, created_at, last_used_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
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
    ],
  );
}

/** The session of a token that has not expired, of an account that is not disabled. */
export async function findSession(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundSession | null> {
  const rows = await db.query<FoundSession>(
    `select s.id as "sessionId", s.user_id as "accountId", u.role, s.last_used_at as "lastUsedAt"
     from service.sessions s
     join service.users u on u.id = s.user_id
     where s.token_hash = $1
       and s.expires_at > $2
       and u.disabled_at is null`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

export async function touchSession(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(
    `update service.sessions
     set last_used_at = $2
     where id = $1
       and last_used_at < $2`,
    [id, now],
  );
}

export async function deleteSession(db: Queryable, id: string): Promise<void> {
  await db.query("delete from service.sessions where id = $1", [id]);
}
