import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { writerName } from "./write-load.js";

/**
 * Selects the sessions of this database that wait for a lock: other test files have databases on the same server, and
 * locks in rows are of no database. Unlike `pg_stat_activity`, it shows what is now in a transaction too.
 */
export const lockWaiters = `
  select distinct pid from pg_locks where not granted and pid in (
    select pid from pg_locks join pg_database on oid = database where datname = current_database()
  )`;

/** A writer's wait for a lock. */
export interface LockWait {
  readonly ms: number;
  /** For what: `relation RowExclusiveLock items`. */
  readonly lock: string;
}

/** A watcher of waiting writers. */
export interface LockWatch {
  /** Ends it; the longest wait that was seen. */
  stop(): Promise<LockWait>;
}

/** Looks every 10 ms which writers of a load wait for a lock, and since when. */
export async function watchLocks(url: string): Promise<LockWatch> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let longest: LockWait = { ms: 0, lock: "none" };
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await sleep(10)) {
      const { rows } = await client.query<LockWait>({
        name: "waits",
        text: `select
          extract(epoch from clock_timestamp() - waitstart)::float8 * 1000 as ms,
          format('%s %s %s', locktype, mode, relation::regclass) as lock
        from pg_locks
        join pg_stat_activity using (pid)
        where not granted and application_name = $1 and waitstart is not null
        order by ms desc
        limit 1`,
        values: [writerName],
      });
      const [found] = rows;
      if (found !== undefined && found.ms > longest.ms) longest = found;
    }
    await client.end();
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return longest;
    },
  };
}
