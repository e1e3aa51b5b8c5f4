/** A part of a search that is matched separately. */
export interface SearchTerm {
  readonly text: string;
  /** Whether it is matched exactly. */
  readonly quoted: boolean;
  readonly not: boolean;
  /** Whether its last word may be the beginning of a word. */
  readonly prefix: boolean;
}

/** Alternatives: for each, the terms that a record must all match. */
export type SearchTerms = readonly (readonly SearchTerm[])[];

/** Longest search, in characters. */
export const maxSearchCharacters = 200;

/** An optional `-`, then either text in quotes, or text up to a space or a quote. */
const part = /(-?)(?:"([^"]*)"?|([^\s"]+))/gu;

/**
 * The terms of a search: texts in quotes are matched exactly, `-` excludes a term, and `or`
 * separates alternatives. No input is invalid: an unclosed quote ends with the search, and an `or`
 * that separates nothing is a word.
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
