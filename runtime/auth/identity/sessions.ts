import type { Queryable } from "../../db/index.js";
import type { Subject } from "./store.js";

// Sessions know the identity that opened them. Apps allowed by such a session have their own sessions, which copy both
// columns, and so end with the identity as well.

/** Stores which identity has opened a session, and the time at which it ends regardless of use. */
export async function bindToIdentity(
  db: Queryable,
  {
    id,
    profile: { issuer, subject },
    latestEnd,
  }: { readonly id: string; readonly profile: Subject; readonly latestEnd: Date | null },
): Promise<void> {
  await db.query(
    `update service.sessions s
     set identity_id = i.id, latest_end = $4
     from service.identities i
     where s.id = $1
       and i.issuer = $2
       and i.subject = $3`,
    [id, issuer, subject, latestEnd],
  );
}

/** Deletes every session that an identity has opened; false if there was none. */
export async function deleteSessionsOf(tx: Queryable, identityId: string): Promise<boolean> {
  const rows = await tx.query("delete from service.sessions where identity_id = $1 returning id", [
    identityId,
  ]);
  return rows.length > 0;
}
