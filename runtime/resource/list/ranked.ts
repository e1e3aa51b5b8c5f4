import { sqlLiteral } from "../../values/sql/text.js";
import type { Search } from "../query/words/search.js";
import type { View } from "../rights/view.js";
import { idColumn } from "../table/column-keys.js";
import { type NumberedListing, whereOf } from "./listing.js";

/** The largest total that is counted. */
export const maxTotal = 100_000;

/** The maximum number of matches to rank: the newest ones. All others follow them. */
const maxRanked = 20_000;

/**
 * The highest estimate at which a search first assumes that it can rank all matches. Words missing in PostgreSQL's
 * statistics are estimated at a two-hundredth of the rows for each form: 5,000 of a million.
 */
const maxEstimate = 50_000;

/**
 * Bytes of memory for a search, enough for a bitmap with the matches in two million records. With PostgreSQL's usual 4
 * MB the bitmap would hold whole pages, and all their words are compared again (measured with 100,000 matches in a
 * million records: 640 ms of CPU time instead of 355).
 */
const memory = 32 * 1024 * 1024;

/** A numbered list in the order of its search. */
export interface RankedListing extends NumberedListing {
  readonly search: Search;
}

export function isRanked(listing: NumberedListing): listing is RankedListing {
  return listing.search !== null;
}

/**
 * Builds the parts of a page's statement. Exact matches of words come first, then matches of stems, then of prefixes;
 * within each group the rank decides, then the newest id.
 *
 * If few matches are estimated, each is ranked where it is found. Otherwise only the row positions are collected, in
 * order of ids, which often is the order of the scan. The newest are then read again for ranking. Measured with 10,000
 * and 100,000 matches in a million records: 33 and 280 ms; 54 ms if the 10,000 are read again.
 */
export function rankedParts(view: View, { search, conditions, perPage, offset }: RankedListing) {
  const { words, queries } = search;
  const seen =
    conditions.length === 0
      ? ""
      : `
          and exists (
            select from ${view.name} ${whereOf([{ sql: `${view.name}.${idColumn(view.table)} = _words.id` }, ...conditions])}
          )`;
  const ranked = `
          select
            _words.id as _id,
            case
              when vector @@ (select exact from _query) then 0
              when vector @@ (select stemmed from _query) then 1
              else 2
            end as _tier,
            ts_rank(vector, (select prefixed from _query)) as _rank
          from ${words} as _words`;
  const order = "order by _tier, _rank desc, _id desc";
  return {
    ctes: [
      queryPart(words, queries),
      `_few as materialized (${ranked}
          where (select _is_few from _query)
            and _words.vector @@ (select prefixed from _query)${seen}
          limit ${maxRanked + 1}
      )`,
      `_found as materialized (
        select
          _count,
          case when not _is_few or _count > ${maxRanked} then array(
            select _words.ctid
            from ${words} as _words
            where _words.vector @@ _query.prefixed${seen}
            order by _words.id
          ) end as _rows
        from _query
        cross join (select count(*)::integer as _count from _few) as _counted
      )`,
      "_total as materialized (select coalesce(cardinality(_rows), _count) as rows from _found)",
      `_page as materialized (
        select _id, row_number() over (${order}) as _place
        from (
          select * from _few where (select _rows is null from _found)
          union all ${ranked}
          where _words.ctid = ${newest("1", String(maxRanked))}
          union all
          select _words.id, 3, 0
          from ${words} as _words
          where _words.ctid = ${newest(String(maxRanked + 1), lastOf(perPage, offset))}
          ${order}
          limit ${perPage}${offset === null ? "" : ` offset ${offset}`}
        ) as _top
      )`,
    ],
    total: "(select rows from _total)",
  };
}

/** The queries, and whether few matches are estimated; from here on the statement has more memory. */
function queryPart(words: string, queries: string): string {
  return `_query as materialized (
        select
          *,
          service.estimated_matches(${sqlLiteral(words)}::regclass, prefixed) <= ${maxEstimate} as _is_few,
          case when pg_size_bytes(current_setting('work_mem')) < ${memory}
          then set_config('work_mem', '${memory / 1024}kB', true)
          end as _memory
        from (${queries}) as _sent
      )`;
}

/** SQL for the newest matches from one position to another, both counted from 1. */
function newest(first: string, last: string): string {
  const rows = `_rows[cardinality(_rows) + 1 - ${last}:cardinality(_rows) + 1 - ${first}]`;
  return `any ((select ${rows} from _found)::tid[])`;
}

/** SQL for the position of the last match that a page may show. */
function lastOf(perPage: number, offset: string | null): string {
  if (offset === null) return String(perPage);
  return `least(least(${offset}, ${maxTotal})::integer + ${perPage}, ${maxTotal + 1})`;
}
