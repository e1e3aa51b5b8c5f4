import { setTimeout as sleep } from "node:timers/promises";
import { withConnection } from "./seed.js";

/** How often nobody must be seen at work, every 10 ms. */
const calmChecks = 3;

/** The same once a statement was cancelled: a pool that then opens a connection for its next one takes its time. */
const calmChecksAfterCancels = 50;

/**
 * Returns when nobody works on that database any more. Clients that hang up leave their statements
 * behind; a slow server's would run on for half a minute, in the time of the next one.
 */
export function quiet(databaseUrl: string): Promise<void> {
  return withConnection(databaseUrl, async (db) => {
    // What ends by itself in this time is let end.
    await sleep(100);
    let wanted = calmChecks;
    for (let calm = 0; calm < wanted; ) {
      const { rowCount } = await db.query(
        `select pg_cancel_backend(pid)
         from pg_stat_activity
         where datname = current_database()
           and backend_type = 'client backend'
           and state = 'active'
           and pid <> pg_backend_pid()`,
      );
      calm = rowCount === 0 ? calm + 1 : 0;
      if (rowCount !== 0) wanted = calmChecksAfterCancels;
      await sleep(10);
    }
  });
}
