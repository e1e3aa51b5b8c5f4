import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useStableCallbacks } from "../../stable-callbacks.js";
import { type Place, placeIn } from "./place.js";
import type { MoveActions } from "./use-moves.js";

export interface MoveKeysOptions {
  readonly table: RefObject<HTMLTableElement | null>;
  /** Null if records cannot be moved. */
  readonly actions: MoveActions | null;
  /** The day to which an arrow key moves; null for other keys, and beyond the days that are shown. */
  readonly dayAfterKey: (key: string, day: string) => string | null;
}

/** Moves a record by the arrow keys with Alt. It is written when Alt is released; Escape returns it. */
export function useMoveKeys({ table, actions, dayAfterKey }: MoveKeysOptions) {
  const [held, hold] = useState<Place | null>(null);
  const kept = useKeptLink(table, held?.day ?? null);
  const on = useStableCallbacks({
    end: (by: "write" | "reset") => {
      if (held === null) return;
      hold(null);
      if (by === "write") actions?.write(held.id, held.day);
      else actions?.reset(held.id);
    },
  });
  const isHeld = held !== null;
  useEffect(() => {
    if (!isHeld) return;
    const onKey = ({ type, key }: globalThis.KeyboardEvent) => {
      if (type === "keyup" && key === "Alt") on.end("write");
      if (type === "keydown" && key === "Escape") on.end("reset");
    };
    const onLeave = () => on.end("write");
    document.addEventListener("keyup", onKey);
    document.addEventListener("keydown", onKey);
    window.addEventListener("blur", onLeave);
    return () => {
      document.removeEventListener("keyup", onKey);
      document.removeEventListener("keydown", onKey);
      window.removeEventListener("blur", onLeave);
    };
  }, [isHeld, on]);
  return {
    held,
    kept,
    /** Returns whether it handled the key. */
    onKeyDown: (event: KeyboardEvent): boolean => {
      const place = held ?? placeIn(event.target as Element);
      const isMove = event.altKey && event.key.startsWith("Arrow");
      if (actions === null || place === null || !isMove) return false;
      // Browsers use Alt and an arrow to navigate their history.
      event.preventDefault();
      const day = dayAfterKey(event.key, place.day);
      if (day === null) return true;
      hold({ id: place.id, day });
      actions.show(place.id, day);
      return true;
    },
  };
}

/** Keeps the focus on a record that moves to another cell: its day gets the focus if it names only other records. */
function useKeptLink(table: RefObject<HTMLTableElement | null>, day: string | null) {
  const focused = useRef<string | null>(null);
  useLayoutEffect(() => {
    const id = focused.current;
    if (id === null || document.activeElement !== document.body) return;
    const links = [...(table.current?.querySelectorAll<HTMLElement>("a[data-id]") ?? [])];
    const link = links.find((one) => one.dataset.id === id);
    const cell = day === null ? 'td[tabindex="0"]' : `td[data-day="${day}"]`;
    (link ?? table.current?.querySelector<HTMLElement>(cell))?.focus();
  });
  return {
    onFocus: ({ target }: FocusEvent) => {
      focused.current = placeIn(target)?.id ?? null;
    },
    onBlur: () => {
      // If the whole window loses the focus, its focused element stays the same.
      if (document.hasFocus()) focused.current = null;
    },
  };
}
