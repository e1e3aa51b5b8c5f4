import type { Queryable } from "../../db/index.js";
import { forgetChanges, type Keeping } from "./forget.js";
import { sequenceChanges } from "./sequence.js";

/** Milliseconds between numberings while there are no listeners. */
const sequenceMs = 60_000;
const forgetMs = 3_600_000;

/** Milliseconds from the start of the process, which has other work first, to the first numbering. */
const firstMs = 20_000;

export interface LogUpkeep {
  close(): Promise<void>;
}

/** Numbers changes every minute, in case there are no listeners, and deletes old ones every hour. */
export function startUpkeep(
  db: Queryable,
  keeping: Keeping,
  onError: (error: unknown) => void,
): LogUpkeep {
  const ending = new AbortController();
  let running = Promise.resolve();
  let forgottenAt = Number.NEGATIVE_INFINITY;

  async function work(): Promise<void> {
    await sequenceChanges(db);
    if (performance.now() - forgottenAt < forgetMs) return;
    forgottenAt = performance.now();
    await forgetChanges(db, keeping, ending.signal);
  }

  function run(): void {
    running = work().catch(onError);
    void running.then(() => {
      if (!ending.signal.aborted) timer = setTimeout(run, sequenceMs).unref();
    });
  }

  let timer = setTimeout(run, firstMs).unref();
  return {
    async close() {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
