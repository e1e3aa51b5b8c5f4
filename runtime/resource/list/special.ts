import { substituteOf } from "../../values/sql/table-name.js";
import { sqlLiteral } from "../../values/sql/text.js";
import { keyColumns, type LinkedWalk, orderByColumns } from "../query/order.js";
import type { View } from "../rights/view.js";
import { idColumn } from "../table/column-keys.js";
import { type Listing, type NumberedListing, whereOf } from "./listing.js";
import { counted } from "./total.js";

/** The SQL that finds the ids of a page and its total. */
export interface PageIds {
  /** Parts of a `with` clause; one of them is `_total`, with the total in `rows`. */
  readonly ctes: readonly string[];
  /** SQL for the ids as an array. */
  readonly ids: string;
}

/** Finds the page's ids along an index of the order, if there is one; `total` is SQL. */
export function walkedIds(view: View, listing: NumberedListing, total: string): PageIds {
  return { ctes: [`_total as materialized (select ${total} as rows)`], ids: walk(view, listing) };
}

/**
 * Skips the rows before the page by id, often with an index-only scan, and from the nearer end: past the middle, the
 * order is reversed.
 */
function walk(view: View, listing: NumberedListing): string {
  const { conditions, perPage, order, offset, skipped } = listing;
  if (order.walk !== null && skipped <= maxSkipped) return walkedParts(view, listing, order.walk);
  const ids = `select ${idColumn(view)} from ${view.name}${order.joins} ${whereOf(conditions)}`;
  if (offset === null) return `array(${ids} order by ${order.forward} limit ${perPage})`;
  const left = `(select greatest(rows - ${offset}, 0) from _total)`;
  return `
            case when ${offset} <= (select rows from _total) / 2
            then array(
              ${ids}
              order by ${order.forward}
              limit ${perPage} offset ${offset}
            )
            else array(
              ${ids}
              order by ${order.backward}
              limit least(${left}, ${perPage}) offset greatest(${left} - ${perPage}, 0)
            )
            end`;
}

/** The maximum number of rows to skip along the linked records; beyond it, sorting all rows is not slower. */
const maxSkipped = 10_000;

/**
 * Finds the page's ids in the order of linked records. Rows without a linked record are read only if the others do not
 * fill the page.
 */
function walkedParts(
  view: View,
  { conditions, perPage, order, offset }: NumberedListing,
  { parts }: LinkedWalk,
): string {
  const rows = offset === null ? String(perPage) : `${offset} + ${perPage}`;
  return idsOfParts(view, { conditions, order, parts, rows, page: pageOf(perPage, offset) });
}

/** Rows in the order of linked records. */
export interface WalkedParts extends Pick<Listing, "conditions" | "order"> {
  /** SQL conditions: rows that meet one precede all rows that meet the next. */
  readonly parts: readonly string[];
  /** SQL for the maximum number of rows to read. */
  readonly rows: string;
  /** The end of the statement, which selects the page. */
  readonly page: string;
}

/** SQL for the ids of these rows as an array. Each part is read only if the previous ones have too few rows. */
export function idsOfParts(
  view: View,
  { conditions, order, parts, rows, page }: WalkedParts,
): string {
  const ctes = parts.map((part, at) => {
    const before = parts.slice(0, at).map((_, index) => `(select count(*) from _part_${index})`);
    const isOpen = before.length === 0 ? [] : [{ sql: `${before.join(" + ")} < ${rows}` }];
    return `_part_${at} as materialized (
                ${idsAndKeys(view, order)}
                ${whereOf([...conditions, { sql: part }, ...isOpen])}
                order by ${order.walk?.order ?? order.forward}
                limit ${rows}
              )`;
  });
  const all = parts.map((_, at) => `select * from _part_${at}`).join(" union all ");
  return `array(
              with ${ctes.join(",\n              ")}
              select _id
              from (${all}) as _parts
              order by ${orderByColumns(order.keys)}
              ${page}
            )`;
}

/** Up to this number of rows, a list reads, counts and sorts all of them. */
export const fewRows = 250;

/**
 * The ids and the total of rows that must be counted and have no index in the page's order. If there are few rows, they
 * are read once, then counted and sorted: PostgreSQL might scan the whole index of the order instead. Measured with
 * 30,000 rows: 200 old ones took 0.4 ms instead of 3.8; 19,400 took 2.6 ms instead of 1.7.
 */
export function idsOfFew(view: View, listing: NumberedListing): PageIds {
  const isFew = `(select count(*) from _found) <= ${fewRows}`;
  return {
    ctes: [
      found(view, listing, `limit ${fewRows + 1}`),
      `_total as materialized (
        select
          case when ${isFew}
          then (select count(*) from _found)
          else ${counted(view, listing.conditions)}
          end as rows
      )`,
    ],
    ids: `case when ${isFew} then ${sorted(listing)} else ${walk(view, listing)} end`,
  };
}

/**
 * Thresholds at which matches count as a large part of the table: several of the newest `few` rows match, and the next
 * ones fill a page. That is a fiftieth or more, unless new rows differ from old ones. Measured with a million rows: a
 * search with 4,000 hits takes 80 ms and one with 40,000 takes 347 ms; without this 97 and 452.
 *
 * In a small table, collecting all matches and sorting them is faster (measured with 10,000 rows: searches with 40 and
 * 400 hits take 0.31 and 0.73 ms instead of 0.42 and 1.06).
 */
const near = { few: 100, several: 3, more: 2_000, ofRows: 50_000 };

/**
 * The ids and the total of a page in order of creation, which always has an index. Rows are read once. If they are a
 * large part of the table, the page is found along the index, and no rows are collected for sorting. `_near`, which
 * measures the part, already has the first page.
 */
export function idsOfFound(view: View, listing: NumberedListing): PageIds {
  const { name } = view;
  const { conditions, order, perPage, offset } = listing;
  const { alias, on } = substituteOf(name);
  const newest = (rows: number) => `
            from (select * from ${name} order by ${order.forward} limit ${rows}) as ${alias}
            ${on(whereOf(conditions))}`;
  const nearIds = `(select ids from _near)`;
  const large = offset === null ? nearIds : walk(view, listing);
  return {
    ctes: [
      found(view, listing, ""),
      `_near as materialized (
        select array(select ${idColumn(view)} ${newest(near.more)} order by ${order.forward} limit ${perPage}) as ids
      )`,
      `_share as materialized (
        select
          case when ${estimatedRows(view)} < ${near.ofRows} then false
          when (select count(*) ${newest(near.few)}) >= ${near.several}
          then (select cardinality(${nearIds}) = ${perPage})
          else false
          end as is_large
      )`,
      `_total as materialized (
        select
          case when is_large
          then ${counted(view, conditions)}
          else (select count(*) from _found)
          end as rows
        from _share
      )`,
    ],
    ids: `case when (select is_large from _share) then ${large} else ${sorted(listing)} end`,
  };
}

/** SQL for PostgreSQL's estimate of the table's row count; -1 if there is no estimate. */
function estimatedRows({ name }: View): string {
  return `(select reltuples from pg_class where oid = ${sqlLiteral(name)}::regclass)`;
}

/** The CTE `_found`: the columns of `idsAndKeys` for the rows that meet the conditions, up to a limit. */
export function found(view: View, { conditions, order }: NumberedListing, limit: string): string {
  return `_found as materialized (
        ${idsAndKeys(view, order)}
        ${whereOf(conditions)}
        ${limit}
      )`;
}

/** A `select` of the ids and the sort values of a table's rows, without conditions. */
export function idsAndKeys(view: View, { keys, joins }: Listing["order"]): string {
  const columns = [`${idColumn(view)} as _id`, ...keyColumns(keys)];
  return `select ${columns.join(", ")} from ${view.name}${joins}`;
}

/** The ids of the page as an array, from `_found`. */
export function sorted({ order, perPage, offset }: NumberedListing): string {
  return `array(
              select _id
              from _found
              order by ${orderByColumns(order.keys)}
              ${pageOf(perPage, offset)}
            )`;
}

function pageOf(perPage: number, offset: string | null): string {
  return `limit ${perPage}${offset === null ? "" : ` offset ${offset}`}`;
}
