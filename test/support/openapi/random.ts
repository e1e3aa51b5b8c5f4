import fc from "fast-check";

/** The same choices for the same seed. */
export interface Random {
  /** A whole number from 0, and below `limit`. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<Value>(all: readonly Value[]): Value;
  /** A text that a regular expression matches. */
  matching(pattern: string): string;
  /** A text of this number of code points: ordinary ones, and some that are often mishandled. */
  text(length: number): string;
}

const characters = [
  ..."abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 -_.,:;!?%&=+#/\\'\"<>()[]{}äßéÆ茶ñ🍵$^*~`|@",
];

export function newRandom(seed: number): Random {
  let state = seed >>> 0;
  /** From 0 to 1 (mulberry32). */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Value>(all: readonly Value[]) => all[below(all.length)] as Value;
  return {
    below,
    pick,
    chance: (share) => next() < share,
    matching: (pattern) =>
      fc.sample(matcher(pattern), { seed: below(2 ** 31), numRuns: 1 })[0] ?? "",
    text: (length) => Array.from({ length }, () => pick(characters)).join(""),
  };
}

const matchers = new Map<string, fc.Arbitrary<string>>();

function matcher(pattern: string): fc.Arbitrary<string> {
  const known = matchers.get(pattern);
  if (known !== undefined) return known;
  const made = fc.stringMatching(new RegExp(pattern));
  matchers.set(pattern, made);
  return made;
}
