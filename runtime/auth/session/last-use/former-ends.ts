import type { Services } from "../../../own-code/index.js";
import { serviceTokenProof } from "../store.js";

type EndServices = Pick<Services, "config" | "db" | "log">;

/** Sessions that one statement changes at most, so that none takes long. */
const mostAtOnce = 1_000;

/**
 * Brings forward the ends of sessions that were opened, or used last, under another `auth.idle_hours`: whoever sets it
 * means the tokens that have long not been used. Several instances may do so at once. A failure is logged.
 */
export async function endFormerInBackground({ config, db, log }: EndServices): Promise<void> {
  const { idleHours } = config.auth;
  if (idleHours === null) return;
  try {
    for (let changed = mostAtOnce; changed === mostAtOnce; ) {
      const rows = await db.query(
        `update service.sessions
         set expires_at = last_used_at + $1 * interval '1 hour'
         where id in (
           select id
           from service.sessions
           where expires_at > last_used_at + $1 * interval '1 hour'
             and not $2 = any (proofs)
           limit $3
           for update skip locked
         )
         returning id`,
        [idleHours, serviceTokenProof, mostAtOnce],
      );
      changed = rows.length;
    }
  } catch (err) {
    log.warn(
      { err },
      "Sessions that were opened without auth.idle_hours keep their ends until they are used",
    );
  }
}
