/** A point in time, in milliseconds, and the bytes that had moved until then. */
export interface Mark {
  readonly at: number;
  readonly bytes: number;
}

/** The bytes that have to move at least in each such period. */
export interface Pace {
  readonly ms: number;
  readonly bytes: number;
}

/** The mark to measure from, which is updated with each period; null where too few bytes have moved. */
export function keepPace(mark: Mark, now: Mark, pace: Pace): Mark | null {
  if (now.at - mark.at < pace.ms) return mark;
  return now.bytes - mark.bytes < pace.bytes ? null : now;
}

/** Whether bytes have moved slower than that since the mark, however long ago it was. */
export function isBelow(mark: Mark, now: Mark, pace: Pace): boolean {
  return (now.bytes - mark.bytes) * pace.ms < (now.at - mark.at) * pace.bytes;
}
