/** A record on a day. */
export interface Place {
  readonly id: string;
  readonly day: string;
}

/** The day of the cell that an element is in. */
export function dayOf(target: Element): string | null {
  return target.closest<HTMLElement>("td[data-day]")?.dataset.day ?? null;
}

/** The record whose link an element is in, and its day. */
export function placeIn(target: Element): Place | null {
  const id = target.closest<HTMLElement>("a[data-id]")?.dataset.id;
  const day = dayOf(target);
  return id === undefined || day === null ? null : { id, day };
}
