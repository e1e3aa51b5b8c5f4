import type { View } from "../rights/view.js";
import { allRows, tallied } from "../table/tally.js";
import { type Listing, whereOf } from "./listing.js";

/**
 * SQL for the total from the tally: of all rows, of those with one value of a counted field, or of rows that the caller
 * owns. Null if the rows must be counted.
 */
export function knownTotal({ table }: View, conditions: Listing["conditions"]): string | null {
  const [condition, ...others] = conditions;
  if (condition === undefined) return tallied(table, allRows);
  return others.length > 0 ? null : condition.count;
}

/** SQL that counts the rows that meet the conditions. */
export function counted(
  { name }: View,
  conditions: readonly Pick<Listing["conditions"][number], "sql">[],
): string {
  return `(select count(*) from ${name} ${whereOf(conditions)})`;
}
