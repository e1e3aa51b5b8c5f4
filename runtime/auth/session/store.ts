import type { CallerLookUp, Database, Queryable } from "../../db/index.js";
import type { Caller } from "../../own-code/index.js";
import { deleteViewsBy } from "../account/views.js";
import { kindOf, type SessionKind, serviceTokenProof } from "./kind.js";

export interface FoundSession {
  readonly _session: string;
  readonly _account: string;
  readonly _role: string | null;
  /** The name of a service token; null for a sign-in. */
  readonly _token: string | null;
  /** Whether the use of the session must be stored. */
  readonly _stale: boolean;
}

/** Age of `last_used_at` after which a use is stored, so that most requests write nothing. */
export const staleAfter = "interval '1 minute'";

/** The lookup of a token's session. It does not find sessions that have expired or whose account is disabled. */
export function sessionLookUp(tokenHash: Buffer, now: Date): CallerLookUp {
  return {
    sql: sessionSql,
    values: [tokenHash, now.toISOString()],
    key: tokenHash.toString("base64"),
  };
}

function sessionSql(first: number): string {
  const now = `$${first + 1}::timestamptz`;
  return `
    select s.id as _session, s.user_id as _account, u.role as _role,
      s.last_used_at <= ${now} - ${staleAfter} as _stale,
      case when '${serviceTokenProof}' = any (s.proofs) then s.name end as _token
    from service.sessions s
    join service.users u on u.id = s.user_id
    where s.token_hash = $${first}
      and s.expires_at > ${now}
      and u.disabled_at is null`;
}

/** Finds the session of a lookup; empty if there is none. */
export function findSession(
  db: Database,
  { sql, values }: CallerLookUp,
): Promise<readonly FoundSession[]> {
  return db.read<FoundSession>({ text: sql(1), values, cost: "key" });
}

export function callerOf({ _account, _role, _session }: FoundSession): Caller {
  return { accountId: _account, role: _role, sessionId: _session };
}

/** Deletes a session of an account; null if the account does not have it, or it has expired. */
export async function deleteSession(
  db: Queryable,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<SessionKind | null> {
  const rows = await db.query<{ kind: SessionKind }>(
    `delete from service.sessions s
     where s.id = $1
       and s.user_id = $2
       and s.expires_at > $3
     returning ${kindOf("s")} as kind`,
    [id, accountId, now],
  );
  return rows[0]?.kind ?? null;
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

/** Returns the time at which a session was opened, and its kind; null if it does not exist. */
export async function findSessionStart(
  db: Queryable,
  id: string,
): Promise<{ readonly at: Date; readonly kind: SessionKind } | null> {
  const rows = await db.query<{ at: Date; kind: SessionKind }>(
    `select s.created_at as at, ${kindOf("s")} as kind
     from service.sessions s
     where s.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Deletes every session of an account except that one, and the account's views of other accounts. */
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
  await deleteViewsBy(tx, accountId);
}
