/** Counts the answered requests of one process, for the last hour. */
export interface Meter {
  /** Notes an answer: its status, and how long it took. */
  note(status: number, milliseconds: number): void;
  /** What was noted, oldest first; spans without a request are left out. */
  spans(): readonly Span[];
}

/** Ten seconds of answers. */
export interface Span {
  /** When it began, in milliseconds since 1970; a multiple of ten seconds. */
  readonly at: number;
  readonly count: number;
  /** Answers with a status from 500 on. */
  readonly failed: number;
  /** How many took about as long, by the index of `boundOf`. */
  readonly times: readonly number[];
}

export const spanMs = 10_000;
export const hourMs = 3_600_000;

/** As many as reach from a quarter of a millisecond to five minutes. */
const bounds = 64;
/** So far apart that a percentile is a quarter too high at most. */
const growth = 1.25;
const least = 0.25;

/** The most milliseconds of the times with that index. */
export function boundOf(index: number): number {
  return least * growth ** index;
}

function indexOf(milliseconds: number): number {
  const index = Math.ceil(Math.log(Math.max(milliseconds, least) / least) / Math.log(growth));
  return Math.min(index, bounds - 1);
}

/** `now` answers milliseconds since 1970. */
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

  /** The clock was put back: what was noted under a time that comes again would count twice. */
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
