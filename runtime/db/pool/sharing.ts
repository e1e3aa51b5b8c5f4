import { notePending } from "./pending.js";

/** Runs work with the same key one at a time; all callers that arrive during a run share the next one. */
export interface Sharing {
  /** A caller that arrives during a run waits for the next one: no result is older than the request for it. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function newSharing(): Sharing {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<unknown>>();
  /** How many callers wait for each of the next runs. */
  const callers = new Map<string, number>();
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const begin = () => {
        waiting.delete(key);
        notePending(-(callers.get(key) ?? 0));
        callers.delete(key);
        const begun = work().finally(() => running.delete(key));
        running.set(key, begun);
        return begun;
      };
      const current = running.get(key);
      if (current === undefined) return begin();
      const next = waiting.get(key) ?? current.then(begin, begin);
      waiting.set(key, next);
      callers.set(key, (callers.get(key) ?? 0) + 1);
      notePending(1);
      return next as Promise<T>;
    },
  };
}
