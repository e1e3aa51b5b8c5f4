import { setTimeout as sleep } from "node:timers/promises";
import { withConnection } from "./seed.js";
import { processorTime, type Server } from "./servers.js";

/** What some work of a server's takes. Unlike its time it hardly depends on what else the machine does. */
export interface Cost {
  /** Milliseconds of processor time of the server, and of its database. */
  readonly server: number;
  readonly database: number;
}

export type Meter = (work: () => Promise<unknown>) => Promise<Cost>;

/** Measures what work the server and its database have with each request; nobody else may be asking them. */
export function meterOf({ databaseUrl, processorTime: ofServer }: Server): Meter {
  return async (work) => {
    for (let tries = 0; tries < 10; tries += 1) {
      const backends = await backendsOf(databaseUrl);
      const used = () => ({ server: ofServer(), database: sumOf(backends.map(processorTime)) });
      const before = used();
      await work();
      // What is still to be done once it is answered. A thread's time is told when it rests.
      await sleep(2);
      const after = used();
      const database = after.database - before.database;
      // A connection that has ended meanwhile takes its time with it.
      if (!Number.isNaN(database)) return { server: after.server - before.server, database };
    }
    throw new Error("The processor time cannot be measured");
  };
}

/** The processes of PostgreSQL that serve a database. */
function backendsOf(databaseUrl: string): Promise<readonly number[]> {
  return withConnection(databaseUrl, async (db) => {
    const { rows } = await db.query<{ pid: number }>(
      `select pid
       from pg_stat_activity
       where datname = current_database()
         and backend_type = 'client backend'
         and pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid);
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

export function total({ server, database }: Cost): number {
  return server + database;
}
