import type { Access, Database } from "../../db/index.js";

/** The lifetime of a context. */
export interface Life {
  readonly signal: AbortSignal;
  isOver: boolean;
  /** Statements and writes begun with it. */
  readonly running: Set<Promise<unknown>>;
}

export function newLife(signal: AbortSignal): Life {
  return { signal, isOver: false, running: new Set() };
}

/** Ends it after all unawaited work has finished. */
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
