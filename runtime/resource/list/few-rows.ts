import { pageOf } from "../record/page-text.js";
import type { View } from "../rights/view.js";
import type { Listing } from "./listing.js";
import { fewRows, found, idsAndKeys, sorted } from "./page-ids.js";

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
  return () => ofAlternatives(view, listing, alternatives);
}

function ofAlternatives(view: View, listing: Listing, alternatives: readonly string[]): string {
  const { order } = listing;
  const parts = alternatives.map(
    (condition) => `(
          ${idsAndKeys(view.name, order)}
          where ${condition}
          order by ${order.forward}
          limit ${fewRows + 1}
        )`,
  );
  const all = `_found as materialized (${parts.join(" union ")})`;
  return unlessMore(view, listing, { all, most: fewRows });
}

/** Rows up to which a search is repeated by a statement that keeps all of them: 8 ms of PostgreSQL's time (measured). */
const mostRepeated = 5_000;

/**
 * The statement for a page of a search that found no more than 5,000 rows the last time: it finds them and tries nothing
 * else, in two thirds of the time that the statement for any number of rows takes for a rare word. Where more rows meet
 * the conditions now, it answers nothing. Null where the request is of another form.
 */
export function repeatedSearchOf(view: View, listing: Listing): (() => string) | null {
  const isSearch = listing.conditions.some(({ index }) => index === "words");
  if (!isSearch || !listing.order.isCreation) return null;
  return () => unlessMore(view, listing, { all: found(view, listing, ""), most: mostRepeated });
}

/** Whether a search that found so many rows is repeated by `repeatedSearchOf`. */
export function isRepeated(total: number): boolean {
  return total <= mostRepeated;
}

/** The page and the total of the rows of the CTE `_found`, which is read no further than one more than `most` of them. */
function unlessMore(
  { record, name }: View,
  listing: Listing,
  { all, most }: { readonly all: string; readonly most: number },
): string {
  const { order, shown } = listing;
  const page = `
          select ${shown ?? record} as _json
          from ${name}
          where id = any (${sorted(listing)})
          order by ${order.forward}`;
  return `
    with
      ${all},
      _few as materialized (
        select count(*) as rows from (select from _found limit ${most + 1}) as _first
      )
    select rows as total, ${pageOf(page)} as data
    from _few
    where rows <= ${most}`;
}
