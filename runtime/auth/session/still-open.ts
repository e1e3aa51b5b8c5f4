import type { Queryable } from "../../db/index.js";

/** Those of these sessions that are open, with the role of each one's account. */
export async function findOpen(
  db: Queryable,
  sessions: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db.query<{ id: string; role: string | null }>(
    `select s.id, u.role
     from service.sessions s
     join service.users u on u.id = s.user_id
     where s.id = any($1::uuid[])
       and s.expires_at > $2
       and u.disabled_at is null`,
    [sessions, now.toISOString()],
  );
  return new Map(rows.map(({ id, role }) => [id, role]));
}
