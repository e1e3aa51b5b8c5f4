import type { Services } from "../../own-code/index.js";
import { openToken, sealToken } from "../../secret/index.js";
import type { ConditionParameters } from "../query/conditions.js";
import type { Order } from "../query/order.js";
import type { Place } from "./keyset.js";

/** The list to which a cursor belongs; the caller and the requested parts of records may differ between pages. */
export interface CursorList {
  readonly resource: string;
  readonly order: Order;
  readonly conditions: ConditionParameters;
}

/**
 * Returns a function that creates the cursor for the page after a position. Cursors are encrypted, so that they reveal
 * nothing.
 */
export function cursorAfter({ config }: Services, list: CursorList): (place: Place) => string {
  return (place) => sealToken(config, JSON.stringify(place), contextOf(list));
}

/** Decrypts a cursor of this list to its position; null for any other text. */
export function placeOf({ config }: Services, list: CursorList, cursor: string): Place | null {
  const text = openToken(config, cursor, contextOf(list));
  return text === null ? null : (JSON.parse(text) as Place);
}

/** Returns a digest of the query that is independent of the order and syntax of its parts. */
function contextOf({ resource, order, conditions: { filters, where, q } }: CursorList): string {
  const sorts = order.keys.map(({ name, descending }) => `${descending ? "-" : ""}${name}`);
  const filtered = filters.map(({ param, value }) => JSON.stringify([param, value])).sort();
  const parts = [resource, sorts, filtered, where === undefined ? [] : [sorted(where)], q ?? ""];
  return `cursor:${JSON.stringify(parts)}`;
}

/** Returns the value with sorted object keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return entries.sort(([one], [other]) => (one < other ? -1 : 1));
}
