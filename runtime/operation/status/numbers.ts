import { boundOf, hourMs, type Span, spanMs } from "./meter.js";
import { type SlowStatement, summed } from "./slow-list.js";

/** The counts of one process. The other processes of the machine send theirs. */
export interface Numbers {
  /** When the process started to serve, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly spans: readonly Span[];
  readonly slow: readonly SlowStatement[];
}

/**
 * The requests of all processes as shown in the status. Times are in milliseconds, and null if there were no requests.
 */
export interface ShownRequests {
  readonly perSecond: number;
  readonly failedPerSecond: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly minutes: readonly ShownMinute[];
}

interface ShownMinute {
  readonly at: Date;
  readonly count: number;
  readonly failed: number;
  readonly p99: number | null;
}

const minuteMs = 60_000;

/** Sums the last minute, and each minute of the last hour with the current one last. */
export function requestsOf(all: readonly Numbers[], now: number): ShownRequests {
  const spans = all.flatMap((one) => one.spans);
  // Five complete spans and the current one; `seconds` is their total duration.
  const last = spans.filter(({ at }) => at > now - minuteMs);
  const seconds = (minuteMs - spanMs + (now % spanMs)) / 1_000;
  const current = now - (now % minuteMs);
  const minutes = Array.from({ length: hourMs / minuteMs }, (_, index) => {
    const at = current - (hourMs / minuteMs - 1 - index) * minuteMs;
    const own = spans.filter((span) => span.at >= at && span.at < at + minuteMs);
    return { at: new Date(at), ...countsOf(own), p99: percentile(own, 0.99) };
  });
  const { count, failed } = countsOf(last);
  return {
    perSecond: rounded(count / seconds),
    failedPerSecond: rounded(failed / seconds),
    p50: percentile(last, 0.5),
    p99: percentile(last, 0.99),
    minutes,
  };
}

function countsOf(spans: readonly Span[]): { readonly count: number; readonly failed: number } {
  const sum = (of: (span: Span) => number) => spans.reduce((all, span) => all + of(span), 0);
  return { count: sum(({ count }) => count), failed: sum(({ failed }) => failed) };
}

/** Returns the duration within which the given share of the requests completed. */
function percentile(spans: readonly Span[], share: number): number | null {
  const { count } = countsOf(spans);
  if (count === 0) return null;
  let left = Math.ceil(count * share);
  const length = spans[0]?.times.length ?? 0;
  for (let index = 0; index < length; index += 1) {
    left -= spans.reduce((sum, { times }) => sum + (times[index] ?? 0), 0);
    if (left <= 0) return rounded(boundOf(index));
  }
  return null;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The maximum number of slow statements in the status. */
const maxSlow = 20;

export interface ShownStatement extends Omit<SlowStatement, "lastAt"> {
  readonly lastAt: Date;
}

/** Returns the slowest statements of all processes, slowest first. */
export function slowestOf(all: readonly Numbers[]): readonly ShownStatement[] {
  const byText = new Map<string, SlowStatement[]>();
  for (const one of all.flatMap(({ slow }) => slow)) {
    byText.set(one.statement, [...(byText.get(one.statement) ?? []), one]);
  }
  return [...byText]
    .map(([statement, parts]) => ({ statement, ...summed(parts) }))
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, maxSlow)
    .map(({ statement, milliseconds, count, lastAt }) => {
      return { statement, milliseconds: Math.round(milliseconds), count, lastAt: new Date(lastAt) };
    });
}
