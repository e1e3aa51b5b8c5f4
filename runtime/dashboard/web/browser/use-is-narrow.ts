import { useSyncExternalStore } from "react";

/** Whether the screen hides elements with the class `only-wide`. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onChange, () => narrow.matches);
}

const narrow = matchMedia("(max-width: 767px)");

function onChange(changed: () => void): () => void {
  narrow.addEventListener("change", changed);
  return () => narrow.removeEventListener("change", changed);
}
