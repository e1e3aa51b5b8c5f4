import { maxPageBytes, pageOf } from "../record/page-text.js";
import type { View } from "../rights/view.js";
import { idColumn } from "../table/column-keys.js";
import { type NumberedListing, whereOf } from "./listing.js";
import { isRanked, rankedParts } from "./ranked.js";
import { idsOfFew, idsOfFound, type PageIds, walkedIds } from "./special.js";
import { counted, knownTotal } from "./total.js";

/**
 * Builds one statement that returns the page as JSON text and the total. The limit is part of the text: for a
 * parameter, PostgreSQL assumes a tenth of the table, rejects the generic plan as too expensive, and plans each request
 * again (measured: 1.1 ms, more than the list itself).
 */
export function listStatement(view: View, listing: NumberedListing): string {
  const { ctes, total, rows } = pageRows(view, listing);
  return `${withClause(ctes)} select ${total} as total, ${pageOf(rows)} as data`;
}

/**
 * Builds the statement for a long page: `total`, `bytes` and one `record` per row, so that the server never holds the
 * whole page. It returns a single row without a record if the page is empty or has become too long. A page of one
 * record is never too long.
 */
export function longListStatement(view: View, listing: NumberedListing): string {
  const { ctes, total, rows } = pageRows(view, listing);
  const isShort = listing.perPage === 1 ? "true" : `bytes <= ${maxPageBytes}`;
  const all = [
    ...ctes,
    `_page as materialized (select row_number() over () as at, _json from (${rows}) as page)`,
    "_size as (select coalesce(sum(octet_length(_json)), 0) as bytes from _page)",
  ];
  return `
    ${withClause(all)}
    select ${total} as total, bytes, _json as record
    from _size left join _page on ${isShort}
    order by at`;
}

function withClause(ctes: readonly string[]): string {
  return ctes.length === 0 ? "" : `with ${ctes.join(",\n      ")}\n    `;
}

interface PageRows {
  readonly ctes: readonly string[];
  readonly total: string;
  /** A `select` of each record's text as `_json`. */
  readonly rows: string;
}

function pageRows(view: View, listing: NumberedListing): PageRows {
  if (isRanked(listing)) {
    const { ctes, total } = rankedParts(view, listing);
    return { ctes, total, rows: selectRanked(view, listing) };
  }
  const { conditions, offset, order } = listing;
  const isInOrder = conditions.every(({ index }) => index === "page");
  const total = knownTotal(view, conditions) ?? (isInOrder ? counted(view, conditions) : null);
  if (offset === null && total !== null && order.walk === null) {
    return { ctes: [], total, rows: select(view, listing, whereOf(conditions)) };
  }
  const { ctes, ids } = pageIds(view, listing, total);
  const rows = select(view, listing, `where ${idColumn(view)} = any (${ids})`);
  return { ctes, total: "(select rows from _total)", rows };
}

/** `total` is SQL if it is known, or if an index has the rows in the page's order. */
function pageIds(view: View, listing: NumberedListing, total: string | null): PageIds {
  if (total !== null) return walkedIds(view, listing, total);
  return listing.order.isCreation ? idsOfFound(view, listing) : idsOfFew(view, listing);
}

function selectRanked(view: View, { shown }: NumberedListing): string {
  const { record, name } = view;
  return `
          select ${shown ?? record} as _json
          from ${name}
          join _page on _page._id = ${name}.${idColumn(view)}
          order by _place`;
}

function select(
  { record, name }: View,
  { perPage, order, shown }: NumberedListing,
  where: string,
): string {
  return `
          select ${shown ?? record} as _json
          from ${name}${order.joins}
          ${where}
          order by ${order.forward}
          limit ${perPage}`;
}
