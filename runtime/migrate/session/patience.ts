import { setTimeout as sleep } from "node:timers/promises";
import { lostToConcurrent, timeLimit } from "../../db/index.js";
import { LockNotHad } from "../error.js";
import type { Run } from "../run/run.js";
import { lookingForBlockers } from "./blockers.js";
import { endAutovacuum } from "./give-way.js";

/**
 * Tries until a lock can be had, waiting longer and longer in between, so that others get on. Who
 * holds it is looked for from the second try on, and told after some seconds.
 *
 * @throws {LockNotHad} when the patience is at its end.
 */
export async function patiently<T>(run: Run, place: string, attempt: () => Promise<T>): Promise<T> {
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
      return await lookingForBlockers({ ...run, everyMs: 40, found }, attempt);
    } catch (error) {
      if (timeLimit(error) !== "lock" && !lostToConcurrent(error)) throw error;
      const waited = performance.now() - start;
      if (waited > run.patienceMs) throw new LockNotHad(waited, holder, { cause: error });
      if (!told && holder !== null && waited > tellAfterMs) {
        told = true;
        run.onWarning(`${place}: waits for a lock that is held by ${holder}`);
      }
    }
    await sleep(pause(tries));
    if (table !== null) await endAutovacuum(run.db, table);
  }
}

const tellAfterMs = 2_000;
const longestPauseMs = 5_000;

/** 0.1 s, twice as long each time up to 5 s, and by chance up to a half less. */
function pause(tries: number): number {
  return Math.min(longestPauseMs, 100 * 2 ** tries) * (1 - Math.random() / 2);
}

/**
 * For work that waits, in no one's way, until older transactions have ended: tells which those are when
 * it has taken some seconds.
 */
export function tellingBlockers<T>(run: Run, place: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let told = false;
  const found = (words: string) => {
    if (told || performance.now() - start < tellAfterMs) return;
    told = true;
    run.onWarning(`${place}: waits for the end of ${words}`);
  };
  return lookingForBlockers({ ...run, everyMs: 500, found }, work);
}
