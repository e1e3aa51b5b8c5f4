import { setTimeout as sleep } from "node:timers/promises";
import { lostToConcurrent, type Queryable, timeLimit } from "../../db/index.js";
import { LockTimeout } from "../error.js";
import { inTransaction } from "../session/transaction.js";
import { watchingBlockers } from "./blockers.js";
import type { Run } from "./run.js";

/**
 * Retries with growing pauses until the locks can be acquired; during the pauses other sessions can proceed. From the
 * second attempt on, it looks for the session that holds the lock, and reports it after some seconds.
 *
 * @throws {LockTimeout} after `lockRetryMs`, but not before two attempts.
 */
export async function retryOnLockTimeout<T>(
  run: Run,
  place: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  let holder: string | null = null;
  let table: string | null = null;
  let isReported = false;
  const found = (words: string, of: string | null) => {
    holder = words;
    table = of;
  };
  for (let tries = 0; ; tries += 1) {
    try {
      if (tries === 0) return await attempt();
      return await watchingBlockers({ ...run, everyMs: 40, found }, attempt);
    } catch (error) {
      if (timeLimit(error) !== "lock" && !lostToConcurrent(error)) throw error;
      const waited = performance.now() - start;
      if (waited > run.lockRetryMs && tries > 0)
        throw new LockTimeout(waited, holder, { cause: error });
      if (!isReported && holder !== null && waited > reportAfterMs) {
        isReported = true;
        run.onWarning(`${place}: waits for a lock that is held by ${holder}`);
      }
    }
    await sleep(pause(tries));
    if (table !== null) await endAutovacuum(run.db, table);
  }
}

const reportAfterMs = 2_000;
const maxPauseMs = 5_000;

/** 0.1 s, doubled each time up to 5 s, minus a random part of up to half. */
function pause(tries: number): number {
  return Math.min(maxPauseMs, 100 * 2 ** tries) * (1 - Math.random() / 2);
}

/**
 * Runs work that waits, without blocking other sessions, for older transactions to end. Reports those transactions
 * after a few seconds.
 */
export function reportingBlockers<T>(run: Run, place: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let isReported = false;
  const found = (words: string) => {
    if (isReported || performance.now() - start < reportAfterMs) return;
    isReported = true;
    run.onWarning(`${place}: waiting for the end of ${words}`);
  };
  return watchingBlockers({ ...run, everyMs: 500, found }, work);
}

/**
 * Ends an autovacuum of a table. PostgreSQL cancels an autovacuum if a session has waited for `deadlock_timeout`, by
 * default a second. Not every role may shorten it, and that is too long for a lock behind which others queue. This
 * function therefore waits for a lock that conflicts with no reader or writer. Failures are ignored.
 */
export async function endAutovacuum(db: Queryable, table: string): Promise<void> {
  await inTransaction(db, async () => {
    await db.query("set local lock_timeout to '3s'");
    await db.query(`lock table ${table} in share update exclusive mode`);
  }).catch(() => {});
}
