import { useEffect } from "react";
import { isFree, isMain, isUnderLayer } from "./free-keys.js";

const linked = "a[data-linked]";
/** The containers of a linked value: a field, a cell, or a row, whose first link counts. */
const places = [".picker", "td", "dd", "tr"];

/**
 * Makes `o` open the focused linked record, or that of the focused cell or row. With Ctrl or ⌘ it opens a new tab, also
 * from within a field.
 */
export function useOpenKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isNewTab = isMain(event, "o");
      if (isNewTab ? event.defaultPrevented || isUnderLayer() : !isPlain(event)) return;
      const link = linkAt(document.activeElement);
      if (link === null) return;
      event.preventDefault();
      if (isNewTab) window.open(link.href, "_blank", "noopener");
      else link.click();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isPlain(event: KeyboardEvent): boolean {
  return event.key === "o" && isFree(event);
}

function linkAt(focused: Element | null): HTMLAnchorElement | null {
  if (focused === null) return null;
  if (focused.matches(linked)) return focused as HTMLAnchorElement;
  for (const place of places) {
    const found = focused.closest(place)?.querySelector<HTMLAnchorElement>(linked);
    if (found !== null && found !== undefined) return found;
  }
  return null;
}
