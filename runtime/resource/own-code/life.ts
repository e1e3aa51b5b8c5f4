import type { Access, Database } from "../../db/index.js";

/** How long a context may be used. */
export interface Life {
  readonly signal: AbortSignal;
  isOver: boolean;
  /** Statements and writes that were begun with it. */
  readonly running: Set<Promise<unknown>>;
}

export function newLife(signal: AbortSignal): Life {
  return { signal, isOver: false, running: new Set() };
}

/** Ends it, after everything that was begun and not awaited has finished. */
export async function endLife(life: Life): Promise<void> {
  life.isOver = true;
  await Promise.allSettled(life.running);
}

/** The database, as long as `check` does not throw. */
export function checkedDatabase(db: Database, life: Life, check: () => void): Database {
  const begin = async <T>(work: () => Promise<T>): Promise<T> => {
    check();
    const running = work();
    life.running.add(running);
    try {
      return await running;
    } finally {
      life.running.delete(running);
    }
  };
  const checked = (access: Access): Access => ({
    query: (text, values) => begin(() => access.query(text, values)),
    read: (plan) => begin(() => access.read(plan)),
    attempt: (text, values, onTurn) => begin(() => access.attempt(text, values, onTurn)),
    transaction: (work, options) => begin(() => access.transaction(work, options)),
  });
  return {
    ...checked(db),
    ofResource: (name) => checked(db.ofResource(name)),
    of: (request) => checkedDatabase(db.of(request), life, check),
    close: () => Promise.resolve(),
  };
}
