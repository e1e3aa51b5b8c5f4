import type { Services } from "../../../own-code/index.js";
import { isSignIn } from "../kind.js";

type EndServices = Pick<Services, "config" | "db" | "log">;

/** Maximum number of sessions that one statement changes, so that none takes long. */
const mostAtOnce = 1_000;

/**
 * Shortens sessions that were opened, or last used, under another `auth.idle_hours`, or under another `session_hours`
 * of their provider: both settings apply to existing tokens as well. Several instances may run this concurrently. A
 * failure is logged.
 */
export async function endFormerInBackground(services: EndServices): Promise<void> {
  try {
    await endUnused(services);
    await endBounded(services);
  } catch (err) {
    services.log.warn(
      { err },
      "Sessions that were opened without auth.idle_hours or session_hours keep their expiry until they are used",
    );
  }
}

async function endUnused({ config, db }: EndServices): Promise<void> {
  const { idleHours } = config.auth;
  if (idleHours === null) return;
  await inParts(
    db,
    `update service.sessions
     set expires_at = last_used_at + $1 * interval '1 hour'
     where id in (
       select s.id
       from service.sessions s
       where s.expires_at > s.last_used_at + $1 * interval '1 hour'
         and ${isSignIn("s")}
       limit ${mostAtOnce}
       for update skip locked
     )
     returning id`,
    [idleHours],
  );
}

async function endBounded({ config, db }: EndServices): Promise<void> {
  for (const { name, sessionHours } of config.auth.providers) {
    if (sessionHours === null) continue;
    await inParts(
      db,
      `update service.sessions
       set latest_end = created_at + $1 * interval '1 hour',
           expires_at = least(expires_at, created_at + $1 * interval '1 hour')
       where id in (
         select s.id
         from service.sessions s
         join service.identities i on i.id = s.identity_id
         where i.provider = $2
           and coalesce(s.latest_end > s.created_at + $1 * interval '1 hour', true)
         limit ${mostAtOnce}
         for update of s skip locked
       )
       returning id`,
      [sessionHours, name],
    );
  }
}

/** Repeats a statement until it changes fewer sessions than its limit. */
async function inParts(
  db: EndServices["db"],
  text: string,
  values: readonly unknown[],
): Promise<void> {
  for (let changed = mostAtOnce; changed === mostAtOnce; ) {
    changed = (await db.query(text, values)).length;
  }
}
