import { refuse } from "../../errors/index.js";

/** Work that is heavy on the processor, done a few at a time. */
export interface WorkQueue {
  /** Runs the work in its turn. Refuses with `UNAVAILABLE` when too much is waiting already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** A queue that runs at most `concurrency` at once and lets at most `waiting` wait. */
export function createQueue(bounds: {
  readonly concurrency: number;
  readonly waiting: number;
}): WorkQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run<T>(work: () => Promise<T>): Promise<T> {
    await turn();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async function turn(): Promise<void> {
    if (running < bounds.concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= bounds.waiting) refuse("UNAVAILABLE", { retryAfter: 1 });
    await new Promise<void>((begin) => waiting.push(begin));
  }

  /** The place passes to whoever has waited longest; only where nobody waits does it become free. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return { run };
}
