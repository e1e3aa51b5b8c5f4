import { type RefObject, useLayoutEffect, useRef } from "react";
import { keepSpot, type Spot, takeSpot } from "../../browser/address/returning.js";
import { focusedRow } from "./rows/row-keys.js";

/** Restores the scroll position and the row when the user returns to a list. */
export function useReturn(
  { account, address }: { readonly account: string; readonly address: string },
  scroller: RefObject<HTMLElement | null>,
  { isDrawn }: { readonly isDrawn: boolean },
): void {
  const spot = useRef<Spot | null | undefined>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    return () => {
      const row = focusedRow()?.dataset.id ?? null;
      keepSpot(account, address, { top: element?.scrollTop ?? 0, row });
    };
  }, [account, address, scroller]);
  useLayoutEffect(() => {
    if (spot.current === undefined) spot.current = takeSpot(account, address);
    if (!isDrawn || spot.current === null) return;
    const { top, row } = spot.current;
    spot.current = null;
    scroller.current?.scrollTo({ top, behavior: "instant" });
    const found = row === null ? null : document.querySelector<HTMLElement>(`tr[data-id="${row}"]`);
    // The user may have moved the focus in the meantime.
    if (document.activeElement?.matches("body, h1") === false) return;
    found?.focus({ preventScroll: true });
    found?.scrollIntoView({ block: "nearest" });
  }, [account, address, scroller, isDrawn]);
}
