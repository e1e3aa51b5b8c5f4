import { pageOf } from "../record/page-text.js";
import type { View } from "../rights/view.js";
import type { Listing } from "./listing.js";
import { fewRows, idsAndKeys, sorted } from "./page-ids.js";

/**
 * The statement for the first page of rows that meet one of a few conditions, each of which has an index, and are
 * still to be counted. It reads no more than 251 rows for each, so that it may share a connection with other reads.
 * Where more than 250 rows meet them, it answers nothing. Null where the request is of another form.
 */
export function quickStatementOf(view: View, listing: Listing): (() => string) | null {
  const { conditions, offset, order, form } = listing;
  const [condition, ...others] = conditions;
  const alternatives = condition?.alternatives ?? [];
  const isKnown = condition === undefined || condition.count !== null;
  if (isKnown || others.length > 0 || alternatives.length === 0) return null;
  if (offset !== null || !order.isCreation || form !== "one") return null;
  return () => fewStatement(view, listing, alternatives);
}

function fewStatement(
  { record, name }: View,
  listing: Listing,
  alternatives: readonly string[],
): string {
  const { order, shown } = listing;
  const parts = alternatives.map(
    (condition) => `(
          ${idsAndKeys(name, order)}
          where ${condition}
          order by ${order.forward}
          limit ${fewRows + 1}
        )`,
  );
  const page = `
          select ${shown ?? record} as _json
          from ${name}
          where id = any (${sorted(listing)})
          order by ${order.forward}`;
  return `
    with
      _found as materialized (${parts.join(" union ")}),
      _few as materialized (select count(*) as rows from _found)
    select rows as total, ${pageOf(page)} as data
    from _few
    where rows <= ${fewRows}`;
}
