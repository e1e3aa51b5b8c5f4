import type { Config } from "../../config/index.js";
import {
  type Database,
  type DatabaseLog,
  lockNumbers,
  openDatabase,
  type Queryable,
} from "../../db/index.js";

/** Milliseconds between statements: many databases end a transaction that is idle for long. */
const beat = 5_000;

/** Work with separate connections; the signal is aborted if the lock is lost. */
type Work<T> = (db: Database, signal: AbortSignal) => Promise<T>;

/**
 * Runs the work while no other process prunes this database; returns null without running it if another does. The lock
 * is held by a transaction: behind a pooler in transaction mode, a session lock would stay with a connection that
 * others use. Opens two connections, so that pruning never uses one that requests wait for.
 */
export async function underPruneLock<T>(
  { database: { url, prepare } }: Pick<Config, "database">,
  log: DatabaseLog,
  work: Work<T>,
): Promise<T | null> {
  const db = openDatabase({ url, prepare, poolSize: 2, log });
  try {
    return await db.transaction(async (holder) =>
      (await takeLock(holder)) ? whileHeld(holder, (signal) => work(db, signal)) : null,
    );
  } finally {
    await db.close();
  }
}

async function takeLock(holder: Queryable): Promise<boolean> {
  const [row] = await holder.query<{ taken: boolean }>(
    "select pg_try_advisory_xact_lock($1) as taken",
    [lockNumbers.pruning],
  );
  return row?.taken ?? false;
}

async function whileHeld<T>(
  holder: Queryable,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    holder.query("select").catch((error: unknown) => lost.abort(error));
  }, beat);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
  }
}
