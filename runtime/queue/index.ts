import pLimit from "p-limit";
import { refuse } from "../errors/index.js";

/** Work that is heavy on the processor, done a few at a time. */
export interface WorkQueue {
  /** Runs the work in its turn. Refuses with `UNAVAILABLE` when too much is waiting already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** A queue that runs at most `concurrency` at once and lets at most `waiting` wait. */
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
  };
}
