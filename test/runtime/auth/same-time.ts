import { expect } from "vitest";

/** How long something takes, twice: where there is an account, and where there is none. */
export interface Times {
  readonly known: readonly number[];
  readonly unknown: readonly number[];
}

/**
 * Fails unless the medians are within 15 %. A busy machine may spoil a measurement; a difference that is
 * real spoils each.
 */
export async function expectSameTime(measure: () => Promise<Times>): Promise<void> {
  const ratios: number[] = [];
  while (ratios.length < 4) {
    const { known, unknown } = await measure();
    const ratio = median(known) / median(unknown);
    if (ratio > 1 / 1.15 && ratio < 1.15) return;
    ratios.push(ratio);
  }
  expect.fail(`With an account it took ${ratios.join(", ")} times as long as without`);
}

function median(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
