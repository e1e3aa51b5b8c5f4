import pLimit from "p-limit";
import { refuse } from "../errors/index.js";

/** Runs CPU-intensive work, a few jobs at a time. */
export interface WorkQueue {
  /** Runs the work once a slot is free. Refuses with `UNAVAILABLE` if the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The number of queued jobs. */
  waiting(): number;
}

/** Creates a queue that runs up to `concurrency` jobs concurrently and holds up to `waiting` more. */
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
