import { here } from "./address.js";

/** Where somebody was in a list when they left it. */
export interface Spot {
  /** Pixels. */
  readonly top: number;
  /** Of the row that had the focus. */
  readonly row: string | null;
}

/** Lists whose spots are remembered until the page is loaded again. */
const maxSpots = 50;
/** By account and address, the newest last. */
const spots = new Map<string, Spot>();
/** The address of each list as it was seen last, by account and path. */
const lists = new Map<string, string>();

/** Where a link or the like led last: whoever is elsewhere went back or forward. */
let reached = "";
let expected: { readonly row: string | null } | null = null;

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

/** The next way to a list leads back to it; to that row, unless it is the one that was left. */
export function expectReturn(row: string | null = null): void {
  expected = { row };
}

/** The spot to go on at; null for who comes to the list anew. */
export function takeSpot(account: string, address: string): Spot | null {
  const asked = expected;
  expected = null;
  const spot = spots.get(`${account} ${address}`);
  if (asked === null) return reached === address ? null : (spot ?? null);
  return { top: spot?.top ?? 0, row: asked.row ?? spot?.row ?? null };
}

/** The list as it was seen last, with its filters. */
export function lastList(account: string, path: string): string {
  return lists.get(`${account} ${path}`) ?? path;
}
