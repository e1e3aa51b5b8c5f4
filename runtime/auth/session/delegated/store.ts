import type { Database } from "../../../db/index.js";
import { staleAfter } from "../store.js";
import type { AppLimits } from "./rules.js";

interface Found {
  readonly sessionId: string;
  readonly accountId: string;
  readonly role: string | null;
}

/** The session of an app by one of its access tokens, and what it may do. */
export interface AppSession extends Found, AppLimits {
  readonly clientId: string;
  /** Whether its use is to be stored. */
  readonly isStale: boolean;
}

/** Finds it; null if the token or the grant has expired, or its account is disabled. */
export async function findAppSession(
  db: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<AppSession | null> {
  const rows = await db.read<AppSession>({
    text: `select s.id as "sessionId", s.user_id as "accountId", u.role,
       s.last_used_at <= $2::timestamptz - ${staleAfter} as "isStale",
       g.client_id as "clientId", g.scope, g.resource
     from service.app_tokens t
     join service.app_grants g on g.id = t.grant_id
     join service.sessions s on s.id = g.id
     join service.users u on u.id = s.user_id
     where t.token_hash = $1
       and t.kind = 'access'
       and t.expires_at > $2::timestamptz
       and s.expires_at > $2::timestamptz
       and u.disabled_at is null`,
    values: [tokenHash, now.toISOString()],
    cost: "key",
  });
  return rows[0] ?? null;
}

/** The session of an operator who sees as its account. */
export interface ViewSession extends Found {
  readonly viewerId: string;
}

/**
 * Finds it; null if it has expired, one of the two accounts is disabled, the viewer is no longer an operator, or the
 * account has become one.
 */
export async function findViewSession(
  db: Database,
  tokenHash: Buffer,
  { now, operators }: { readonly now: Date; readonly operators: readonly string[] },
): Promise<ViewSession | null> {
  const rows = await db.read<ViewSession>({
    text: `select s.id as "sessionId", s.user_id as "accountId", u.role, v.viewer_id as "viewerId"
     from service.sessions s
     join service.account_views v on v.id = s.id
     join service.users u on u.id = s.user_id
     join service.users viewer on viewer.id = v.viewer_id
     where s.token_hash = $1
       and s.expires_at > $2::timestamptz
       and u.disabled_at is null
       and (u.role is null or u.role <> all ($3))
       and viewer.disabled_at is null
       and viewer.role = any ($3)`,
    values: [tokenHash, now.toISOString(), operators],
    cost: "key",
  });
  return rows[0] ?? null;
}

/** What the app of that session may do; null for any other session. */
export async function findAppLimits(db: Database, sessionId: string): Promise<AppLimits | null> {
  const rows = await db.read<AppLimits>({
    text: "select scope, resource from service.app_grants where id = $1",
    values: [sessionId],
    cost: "key",
  });
  return rows[0] ?? null;
}
