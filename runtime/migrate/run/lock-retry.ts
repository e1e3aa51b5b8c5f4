import { setTimeout as sleep } from "node:timers/promises";
import { lostToConcurrent, type Queryable, timeLimit } from "../../db/index.js";
import { LockTimeout } from "../error.js";
import { inTransaction } from "../session/transaction.js";
import { watchingBlockers } from "./blockers.js";
import type { Run } from "./run.js";

/**
 * Tries until a lock can be had, waiting longer and longer in between, so that others get on. Who
 * holds it is looked for from the second try on, and told after some seconds.
 *
 * @throws {LockTimeout} when the patience is at its end.
 */
export async function retryOnLockTimeout<T>(
  run: Run,
  place: string,
  attempt: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  let holder: string | null = null;
  let table: string | null = null;
  let told = false;
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
      if (waited > run.lockRetryMs) throw new LockTimeout(waited, holder, { cause: error });
      if (!told && holder !== null && waited > reportAfterMs) {
        told = true;
        run.onWarning(`${place}: waits for a lock that is held by ${holder}`);
      }
    }
    await sleep(pause(tries));
    if (table !== null) await endAutovacuum(run.db, table);
  }
}

const reportAfterMs = 2_000;
const maxPauseMs = 5_000;

/** 0.1 s, twice as long each time up to 5 s, and by chance up to a half less. */
function pause(tries: number): number {
  return Math.min(maxPauseMs, 100 * 2 ** tries) * (1 - Math.random() / 2);
}

/**
 * For work that waits, in no one's way, until older transactions have ended: tells which those are when
 * it has taken some seconds.
 */
export function reportingBlockers<T>(run: Run, place: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let told = false;
  const found = (words: string) => {
    if (told || performance.now() - start < reportAfterMs) return;
    told = true;
    run.onWarning(`${place}: waits for the end of ${words}`);
  };
  return watchingBlockers({ ...run, everyMs: 500, found }, work);
}

/**
 * Has an autovacuum let go of a table. It does so for whoever has waited for as long as the server's
 * `deadlock_timeout`, a second by default, which not every role may shorten: too long for a lock behind
 * which others wait. So this waits for one that no reader and no writer minds. Not getting it is no
 * matter.
 */
export async function endAutovacuum(db: Queryable, table: string): Promise<void> {
  await inTransaction(db, async () => {
    await db.query("set local lock_timeout to '3s'");
    await db.query(`lock table ${table} in share update exclusive mode`);
  }).catch(() => {});
}
