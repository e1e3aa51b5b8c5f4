const minute = 60;
const hour = 3_600;

/** Seconds between a failed attempt and the next one. After the last pause there is one more attempt. */
const pauses = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The fraction by which pauses vary randomly, so that deliveries that failed together are not all retried at once. */
const spread = 0.2;

/** Maximum `Retry-After`, in seconds. A webhook without a success for the same time is disabled. */
const longestWait = 5 * 24 * hour;

/**
 * Seconds until the next attempt after `attempts` failed ones; null if there is none. The receiver's `Retry-After` can
 * make the pause longer.
 */
export function pauseAfter(
  attempts: number,
  retryAfter: number | null,
  random: () => number = Math.random,
): number | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  const spreadOut = pause * (1 - spread + 2 * spread * random());
  return Math.max(spreadOut, Math.min(retryAfter ?? 0, longestWait));
}

/** The seconds of a `Retry-After`, which is a number or a date; null for any other value. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, (until - now.getTime()) / 1_000);
}
