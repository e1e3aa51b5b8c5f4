/** Does work of one kind at a time, and once for all that ask for it meanwhile. */
export interface Sharing {
  /** Whoever asks while the work of that key is under way shares the next one: no result is older than its question. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function newSharing(): Sharing {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<unknown>>();
  return {
    run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const begin = () => {
        waiting.delete(key);
        const begun = work().finally(() => running.delete(key));
        running.set(key, begun);
        return begun;
      };
      const current = running.get(key);
      if (current === undefined) return begin();
      const next = waiting.get(key) ?? current.then(begin, begin);
      waiting.set(key, next);
      return next as Promise<T>;
    },
  };
}
