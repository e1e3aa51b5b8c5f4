import { useEffect, useRef } from "react";
import { useStableCallbacks } from "../stable-callbacks.js";

/** How long changes are collected before their records are read, and the pause between reads, in milliseconds. */
const gatherMs = 150;
const pauseMs = 1_000;

/**
 * Reads changed records in batches, one batch at a time. If a read fails, the displayed values stay until the list is
 * reloaded.
 */
export function useGathered(
  read: (ids: readonly string[]) => Promise<unknown>,
): (ids: readonly string[]) => void {
  const pending = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const isReading = useRef(false);
  const on = useStableCallbacks({
    add: (ids: readonly string[]) => {
      for (const id of ids) pending.current.add(id);
      if (!isReading.current && timer.current === null) {
        timer.current = setTimeout(() => on.read(), gatherMs);
      }
    },
    read: () => {
      timer.current = null;
      const ids = [...pending.current];
      pending.current.clear();
      if (ids.length === 0) return;
      isReading.current = true;
      read(ids)
        .catch(() => {})
        .finally(() => {
          isReading.current = false;
          if (pending.current.size > 0) timer.current = setTimeout(() => on.read(), pauseMs);
        });
    },
  });
  useEffect(
    () => () => {
      pending.current.clear();
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return on.add;
}
