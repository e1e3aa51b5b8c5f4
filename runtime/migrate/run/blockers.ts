import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/index.js";

/** A session that holds a lock for which another session waits. */
interface Blocker {
  readonly pid: number;
  /** The locked table, as SQL; null if the lock is on another object. */
  readonly table: string | null;
  /** The session's `application_name`; empty if it has none, null if our role may not see it. */
  readonly application: string | null;
  /** The age of its transaction; null if our role may not see it. */
  readonly seconds: number | null;
}

/**
 * Runs the work while a separate connection checks which sessions block the session `pid`. Calls `found` with a
 * description of the blockers and their table whenever there are any. The first check precedes the work, since opening
 * a connection may take longer than an attempt to get a lock. Failed checks are ignored.
 */
export async function watchingBlockers<T>(
  {
    pid,
    connect,
    everyMs,
    found,
  }: {
    readonly pid: number;
    readonly connect: (look: (db: Queryable) => Promise<void>) => Promise<void>;
    /** Milliseconds between checks; an attempt to get a lock takes 100 ms. */
    readonly everyMs: number;
    readonly found: (words: string, table: string | null) => void;
  },
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  let looks = () => {};
  const isThere = new Promise<void>((resolve) => {
    looks = resolve;
  });
  const looking = connect(async (db) => {
    while (!over.signal.aborted) {
      const blockers = await findBlockers(db, pid);
      looks();
      const [first] = blockers;
      if (first !== undefined) found(blockers.map(describeBlocker).join("; "), first.table);
      await sleep(everyMs, undefined, { signal: over.signal });
    }
  }).catch(() => looks());
  try {
    await isThere;
    return await work();
  } finally {
    over.abort();
    await looking;
  }
}

function findBlockers(db: Queryable, pid: number): Promise<readonly Blocker[]> {
  return db.query<Blocker>(
    `select
       pid,
       (
         select format('%I.%I', nspname, relname)
         from pg_locks
         join pg_class on pg_class.oid = relation
         join pg_namespace on pg_namespace.oid = relnamespace
         where pg_locks.pid = $1 and not granted and relkind = 'r'
       ) as table,
       case when backend_type = 'client backend' then application_name else backend_type end
         as application,
       extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
     from pg_stat_activity
     where pid = any (pg_blocking_pids($1))
     order by xact_start`,
    [pid],
  );
}

/** Omits the blocker's statement: its values may be secret. */
function describeBlocker({ pid, application, seconds }: Blocker): string {
  const name = application ? ` (${application})` : "";
  const age = seconds === null ? "" : `, its transaction open for ${Math.round(seconds)} s`;
  return `process ${pid} of PostgreSQL${name}${age}`;
}
