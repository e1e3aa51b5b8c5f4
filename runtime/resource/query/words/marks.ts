import { type Token, tokensOf } from "./tokens.js";

/** A word in a text that matches a word of a term. */
export interface WordMatch {
  /** The word in the text, in NFKC. */
  readonly token: string;
  /** The index of the term, the position of the word in it, from 1, and the number of words in the term. */
  readonly term: number;
  readonly place: number;
  readonly size: number;
}

/** Matches, by word in the texts. */
export type Matches = ReadonlyMap<string, readonly WordMatch[]>;

export function byToken(matches: readonly WordMatch[]): Matches {
  const found = new Map<string, WordMatch[]>();
  for (const match of matches) found.set(match.token, [...(found.get(match.token) ?? []), match]);
  return found;
}

const fragments = { most: 3, words: 30, before: 5 };

/**
 * Returns the text with `<mark>` around each word that matches a term, and around the words of a phrase if they are
 * consecutive; everything else is escaped. Null if nothing matches. Long texts are reduced to fragments.
 */
export function highlighted(
  text: string,
  matches: Matches,
  { isLong }: { readonly isLong: boolean },
): string | null {
  const tokens = tokensOf(text);
  const marked = markedTokens(tokens, matches);
  if (marked.size === 0) return null;
  if (!isLong || tokens.length <= fragments.words) {
    return markedText(
      text,
      { from: 0, to: text.length },
      tokens.filter((one) => marked.has(one)),
    );
  }
  return fragmentsOf(tokens, marked)
    .map(([first, last]) => {
      const within = tokens.slice(first, last).filter((one) => marked.has(one));
      const from = first === 0 ? 0 : (tokens[first]?.from ?? 0);
      const to = last === tokens.length ? text.length : (tokens[last - 1]?.to ?? text.length);
      return markedText(text, { from, to }, within).trim();
    })
    .join(" … ");
}

function markedTokens(tokens: readonly Token[], matches: Matches): ReadonlySet<Token> {
  const fulfils = (at: number, term: number, place: number) =>
    matches.get(tokens[at]?.text ?? "")?.some((one) => one.term === term && one.place === place) ===
    true;
  const marked = new Set<Token>();
  for (const [at, { text }] of tokens.entries()) {
    for (const { term, place, size } of matches.get(text) ?? []) {
      if (place !== 1) continue;
      const places = Array.from({ length: size }, (_, index) => index);
      if (!places.every((index) => fulfils(at + index, term, index + 1))) continue;
      for (const one of tokens.slice(at, at + size)) marked.add(one);
    }
  }
  return marked;
}

/**
 * Returns the index of each fragment's first word, and the index after its last. A fragment begins shortly before a
 * match that no earlier fragment contains.
 */
function fragmentsOf(
  tokens: readonly Token[],
  marked: ReadonlySet<Token>,
): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [at, token] of tokens.entries()) {
    const end = found.at(-1)?.[1] ?? 0;
    if (!marked.has(token) || at < end) continue;
    if (found.length === fragments.most) break;
    const first = Math.max(end, at - fragments.before);
    found.push([first, Math.min(tokens.length, first + fragments.words)]);
  }
  return found;
}

function markedText(
  text: string,
  { from, to }: Pick<Token, "from" | "to">,
  marked: readonly Token[],
): string {
  const parts: string[] = [];
  let end = from;
  for (const token of marked) {
    // If two words are in one character, or in characters that overlap, the first one has marked it.
    const start = Math.max(end, token.from);
    if (start >= token.to) continue;
    parts.push(escaped(text.slice(end, start)));
    parts.push(`<mark>${escaped(text.slice(start, token.to))}</mark>`);
    end = token.to;
  }
  return [...parts, escaped(text.slice(end, to))].join("");
}

function escaped(text: string): string {
  return [...text].map((one) => entities[one] ?? one).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
