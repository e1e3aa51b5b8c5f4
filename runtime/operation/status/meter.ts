/** Counts the requests of one process during the last hour. */
export interface Meter {
  note(status: number, milliseconds: number): void;
  /** Returns the recorded spans, oldest first, without empty ones. */
  spans(): readonly Span[];
}

/** The responses of ten seconds. */
export interface Span {
  /** The start of the span, in milliseconds since 1970; a multiple of ten seconds. */
  readonly at: number;
  readonly count: number;
  /** Responses with a status of 500 or more. */
  readonly failed: number;
  /** The number of responses by duration; see `boundOf` for the index. */
  readonly times: readonly number[];
}

export const spanMs = 10_000;
export const hourMs = 3_600_000;

/** The number of buckets: enough for a quarter of a millisecond to five minutes. */
const bounds = 64;
/** The ratio of adjacent bounds: a percentile is at most a quarter too high. */
const growth = 1.25;
const least = 0.25;

/** Returns the upper bound of the bucket at this index, in milliseconds. */
export function boundOf(index: number): number {
  return least * growth ** index;
}

function indexOf(milliseconds: number): number {
  const index = Math.ceil(Math.log(Math.max(milliseconds, least) / least) / Math.log(growth));
  return Math.min(index, bounds - 1);
}

/** `now` returns milliseconds since 1970. */
export function newMeter(now: () => number): Meter {
  const kept: { at: number; count: number; failed: number; times: number[] }[] = [];

  function note(status: number, milliseconds: number): void {
    const time = now();
    const at = time - (time % spanMs);
    forgetFuture(time);
    let span = kept.at(-1);
    if (span === undefined || span.at < at) {
      span = { at, count: 0, failed: 0, times: new Array<number>(bounds).fill(0) };
      kept.push(span);
      forget(time);
    }
    span.count += 1;
    if (status >= 500) span.failed += 1;
    const index = indexOf(milliseconds);
    span.times[index] = (span.times[index] ?? 0) + 1;
  }

  function forget(time: number): void {
    while ((kept[0]?.at ?? time) < time - hourMs - spanMs) kept.shift();
  }

  /** If the clock was set back, spans in the future would be counted twice when their time comes. */
  function forgetFuture(time: number): void {
    while ((kept.at(-1)?.at ?? time) > time) kept.pop();
  }

  function spans(): readonly Span[] {
    forget(now());
    forgetFuture(now());
    return kept;
  }

  return { note, spans };
}
