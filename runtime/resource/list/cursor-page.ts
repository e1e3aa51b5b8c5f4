import { keyColumn, keyColumns, type LinkedWalk, orderByColumns } from "../query/order.js";
import { maxPageBytes, textOfPage } from "../record/page-text.js";
import type { View } from "../rights/view.js";
import { idColumn } from "../table/column-keys.js";
import { type CursorListing, whereOf } from "./listing.js";
import { idsOfParts } from "./special.js";

/**
 * Builds one statement that returns the page as JSON text. If another record follows, `next` has the last record's sort
 * values as a JSON list of texts.
 */
export function cursorStatement(view: View, listing: CursorListing): string {
  const { perPage } = listing;
  return `
    with ${pageWithNext(view, listing)}
    select
      ${textOfPage(`select string_agg(_json, ',' order by _at) as records from _page where _at <= ${perPage}`)} as data,
      (${nextOf(listing)}) as next`;
}

/** Builds the statement for a long page, like `longListStatement`: `next`, `bytes` and one `record` per row. */
export function longCursorStatement(view: View, listing: CursorListing): string {
  const { perPage } = listing;
  const isShort = perPage === 1 ? "true" : `bytes <= ${maxPageBytes}`;
  return `
    with
      ${pageWithNext(view, listing)},
      _size as (
        select coalesce(sum(octet_length(_json)), 0) as bytes from _page where _at <= ${perPage}
      )
    select (${nextOf(listing)}) as next, bytes, _json as record
    from _size left join _page on ${isShort} and _at <= ${perPage}
    order by _at`;
}

/** `_page` has the page's rows and the next row, if any, numbered by `_at`. */
function pageWithNext(view: View, listing: CursorListing): string {
  const { after, perPage, order } = listing;
  if (order.walk !== null) return walkedWithNext(view, listing, order.walk);
  const [part, ...others] = after;
  const limit = perPage + 1;
  if (others.length === 0) {
    const rows = rowsOf(view, listing, part === undefined ? [] : [part]);
    return numbered(rows);
  }
  // Each part is read only if the previous ones do not fill the page.
  const parts = after.map((condition, at) => {
    const found = after.slice(0, at).map((_, before) => `(select count(*) from _part_${before})`);
    const isOpen = found.length === 0 ? [] : [`${found.join(" + ")} < ${limit}`];
    return `_part_${at} as materialized (${rowsOf(view, listing, [condition, ...isOpen])})`;
  });
  const found = after.map((_, at) => `select * from _part_${at}`).join(" union all ");
  const sorted = orderByColumns(order.keys);
  return `
      ${parts.join(",\n      ")},
      _page as materialized (
        select row_number() over () as _at, _rows.*
        from (select * from (${found}) as _found order by ${sorted} limit ${limit}) as _rows
      )`;
}

/**
 * `_page` in the order of linked records. Their ids are found first, by index-only scans if the indexes have all
 * columns.
 */
function walkedWithNext(view: View, listing: CursorListing, walk: LinkedWalk): string {
  const { after, perPage, order, conditions } = listing;
  const parts = after.length === 0 ? walk.parts : after;
  const limit = String(perPage + 1);
  const ids = idsOfParts(view, { conditions, order, parts, rows: limit, page: `limit ${limit}` });
  const found = { ...listing, conditions: [{ sql: `${idColumn(view)} = any (${ids})` }] };
  return numbered(rowsOf(view, found, []));
}

function numbered(rows: string): string {
  return `_page as materialized (select row_number() over () as _at, _rows.* from (${rows}) as _rows)`;
}

type Found = Pick<CursorListing, "perPage" | "order" | "shown"> & {
  readonly conditions: readonly { readonly sql: string }[];
};

function rowsOf(
  { record, name }: View,
  { conditions, perPage, order, shown }: Found,
  after: readonly string[],
): string {
  return `
          select ${[`${shown ?? record} as _json`, ...keyColumns(order.keys)].join(", ")}
          from ${name}${order.joins}
          ${whereOf([...conditions, ...after.map((sql) => ({ sql }))])}
          order by ${order.forward}
          limit ${perPage + 1}`;
}

function nextOf({ perPage, order }: CursorListing): string {
  const texts = order.keys.map((_, at) => `${keyColumn(at)}::text`).join(", ");
  return `
        select json_build_array(${texts})::text
        from _page
        where _at = ${perPage} and exists (select from _page where _at > ${perPage})`;
}
