/** Seconds before the second attempt; each further pause doubles. */
const firstPause = 10;
/** Six hours, in seconds. */
const longestPause = 6 * 3_600;
/** Jitter: keeps jobs that failed at the same time from being retried at the same time. */
const spread = 0.2;

/** Returns the seconds between a failed attempt and the next one, whose number is `attempt` (2 or more). */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  const pause = Math.min(firstPause * 2 ** (attempt - 2), longestPause);
  return pause * (1 - spread + 2 * spread * random());
}
