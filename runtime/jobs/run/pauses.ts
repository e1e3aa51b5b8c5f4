/** Seconds before the second attempt; each further pause is twice as long. */
const firstPause = 10;
/** Seconds: six hours. */
const longestPause = 6 * 3_600;
/** Keeps jobs that failed at the same time from being retried at the same time. */
const spread = 0.2;

/** Seconds between a failed attempt and the next one; `attempt` is the number of the next one (2 or more). */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  const pause = Math.min(firstPause * 2 ** (attempt - 2), longestPause);
  return pause * (1 - spread + 2 * spread * random());
}
