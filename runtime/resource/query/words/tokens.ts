/** A word in a text, and its position. */
export interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Splits texts like PostgreSQL: runs of letters or of digits, with their combining marks and ignorable characters. */
const word = /\p{L}[\p{L}\p{M}\u00ad\u200c\u200d]*|\p{Nd}[\p{Nd}\p{M}\u00ad\u200c\u200d]*/gu;

/** The unit that NFKC changes: a character with its combining marks. */
const cluster = /\P{M}\p{M}*|\p{M}+/gu;

/**
 * The words of a text in NFKC, which PostgreSQL splits too: `m²` has the words `m` and `2`. Two words may have the same
 * position, such as those of `½`.
 */
export function tokensOf(text: string): readonly Token[] {
  const normal = text.normalize("NFKC");
  if (normal === text) return wordsOf(text);
  const from: number[] = [];
  const to: number[] = [];
  let clusters = "";
  for (const { 0: whole, index } of text.matchAll(cluster)) {
    const part = whole.normalize("NFKC");
    clusters += part;
    for (const _ of part.split("")) {
      from.push(index);
      to.push(index + whole.length);
    }
  }
  return wordsOf(clusters).map((one) => {
    return { text: one.text, from: from[one.from] ?? 0, to: to[one.to - 1] ?? text.length };
  });
}

function wordsOf(text: string): readonly Token[] {
  return [...text.matchAll(word)].map((found) => {
    return { text: found[0], from: found.index, to: found.index + found[0].length };
  });
}
