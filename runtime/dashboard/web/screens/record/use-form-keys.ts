import { useEffect, useRef } from "react";
import { isFree, isUnderLayer } from "../../browser/keyboard/free-keys.js";

/** The shortcuts of a form: Ctrl or ⌘ with S saves, with Enter saves and continues; `e` focuses the first field. */
export function useFormKeys(
  submit: (how: { readonly continues: boolean }) => void,
  edit: () => void,
): void {
  const latest = useRef({ submit, edit });
  latest.current = { submit, edit };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isUnderLayer()) return;
      const isMain = event.ctrlKey || event.metaKey;
      if (isMain && event.key.toLowerCase() === "s") {
        event.preventDefault();
        latest.current.submit({ continues: false });
      } else if (isMain && event.key === "Enter") {
        event.preventDefault();
        latest.current.submit({ continues: true });
      } else if (event.key === "e" && isFree(event)) {
        event.preventDefault();
        latest.current.edit();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
