/** A word in one product's name of a hundred thousand. */
export const rareWord = "zebrawood";

const onsets = ["b", "br", "d", "f", "g", "gr", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v"];
const vowels = ["a", "e", "i", "o"];
const ends = ["", "l", "n", "r"];

/**
 * Four thousand words of two syllables, the same in each run: names made of them have thousands of
 * different trigrams, common ones and scarce ones, as names of real things have.
 */
export const words: readonly string[] = Array.from({ length: 4096 }, (_, at) => {
  // A multiplication by an odd number shuffles the numbers below a power of two.
  const mixed = (at * 40_503) % 65_536;
  return syllable(mixed) + syllable(mixed >> 8);
});

function syllable(bits: number): string {
  const onset = onsets[bits & 15];
  return `${onset}${vowels[(bits >> 4) & 3]}${ends[(bits >> 6) & 3]}`;
}

/** How many of a million names have each word of a group, in ascending order. */
export const hitCounts = [1, 100, 4_000, 40_000] as const;

export type HitCount = (typeof hitCounts)[number];

/** The words of each group. */
export const wordsOfGroup = 100;

/**
 * A hundred words, each in so many of a million names, with as many different trigrams as real words have.
 * All have six letters, and their first and last one are not in `words`: none is part of another word.
 */
export function searchWords(hits: HitCount): readonly string[] {
  const first = hitCounts.indexOf(hits) * wordsOfGroup;
  return Array.from({ length: wordsOfGroup }, (_, at) => {
    // A multiplication by a large odd number, modulo 2^32, shuffles the numbers.
    let mixed = Math.imul(first + at + 1, 2_654_435_761) >>> 0;
    const letters = searchLetters.map((choice) => {
      const letter = choice[mixed % choice.length];
      mixed = Math.floor(mixed / choice.length);
      return letter;
    });
    return letters.join("");
  });
}

const searchLetters = ["chjqwxyz", "aeiou", "bdfgklmnprstv", "bdfgklmnprstv", "aeiou", "chjqwxyz"];
