/** Work that is done a few at a time, in the order in which it was asked for. */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function openTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function take<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      // The place passes to whoever has waited longest; only where nobody waits does it become free.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return { take };
}
