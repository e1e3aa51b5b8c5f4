import type { Plan } from "../../db/index.js";
import type { Listing } from "./listing.js";

/** Rows that a fast page may skip in an index; a pipeline counts 10 ms as slow. */
const maxSkipped = 10_000;

/**
 * Classifies a list's statement. The number of rows that meet a condition without an index depends on its value, and so
 * does the best plan (measured with a million rows: a generic plan took two to four times as long).
 *
 * An early page whose total is in the tally is quick at any size, and so is a page after a position in the order of
 * creation. Neither needs a separate connection (measured: two fifths more lists per second).
 *
 * Sorts by several fields or by those of linked records, and partial records, have too many variants to be prepared.
 * Records of inverses cost many times a plain page.
 *
 * The text of a search is an argument of a function, which the planner cannot see into: its plan is the same for all
 * texts. Parsing and planning take longer than a search with few matches (measured: 1.3 of 2.2 ms).
 */
export function costOf(listing: Listing): Pick<Plan, "cost" | "isVaried" | "isSearch"> {
  const { conditions, order, form } = listing;
  const isSearch = isSearched(listing);
  const isVaried =
    form === "varied" ||
    order.fields > 1 ||
    order.joins !== "" ||
    conditions.some(({ index }) => index === null);
  if (isSearch || isVaried) {
    return { cost: "scan", ...(isVaried && { isVaried }), ...(isSearch && { isSearch }) };
  }
  const isQuick = form === "one" && order.isCreation && isReady(listing);
  return { cost: isQuick ? "index" : "scan" };
}

export function isSearched(listing: Listing): boolean {
  const isRanked = listing.kind === "numbered" && listing.search !== null;
  return isRanked || listing.conditions.some(({ isSearch }) => isSearch === true);
}

/** Whether an index has the page's rows in order of creation, and the total is known. */
function isReady(listing: Listing): boolean {
  const [condition, ...others] = listing.conditions;
  if (listing.kind === "numbered" && listing.skipped > maxSkipped) return false;
  if (condition === undefined) return true;
  const isCounted = listing.kind === "cursor" || condition.count !== null;
  return others.length === 0 && condition.index === "page" && isCounted;
}
