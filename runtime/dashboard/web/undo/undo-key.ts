import { useEffect } from "react";
import { isMain, isUntaken } from "../browser/keyboard/free-keys.js";
import { actionsOf, usePastToasts } from "../parts/overlay/toast.js";

/** Ctrl or ⌘ with Z undoes the last write while an undo is offered; in a field it undoes typing. */
export function useUndoKey(): void {
  const [newest] = usePastToasts();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (newest === undefined || !isMain(event, "z") || !isUntaken(event)) return;
      // Actions without a time limit are links, and undo nothing.
      const action = actionsOf(newest).find(({ lastsMs }) => lastsMs !== undefined);
      if (action === undefined) return;
      event.preventDefault();
      action.onAction();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [newest]);
}
