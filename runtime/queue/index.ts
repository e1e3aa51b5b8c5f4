import pLimit from "p-limit";
import { refuse } from "../errors/index.js";

/** Runs processor-heavy work, a few jobs at a time. */
export interface WorkQueue {
  /** Runs the work when its turn comes. Refuses with `UNAVAILABLE` when too much is queued already. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How much waits for its turn. */
  waiting(): number;
}

/** A queue that runs at most `concurrency` jobs at once and holds at most `waiting` more. */
export function createQueue({
  concurrency,
  waiting,
}: {
  readonly concurrency: number;
  readonly waiting: number;
}): WorkQueue {
  const limit = pLimit(concurrency);
  return {
    async run(work) {
      const places = concurrency + waiting - limit.activeCount - limit.pendingCount;
      if (places <= 0) refuse("UNAVAILABLE", { retryAfter: 1 });
      return limit(work);
    },
    waiting: () => limit.pendingCount,
  };
}
