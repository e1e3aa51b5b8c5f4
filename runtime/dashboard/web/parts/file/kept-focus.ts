import { type FocusEvent, useLayoutEffect, useRef } from "react";

/** Moves the focus to the element with this id when the focused one disappears with its state. */
export function useKeptFocus(id: string, state: string) {
  const last = useRef<Element | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the state is looked at
  useLayoutEffect(() => {
    if (last.current === null || last.current.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) document.getElementById(id)?.focus();
  }, [id, state]);
  return {
    onFocus: ({ target }: FocusEvent) => {
      last.current = target;
    },
    onBlur: () => {
      // If the whole window loses the focus, its focused element stays the same.
      if (document.hasFocus()) last.current = null;
    },
  };
}
