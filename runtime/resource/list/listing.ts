import type { Condition } from "../query/condition.js";
import type { ShownRecord } from "../query/include.js";
import type { Order } from "../query/order.js";

/** A list request, checked against the table. */
export interface Listing {
  readonly perPage: number;
  /** SQL for a record as it is shown; null for the whole record. */
  readonly shown: string | null;
  readonly form: ShownRecord["form"];
  readonly conditions: readonly Condition[];
  /** The SQL of the offset; null on the first page. */
  readonly offset: string | null;
  /** The number of rows before the page, which may be rounded where it is very large. */
  readonly skipped: number;
  readonly order: Order;
  /** Whether the answer has a total. */
  readonly isCounted: boolean;
  /** Whether a tag follows each record; see `taggedSql`. */
  readonly isTagged: boolean;
}

/** The `where` clause of all these conditions. */
export function whereOf(conditions: readonly Pick<Condition, "sql">[]): string {
  return conditions.length === 0 ? "" : `where ${conditions.map(({ sql }) => sql).join(" and ")}`;
}
