import { type Database, databaseAround } from "../../db/index.js";

/** The lifetime of a context. */
export interface Life {
  readonly signal: AbortSignal;
  isOver: boolean;
  /** Unfinished statements and writes of the context. */
  readonly running: Set<Promise<unknown>>;
}

export function newLife(signal: AbortSignal): Life {
  return { signal, isOver: false, running: new Set() };
}

/** Ends the context, and waits for its unfinished work. */
export async function endLife(life: Life): Promise<void> {
  life.isOver = true;
  await Promise.allSettled(life.running);
}

/** Wraps the database, which works as long as `check` does not throw. */
export function checkedDatabase(db: Database, life: Life, check: () => void): Database {
  return databaseAround(db, async (work) => {
    check();
    const running = work();
    life.running.add(running);
    try {
      return await running;
    } finally {
      life.running.delete(running);
    }
  });
}
