let pending = 0;

/** Adds to the number of this process's requests that wait in a queue before the pool; negative to subtract. */
export function notePending(change: number): void {
  pending += change;
}

/** Returns the number of this process's requests that are queued before the pool. */
export function pendingBeforePool(): number {
  return pending;
}
