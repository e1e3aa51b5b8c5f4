import { carried, here } from "./address.js";

export interface Spot {
  /** The scroll position in pixels. */
  readonly top: number;
  /** The id of the row that had the focus. */
  readonly row: string | null;
}

/** Maximum number of lists whose positions are remembered until the page is reloaded. */
const maxSpots = 50;
/** The positions by account and address, newest last. */
const spots = new Map<string, Spot>();
/** The last address of each list, by account and path. */
const lists = new Map<string, string>();

/** The target of the app's last navigation; any other address was reached by navigating back or forward. */
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

/** The history state of a link that returns to a row of a list: `row`, or the row that had the focus if it is null. */
export interface Return {
  readonly state: { readonly back: { readonly row: string | null } };
}

/** Returns the state of the link. It is part of the navigation, so a canceled navigation leaves nothing behind. */
export function asReturn(row: string | null = null): Return {
  return { state: { back: { row } } };
}

/** Returns the position to continue from; null on a first visit. */
export function takeSpot(account: string, address: string): Spot | null {
  const spot = spots.get(`${account} ${address}`);
  if (reached !== address) return spot ?? null;
  const back = carried("back") as Return["state"]["back"] | undefined;
  return back === undefined ? null : { top: spot?.top ?? 0, row: back.row ?? spot?.row ?? null };
}

/** Returns the last address of a list, with its filters. */
export function lastList(account: string, path: string): string {
  return lists.get(`${account} ${path}`) ?? path;
}
