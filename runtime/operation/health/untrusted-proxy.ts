import { type Access, unwaited } from "../../db/index.js";
import type { Log } from "../../own-code/index.js";

/** The key of the stored note. */
const remark = "untrusted-proxy";

/** The minimum interval between a process's notes in milliseconds, since any client can send the header. */
const everyMs = 3_600_000;

/** Stores a note for `doctor` that a request came through a proxy that is not trusted. */
export function untrustedProxyNote({
  db,
  log,
}: {
  readonly db: Pick<Access, "query">;
  readonly log: Pick<Log, "warn">;
}): () => void {
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + everyMs;
    const hint = "if your proxy sends it, set server.trust_proxy in service.yaml";
    log.warn({ hint }, "Requests arrive with X-Forwarded-For, but no proxy is trusted");
    const text = `
      insert into service.remarks (name, at) select $1, now() from ${unwaited}
      on conflict (name) do update set at = excluded.at`;
    // A failure is not logged: the warning above reports the same.
    db.query(text, [remark]).catch(() => {});
  };
}

/** Returns when a request last came through an untrusted proxy; null if not within a week. */
export async function lastUntrustedProxy(db: Pick<Access, "query">): Promise<Date | null> {
  const [row] = await db.query<{ at: string }>(
    "select at from service.remarks where name = $1 and at > now() - interval '7 days'",
    [remark],
  );
  return row === undefined ? null : new Date(row.at);
}
