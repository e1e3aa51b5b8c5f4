import type { Database, Queryable } from "../../../db/index.js";

// An operator who views the app as an account has a session of that account, and a row that names the operator.

export interface ViewSession {
  readonly sessionId: string;
  readonly accountId: string;
  readonly role: string | null;
  readonly viewerId: string;
}

/**
 * SQL for whether an operator may view the app as an account: both must be enabled, and only the viewer an operator.
 * `viewer` and `account` are aliases of `service.users`; the parameter holds the operators' roles.
 */
export function maySeeAs(viewer: string, account: string, roles: string): string {
  return `${viewer}.disabled_at is null
       and ${viewer}.role = any (${roles})
       and ${account}.disabled_at is null
       and (${account}.role = any (${roles})) is not true`;
}

/** Finds the session of an operator who views the app as an account; null if it has expired, or is no longer allowed. */
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
       and ${maySeeAs("viewer", "u", "$3")}`,
    values: [tokenHash, now.toISOString(), operators],
    cost: "key",
  });
  return rows[0] ?? null;
}

export async function insertView(
  tx: Queryable,
  { id, viewerId }: { readonly id: string; readonly viewerId: string },
): Promise<void> {
  await tx.query("insert into service.account_views (id, viewer_id) values ($1, $2)", [
    id,
    viewerId,
  ]);
}
