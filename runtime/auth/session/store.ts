import { type Database, type Queryable, snapshotSql } from "../../db/index.js";

/** The session of a token, and its account. */
export interface FoundSession {
  readonly sessionId: string;
  readonly accountId: string;
  readonly role: string | null;
  /** The name of a service token; null for a sign-in. */
  readonly serviceToken: string | null;
  /** Whether its use is to be stored. */
  readonly isStale: boolean;
  /** What `snapshotSql` selects. */
  readonly snapshot: string;
}

/** The only proof of a service token, which the command line makes. */
export const serviceTokenProof = "service-token";

/** How old `last_used_at` may get before a use is stored, so that most requests write nothing. */
export const staleAfter = "interval '1 minute'";

/** SQL of the session of a token, unless it has expired or its account is disabled; its parameters begin there. */
export function openSession(first: number): string {
  const now = `$${first + 1}::timestamptz`;
  return `
    select s.id, s.user_id, u.role, s.last_used_at <= ${now} - ${staleAfter} as is_stale,
      case when '${serviceTokenProof}' = any (s.proofs) then s.name end as service_token
    from service.sessions s
    join service.users u on u.id = s.user_id
    where s.token_hash = $${first}
      and s.expires_at > ${now}
      and u.disabled_at is null`;
}

const sessionText = `
  select id as "sessionId", user_id as "accountId", role, is_stale as "isStale",
    service_token as "serviceToken", ${snapshotSql} as snapshot
  from (${openSession(1)}) as _session`;

/** Finds the session of a token; null when it has expired or its account is disabled. */
export async function findSession(
  db: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundSession | null> {
  const rows = await db.lookUp<FoundSession>(sessionText, [tokenHash, now.toISOString()]);
  return rows[0] ?? null;
}

/** What a session is: a device that somebody has signed in on, or a service token. */
export type SessionKind = "device" | "service-token";

/** Deletes a session of an account; null when the account does not have it, or it has expired. */
export async function deleteSession(
  db: Queryable,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<SessionKind | null> {
  const rows = await db.query<{ isToken: boolean }>(
    `delete from service.sessions
     where id = $1
       and user_id = $2
       and expires_at > $3
     returning $4 = any (proofs) as "isToken"`,
    [id, accountId, now, serviceTokenProof],
  );
  const [deleted] = rows;
  if (deleted === undefined) return null;
  return deleted.isToken ? "service-token" : "device";
}

/** Whether a session exists and has not expired. */
export async function isSessionOpen(tx: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `select id
     from service.sessions
     where id = $1
       and expires_at > $2`,
    [id, now],
  );
  return rows.length > 0;
}

/** When a session was opened, and what it is; null when it does not exist. */
export async function findSessionStart(
  db: Queryable,
  id: string,
): Promise<{ readonly at: Date; readonly kind: SessionKind } | null> {
  const rows = await db.query<{ at: Date; isToken: boolean }>(
    `select created_at as at, $2 = any (proofs) as "isToken"
     from service.sessions
     where id = $1`,
    [id, serviceTokenProof],
  );
  const [found] = rows;
  if (found === undefined) return null;
  return { at: found.at, kind: found.isToken ? "service-token" : "device" };
}

/** Deletes every session of an account except that one. */
export async function deleteSessions(
  tx: Queryable,
  accountId: string,
  except: string | null,
): Promise<void> {
  await tx.query(
    `delete from service.sessions
     where user_id = $1
       and id is distinct from $2`,
    [accountId, except],
  );
}
