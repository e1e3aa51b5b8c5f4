import type { Queryable } from "../../db/index.js";
import type { Subject } from "./store.js";

// Each session stores the identity that opened it. Apps allowed by such a session have their own sessions, which copy
// both columns, and so end with the identity as well.

/** Stores the identity that opened a session, and the time at which the session ends even if it is in use. */
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

/** Deletes every session that an identity has opened; returns false if there were none. */
export async function deleteSessionsOf(tx: Queryable, identityId: string): Promise<boolean> {
  const rows = await tx.query("delete from service.sessions where identity_id = $1 returning id", [
    identityId,
  ]);
  return rows.length > 0;
}
