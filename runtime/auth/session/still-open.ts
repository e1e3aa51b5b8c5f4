import type { Caller, Services } from "../../own-code/index.js";
import { maySeeAs } from "./delegated/views.js";
import { viewProof } from "./kind.js";

/**
 * Returns the current roles of callers whose sessions are still open; an operator's view also requires that the
 * operator may still view the account.
 */
export async function findRoles(
  { db, config, clock }: Pick<Services, "db" | "config" | "clock">,
  callers: readonly Caller[],
): Promise<ReadonlyMap<Caller, string | null>> {
  const sessions = new Set(callers.flatMap(({ sessionId }) => sessionId ?? []));
  if (sessions.size === 0) return new Map();
  const rows = await db.query<{ id: string; role: string | null }>(
    `select s.id, u.role
     from service.sessions s
     join service.users u on u.id = s.user_id
     left join service.account_views v on v.id = s.id
     left join service.users viewer on viewer.id = v.viewer_id
     where s.id = any($1::uuid[])
       and s.expires_at > $2
       and u.disabled_at is null
       and (s.proofs[1] <> '${viewProof}' or (${maySeeAs("viewer", "u", "$3")}))`,
    [[...sessions], clock.now().toISOString(), config.auth.operators],
  );
  const open = new Map(rows.map(({ id, role }) => [id, role]));
  return new Map(
    callers.flatMap((caller) => {
      const role = open.get(caller.sessionId ?? "");
      return role === undefined ? [] : [[caller, role] as const];
    }),
  );
}
