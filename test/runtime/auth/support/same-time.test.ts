import { expect, test } from "vitest";
import { expectSameTime, type Trial } from "./same-time.js";

/** The same numbers in every run, from 0 to 1 (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Times on a machine that has other work now and then; whoever goes first waits a little longer. */
function noisyTrial(rounds: number, seed: number, factor: number): Trial {
  const next = chance(seed);
  let isFirst = false;
  return {
    rounds,
    async time(kind) {
      isFirst = !isFirst;
      const base = 2 + next() + (next() < 0.2 ? 10 * next() : 0);
      return base * (isFirst ? 1.3 : 1) * (kind === "known" ? factor : 1);
    },
  };
}

const seeds = Array.from({ length: 50 }, (_, seed) => seed);

test("equal times pass on a busy machine, too", async () => {
  for (const seed of seeds) await expectSameTime(noisyTrial(20, seed, 1));
});

test.each([1.3, 1 / 1.3])("times that differ by the factor %f fail", async (factor) => {
  for (const seed of seeds) {
    await expect(expectSameTime(noisyTrial(60, seed, factor))).rejects.toThrow(
      /^With an account it took \d\.\d\d times as long as without/,
    );
  }
});
