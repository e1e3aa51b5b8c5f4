let pending = 0;

/** Counts that many more, or fewer, requests of this process that wait in a queue before the pool. */
export function notePending(change: number): void {
  pending += change;
}

/** How many requests of this process wait for their turn to ask the pool for a connection. */
export function pendingBeforePool(): number {
  return pending;
}
