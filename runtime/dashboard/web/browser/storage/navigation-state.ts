import { useKept, wordsIn } from "./kept.js";

/** A user's arrangement of the navigation: pinned resources and collapsed groups. */
export interface NavigationState {
  readonly pins: readonly string[];
  readonly folded: readonly string[];
}

/** Maximum length of each list, so that the browser's storage does not grow without limit. */
const most = 200;

export function useNavigationState(
  account: string,
): readonly [NavigationState, (next: NavigationState) => void] {
  return useKept(account, "navigation", navigationStateOf);
}

function navigationStateOf(json: unknown): NavigationState {
  const { pins, folded } = (typeof json === "object" && json !== null ? json : {}) as Partial<
    Record<keyof NavigationState, unknown>
  >;
  return { pins: wordsIn(pins), folded: wordsIn(folded) };
}

/** Removes the word from the list if it is included, otherwise adds it. */
export function toggled(words: readonly string[], word: string): readonly string[] {
  return words.includes(word) ? words.filter((one) => one !== word) : [...words, word].slice(-most);
}
