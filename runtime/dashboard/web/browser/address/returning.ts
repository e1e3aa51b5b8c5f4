import { carried, here } from "./address.js";

/** Where somebody was in a list when they left it. */
export interface Spot {
  /** Pixels. */
  readonly top: number;
  /** The id of the row that had the focus. */
  readonly row: string | null;
}

/** Lists whose spots are remembered until the page is loaded again. */
const maxSpots = 50;
/** By account and address, the newest last. */
const spots = new Map<string, Spot>();
/** The address of each list as it was seen last, by account and path. */
const lists = new Map<string, string>();

/** The address of the last navigation: a reader who is at another one went back or forward. */
let reached = "";

for (const name of ["pushState", "replaceState"]) {
  addEventListener(name, () => {
    reached = here();
  });
}

export function keepSpot(account: string, address: string, spot: Spot): void {
  const name = `${account} ${address}`;
  spots.delete(name);
  spots.set(name, spot);
  const [oldest] = spots.keys();
  if (spots.size > maxSpots && oldest !== undefined) spots.delete(oldest);
  lists.set(`${account} ${address.split("?")[0]}`, address);
}

/** Added to a link to a list that goes back to a row: to this one, or to the one that had the focus. */
export interface Return {
  readonly state: { readonly back: { readonly row: string | null } };
}

/** It is part of the navigation itself: one that somebody cancels leaves nothing behind. */
export function asReturn(row: string | null = null): Return {
  return { state: { back: { row } } };
}

/** The place to continue from; null for a reader who comes to the list for the first time. */
export function takeSpot(account: string, address: string): Spot | null {
  const spot = spots.get(`${account} ${address}`);
  if (reached !== address) return spot ?? null;
  const back = carried("back") as Return["state"]["back"] | undefined;
  return back === undefined ? null : { top: spot?.top ?? 0, row: back.row ?? spot?.row ?? null };
}

/** The list as it was seen last, with its filters. */
export function lastList(account: string, path: string): string {
  return lists.get(`${account} ${path}`) ?? path;
}
