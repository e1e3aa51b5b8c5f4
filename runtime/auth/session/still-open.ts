import type { Queryable } from "../../db/index.js";
import type { Caller } from "../../own-code/index.js";

/** The present roles of those of these callers whose sessions are still open. */
export async function findRoles(
  db: Queryable,
  callers: readonly Caller[],
  now: Date,
): Promise<ReadonlyMap<Caller, string | null>> {
  const sessions = new Set(callers.flatMap(({ sessionId }) => sessionId ?? []));
  if (sessions.size === 0) return new Map();
  const rows = await db.query<{ id: string; role: string | null }>(
    `select s.id, u.role
     from service.sessions s
     join service.users u on u.id = s.user_id
     where s.id = any($1::uuid[])
       and s.expires_at > $2
       and u.disabled_at is null`,
    [[...sessions], now.toISOString()],
  );
  const open = new Map(rows.map(({ id, role }) => [id, role]));
  return new Map(
    callers.flatMap((caller) => {
      const role = open.get(caller.sessionId ?? "");
      return role === undefined ? [] : [[caller, role] as const];
    }),
  );
}
