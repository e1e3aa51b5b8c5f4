import { useEffect, useRef } from "react";
import { isAlt } from "../../../browser/keyboard/free-keys.js";

interface RecordKeys {
  /** The ids of the adjacent records in the list; undefined at its ends. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly open: (id: string) => void;
}

/** Shortcuts of a record's page, editable or not: Alt and an arrow key open the previous or next record. */
export function useRecordKeys(keys: RecordKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { before, after, open } = latest.current;
      const wanted = { ArrowUp: before, ArrowDown: after }[event.key];
      if (wanted === undefined || !isAlt(event)) return;
      event.preventDefault();
      open(wanted);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
