import type { Database } from "../../../db/index.js";
import { staleAfter } from "../store.js";
import type { AppLimits } from "./rules.js";

/** The session of an app, found by one of its access tokens, and the app's limits. */
export interface AppSession extends AppLimits {
  readonly sessionId: string;
  readonly accountId: string;
  readonly role: string | null;
  readonly clientId: string;
  /** Whether this use must be stored. */
  readonly isStale: boolean;
}

/**
 * Finds the session of an app; null if the token or the grant has expired, or the account is
 * disabled.
 */
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

/** Returns the limits of the app that has this session; null for any other session. */
export async function findAppLimits(db: Database, sessionId: string): Promise<AppLimits | null> {
  const rows = await db.read<AppLimits>({
    text: "select scope, resource from service.app_grants where id = $1",
    values: [sessionId],
    cost: "key",
  });
  return rows[0] ?? null;
}
