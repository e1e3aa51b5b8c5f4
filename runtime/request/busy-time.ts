/** Measures how long at least one of several activities was in progress. */
export interface BusyTime {
  begin(): void;
  end(): void;
  /** Returns the milliseconds so far. */
  total(): number;
}

export function newBusyTime(): BusyTime {
  let running = 0;
  let since = 0;
  let sum = 0;
  return {
    begin() {
      if (running === 0) since = performance.now();
      running += 1;
    },
    end() {
      running -= 1;
      if (running === 0) sum += performance.now() - since;
    },
    total: () => (running === 0 ? sum : sum + performance.now() - since),
  };
}
