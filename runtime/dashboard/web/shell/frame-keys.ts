import { useEffect, useRef } from "react";
import { isFree, isMain } from "../browser/keyboard/free-keys.js";

export interface FrameKeys {
  readonly jump: () => void;
  readonly help: () => void;
  readonly home: () => void;
  readonly fold: () => void;
}

/**
 * Shortcuts of every screen: Ctrl or ⌘ with K jumps, `?` shows the shortcuts, `g h` goes home, `[` collapses the
 * sidebar.
 */
export function useFrameKeys(keys: FrameKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let former = "";
    const onKey = (event: KeyboardEvent) => {
      if (isMain(event, "k")) {
        event.preventDefault();
        latest.current.jump();
        return;
      }
      if (!isFree(event)) return;
      const meant = meantBy(former, event.key);
      // `g` waits for the next key of any kind.
      former = event.key;
      if (meant === null) return;
      event.preventDefault();
      latest.current[meant]();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function meantBy(former: string, key: string): keyof FrameKeys | null {
  if (former === "g" && key === "h") return "home";
  if (key === "?") return "help";
  return key === "[" ? "fold" : null;
}
