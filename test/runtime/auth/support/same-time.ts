import { expect } from "vitest";

/** Whether there is an account. */
export type Kind = "known" | "unknown";

export interface Trial {
  /** The least number of rounds. */
  readonly rounds: number;
  /** Before each round, not timed. */
  prepare?(round: number): Promise<void> | void;
  /** Does what is to take the same time for both; resolves with the milliseconds that it took. */
  time(kind: Kind): Promise<number>;
}

/** The longer of two medians may be this many times the other. */
const tolerance = 1.15;

/** Standard errors on either side of the median: what noise alone passes once in 370 times. */
const certainty = 3;

/** Milliseconds after which no more rounds are made; a leak that matters shows in far fewer. */
const patience = 8_000;

/**
 * Fails unless something takes the same time with an account as without one, within 15 %. Both are timed
 * right after each other, each goes first in every second round, and they are compared with each other
 * only, so that a machine that is slow for a while is slow for both. There are as many rounds as it takes
 * until the median of the ratios is known well enough to tell on which side of the tolerance it is.
 */
export async function expectSameTime({ rounds, prepare = () => {}, time }: Trial): Promise<void> {
  const ratios: number[] = [];
  const deadline = performance.now() + patience;
  for (let round = 0; round < rounds || performance.now() < deadline; round += 2) {
    await prepare(round);
    const known = await time("known");
    const unknown = await time("unknown");
    await prepare(round + 1);
    const unknownFirst = await time("unknown");
    const knownSecond = await time("known");
    // What going first costs is so paid once by each.
    ratios.push(Math.sqrt((known / unknown) * (knownSecond / unknownFirst)));
    if (round < rounds - 2 || ratios.length % 5 !== 0) continue;
    const { least, most } = medianOf(ratios);
    if (least > 1 / tolerance && most < tolerance) return;
    if (least > tolerance || most < 1 / tolerance) break;
  }
  const { least, median, most } = medianOf(ratios);
  // Noise that no number of tries evens out proves nothing, unless it never reaches equality.
  if (least <= 1 && most >= 1) return;
  if (median > 1 / tolerance && median < tolerance) return;
  expect.fail(
    `With an account it took ${median.toFixed(2)} times as long as without` +
      ` (${least.toFixed(2)} to ${most.toFixed(2)}, by ${ratios.length} pairs)`,
  );
}

/** The median, and the order statistics between which the true one lies (the sign test's interval). */
function medianOf(values: readonly number[]) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const reach = (certainty * Math.sqrt(sorted.length)) / 2;
  const at = (place: number) => sorted[Math.min(Math.max(Math.floor(place), 0), sorted.length - 1)];
  return {
    least: at(middle - reach) ?? 0,
    median: at(middle) ?? 0,
    most: at(middle + reach) ?? 0,
  };
}
