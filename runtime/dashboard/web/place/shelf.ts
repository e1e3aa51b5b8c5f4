import { useKept, wordsIn } from "./kept.js";

/** How somebody arranged the navigation: resources that stand first, and groups that are folded. */
export interface Shelf {
  readonly pins: readonly string[];
  readonly folded: readonly string[];
}

/** Of each, so that a storage does not grow without end. */
const most = 200;

export function useShelf(account: string): readonly [Shelf, (next: Shelf) => void] {
  return useKept(account, "navigation", shelfOf);
}

function shelfOf(json: unknown): Shelf {
  const { pins, folded } = (typeof json === "object" && json !== null ? json : {}) as Partial<
    Record<keyof Shelf, unknown>
  >;
  return { pins: wordsIn(pins), folded: wordsIn(folded) };
}

/** With the word among them, or without it where it was. */
export function turned(words: readonly string[], word: string): readonly string[] {
  return words.includes(word) ? words.filter((one) => one !== word) : [...words, word].slice(-most);
}
