import type { Config } from "../../../config/index.js";
import { type Queryable, unwaited } from "../../../db/index.js";
import { isSignIn } from "../kind.js";
import { staleAfter } from "../store.js";

export interface SessionUse {
  readonly sessionId: string;
  readonly at: Date;
}

/**
 * Updates the last use of sessions whose stored last use is at least a minute old. Skips sessions that another
 * transaction has locked: that transaction stores their use as well, or ends them. The commit does not wait for the
 * disk or standbys.
 */
export async function storeUses(
  db: Queryable,
  config: Pick<Config, "auth">,
  uses: readonly SessionUse[],
): Promise<void> {
  const { sql: end, values } = endAfterUse(config, { session: "s", at: "used.at", first: 3 });
  await db.query(
    `with used as (
       select s.id, sent.at
       from ${unwaited}
       cross join unnest($1::uuid[], $2::timestamptz[]) as sent (id, at)
       join service.sessions s on s.id = sent.id
       where s.last_used_at <= sent.at - ${staleAfter}
       order by s.id
       for no key update of s skip locked
     )
     update service.sessions as s
     set last_used_at = used.at, expires_at = ${end}
     from used
     where s.id = used.id`,
    [uses.map(({ sessionId }) => sessionId), uses.map(({ at }) => at), ...values],
  );
}

/**
 * SQL for the expiry of a session that is used at that time: sign-ins may expire when idle; other sessions keep their
 * expiry.
 */
export function endAfterUse(
  { auth }: Pick<Config, "auth">,
  { session, at, first }: { readonly session: string; readonly at: string; readonly first: number },
): { readonly sql: string; readonly values: readonly unknown[] } {
  const { idleHours, tokenLifetimeDays } = auth;
  if (idleHours === null) return { sql: `${session}.expires_at`, values: [] };
  return {
    sql: `case
      when ${isSignIn(session)} then least(
        ${session}.created_at + $${first} * interval '24 hours',
        ${at} + $${first + 1} * interval '1 hour',
        ${session}.latest_end
      )
      else ${session}.expires_at
    end`,
    values: [tokenLifetimeDays, idleHours],
  };
}
