/** A word that stands in one product's name in a hundred thousand. */
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
