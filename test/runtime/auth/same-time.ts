import { expect } from "vitest";

/** Milliseconds that something takes where there is an account, and where there is none. */
export interface Times {
  readonly known: number;
  readonly unknown: number;
}

/**
 * Fails unless the medians of at least so many tries, and at most ten times as many, are within 15 %. What
 * a busy machine adds to some is evened out by more of them; a difference that is real stays.
 */
export async function expectSameTime(
  rounds: number,
  tryBoth: (round: number) => Promise<Times>,
): Promise<void> {
  const tries: Times[] = [];
  const ratio = () => median(tries, "known") / median(tries, "unknown");
  for (let round = 0; round < 10 * rounds; round += 1) {
    const isDue = round >= rounds && round % 10 === 0;
    if (isDue && ratio() > 1 / 1.15 && ratio() < 1.15) return;
    tries.push(await tryBoth(round));
  }
  expect.fail(`With an account it took ${ratio()} times as long as without`);
}

function median(tries: readonly Times[], kind: keyof Times): number {
  const times = tries.map((one) => one[kind]).sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)] ?? 0;
}
