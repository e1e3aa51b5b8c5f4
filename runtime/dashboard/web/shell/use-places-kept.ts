import { type RefObject, useLayoutEffect, useRef } from "react";

interface Place {
  readonly resource: string;
  readonly anchor: HTMLElement;
  readonly top: number;
}

/**
 * Prevents the list from jumping when a resource moves to another group: the item next to the pressed button keeps its
 * position. The button moves with its resource, and keeps the focus. The returned function is called before a move.
 */
export function usePlacesKept(
  list: RefObject<HTMLElement | null>,
  pins: readonly string[],
): (resource: string) => void {
  const place = useRef<Place | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pins are what moves it
  useLayoutEffect(() => {
    if (place.current === null) return;
    const { resource, anchor, top } = place.current;
    place.current = null;
    pinOf(list.current, resource)?.focus({ preventScroll: true });
    const by = anchor.getBoundingClientRect().top - top;
    if (anchor.isConnected) scrollerOf(list.current)?.scrollBy(0, by);
  }, [pins]);
  return (resource) => {
    const anchor = neighbourOf(pinOf(list.current, resource));
    if (anchor === null) return;
    place.current = { resource, anchor, top: anchor.getBoundingClientRect().top };
  };
}

/** The list at the side, or the drawer around it. */
function scrollerOf(list: HTMLElement | null): HTMLElement | null {
  const scrolls = list === null || list.scrollHeight > list.clientHeight;
  return scrolls ? list : scrollerOf(list.parentElement);
}

function pinOf(list: HTMLElement | null, resource: string): HTMLElement | null {
  return list?.querySelector(`.pin[data-resource="${CSS.escape(resource)}"]`) ?? null;
}

/**
 * The item after the button's, else the one before it. For a group's only item, the next group: the item's group is
 * removed.
 */
function neighbourOf(pin: HTMLElement | null): HTMLElement | null {
  const item = pin?.closest("li") ?? null;
  const neighbour =
    item?.nextElementSibling ??
    item?.previousElementSibling ??
    item?.closest("section")?.nextElementSibling;
  return neighbour instanceof HTMLElement ? neighbour : item;
}
