/** A time in milliseconds, and the bytes moved until then. */
export interface Mark {
  readonly at: number;
  readonly bytes: number;
}

/** The minimum number of bytes per period. */
export interface Pace {
  readonly ms: number;
  readonly bytes: number;
}

/** Returns the mark to measure from, which moves with each period; null if too few bytes have moved. */
export function keepPace(mark: Mark, now: Mark, pace: Pace): Mark | null {
  if (now.at - mark.at < pace.ms) return mark;
  return now.bytes - mark.bytes < pace.bytes ? null : now;
}

/** Whether the average pace since the mark is below the minimum. */
export function isBelow(mark: Mark, now: Mark, pace: Pace): boolean {
  return (now.bytes - mark.bytes) * pace.ms < (now.at - mark.at) * pace.bytes;
}
