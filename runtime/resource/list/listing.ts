import type { Condition } from "../query/condition.js";
import type { ShownRecord } from "../query/include.js";
import type { Order } from "../query/order.js";
import type { Highlight } from "../query/words/highlight.js";
import type { Search } from "../query/words/search.js";
import type { Place } from "./keyset.js";

/** A list, checked against the table: either numbered pages with a total, or pages by cursor. */
export type Listing = NumberedListing | CursorListing;

interface Listed {
  readonly perPage: number;
  /** SQL for the requested parts of a record; null for the whole record. */
  readonly shown: string | null;
  readonly form: ShownRecord["form"];
  readonly conditions: readonly Condition[];
  readonly order: Order;
  /** Null if no words are highlighted. */
  readonly highlight: Highlight | null;
  /** Whether an ETag follows each record; see `taggedSql`. */
  readonly isTagged: boolean;
}

export interface NumberedListing extends Listed {
  readonly kind: "numbered";
  readonly page: number;
  /** The offset as SQL; null on the first page. */
  readonly offset: string | null;
  /** The number of rows before the page, rounded if it is very large. */
  readonly skipped: number;
  /** The search that determines the order; null if another order is requested. */
  readonly search: Search | null;
}

export interface CursorListing extends Listed {
  readonly kind: "cursor";
  /** The conditions of `rowsAfter`; none on the first page. */
  readonly after: readonly string[];
  readonly cursorOf: (place: Place) => string;
}

/** Returns the `where` clause with all these conditions. */
export function whereOf(conditions: readonly Pick<Condition, "sql">[]): string {
  return conditions.length === 0 ? "" : `where ${conditions.map(({ sql }) => sql).join(" and ")}`;
}
