/** Seconds before the second try; each further pause is twice as long. */
const firstPause = 10;
/** Seconds: six hours. */
const longestPause = 6 * 3_600;
/** So that jobs that failed together are not all tried again at once. */
const spread = 0.2;

/** Seconds between a failed try and the next one, which has that number (2 or more). */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  const pause = Math.min(firstPause * 2 ** (attempt - 2), longestPause);
  return pause * (1 - spread + 2 * spread * random());
}
