import type { Search } from "../query/words/search.js";
import type { View } from "../rights/view.js";
import { type NumberedListing, whereOf } from "./listing.js";

/** The largest total that is counted. */
export const maxTotal = 100_000;

/** The maximum number of matches to rank, the newest ones; all others follow them. */
const maxRanked = 20_000;

/** A numbered list in the order of its search. */
export interface RankedListing extends NumberedListing {
  readonly search: Search;
}

export function isRanked(listing: NumberedListing): listing is RankedListing {
  return listing.search !== null;
}

/**
 * The parts of a page's statement: exact matches of words come first, then those of stems, then
 * those of prefixes; within these the rank decides, then the newest id. Each match is found once in
 * the index, and its row is read again to be ranked.
 */
export function rankedParts(view: View, { search, conditions, perPage, offset }: RankedListing) {
  const { words, queries } = search;
  const seen =
    conditions.length === 0
      ? ""
      : `
          and exists (
            select from ${view.name} ${whereOf([{ sql: `${view.name}.id = _words.id` }, ...conditions])}
          )`;
  const page = `limit ${perPage}${offset === null ? "" : ` offset ${offset}`}`;
  return {
    ctes: [
      `_query as materialized (${queries})`,
      `_matched as materialized (
        select _words.id as _id, _words.ctid as _row
        from ${words} as _words
        where _words.vector @@ (select prefixed from _query)${seen}
        order by _words.id desc
        limit ${maxTotal + 1}
      )`,
      "_total as materialized (select count(*) as rows from _matched)",
      `_ranked as materialized (
        select
          _words.id as _id,
          case when vector @@ exact then 0 when vector @@ stemmed then 1 else 2 end as _tier,
          ts_rank(vector, prefixed) as _rank
        from ${words} as _words
        cross join _query
        where _words.ctid = any (array(select _row from _matched order by _id desc limit ${maxRanked}))
      )`,
      `_page as materialized (
        select _id, row_number() over (order by _tier, _rank desc, _id desc) as _place
        from (
          select * from _ranked
          union all
          select _id, 3, 0 from (
            select _id from _matched order by _id desc offset ${maxRanked}
          ) as _others
        ) as _all
        order by _place
        ${page}
      )`,
    ],
    total: "(select rows from _total)",
  };
}
