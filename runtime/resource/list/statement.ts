import { type View, withSource } from "../rights/view.js";
import { cursorStatement, longCursorStatement } from "./cursor-page.js";
import type { Listing } from "./listing.js";
import { listStatement, longListStatement } from "./page.js";

/**
 * Builds the statement of a list. Its row has the page as JSON text, or its length if it is long, and the total or
 * cursor.
 */
export function statementOf(view: View, listing: Listing): string {
  const text =
    listing.kind === "cursor" ? cursorStatement(view, listing) : listStatement(view, listing);
  return withSource(view, text);
}

/** Builds the statement of the same list for a long page, with one record per row. */
export function longStatementOf(view: View, listing: Listing): string {
  const text =
    listing.kind === "cursor"
      ? longCursorStatement(view, listing)
      : longListStatement(view, listing);
  return withSource(view, text);
}
