/** A part of a search that is matched separately. */
export interface SearchTerm {
  readonly text: string;
  /** Whether it is matched exactly. */
  readonly quoted: boolean;
  readonly not: boolean;
  /** Whether its last word also matches longer words that begin with it. */
  readonly prefix: boolean;
}

/** Alternatives; a record matches one if it matches all its terms. */
export type SearchTerms = readonly (readonly SearchTerm[])[];

/** The maximum length of a search, in characters. */
export const maxSearchCharacters = 200;

/** An optional `-`, then either text in quotes, or text up to a space or a quote. */
const part = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;

/**
 * Parses a search: quoted texts are matched exactly, `-` excludes a term, and `or` separates alternatives. Every input
 * is valid: an unclosed quote ends with the search, and an `or` that separates nothing is a word.
 */
export function parseSearch(text: string): SearchTerms {
  const sound = text.toWellFormed().split("\0").join(" ");
  const parts = [...sound.matchAll(part)];
  const alternatives: SearchTerm[][] = [[]];
  for (const [at, [whole, minus, quoted, plain = ""]] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const present = alternatives.at(-1) ?? [];
    if (isOr(whole) && present.length > 0 && !isLast) {
      alternatives.push([]);
      continue;
    }
    present.push({
      text: quoted ?? plain,
      quoted: quoted !== undefined,
      not: minus !== "",
      prefix: quoted === undefined && minus === "" && isLast && sound.endsWith(whole),
    });
  }
  return alternatives;
}

function isOr(whole: string): boolean {
  return whole.toLowerCase() === "or";
}
