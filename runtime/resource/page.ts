import type { Condition } from "./conditions.js";
import type { Order } from "./order.js";
import type { Table } from "./table.js";
import { allRows, tallied } from "./total.js";

/** Bytes of a page of several records: 100 records of 160 kB. */
export const maxPageBytes = 16 * 1024 * 1024;

/**
 * Bytes up to which the first statement answers a page. Most pages take a few kilobytes; a longer one is
 * only measured, so that the server never holds it before there is room.
 */
const quickPageBytes = 1024 * 1024;

/** What a list request asks for, checked against the table. */
export interface Listing {
  readonly perPage: number;
  /** SQL for a record as it is shown; null for the whole record. */
  readonly shown: string | null;
  readonly conditions: readonly Condition[];
  /** SQL; null on the first page. */
  readonly offset: string | null;
  readonly order: Order;
}

/**
 * One statement returns the page as JSON text and the total. The limit is part of the text: with a
 * parameter PostgreSQL assumes a tenth of the table, finds the generic plan too expensive, and plans again
 * on every request (measured: 1.1 ms, more than the list itself).
 */
export function listStatement<Values>(table: Table<Values>, listing: Listing): string {
  const { conditions, offset } = listing;
  const total = totalOf(table, conditions);
  if (offset === null)
    return `select ${total} as total, ${pageOf(firstPage(table, listing))} as data`;
  return `
    with _total as materialized (select ${total} as rows)
    select
      (select rows from _total) as total,
      ${pageOf(laterPage(table, listing, offset))} as data`;
}

/**
 * The page's records in one text, null without any. A text that is longer than `quickPageBytes` is replaced
 * by its length in bytes; records begin with a brace.
 */
function pageOf(rows: string): string {
  return `(
    select
      case when octet_length(records) > ${quickPageBytes}
      then octet_length(records)::text
      else records
      end
    from (select string_agg(_json, ',') as records from (${rows}) as page) as page
  )`;
}

/** The bytes of a page that is too long for the first statement, by its `data`; null for any other. */
export function longPageBytes(data: string | null): number | null {
  return data === null || data.startsWith("{") ? null : Number(data);
}

/**
 * The statement for a long page: `total`, `bytes` and one `record` in each row, so that the server never
 * holds the page in one piece. It returns a single row without a record when the page is empty, or has
 * become too long; a page of one record never is too long.
 */
export function longListStatement<Values>(table: Table<Values>, listing: Listing): string {
  const { conditions, offset, perPage } = listing;
  const rows = offset === null ? firstPage(table, listing) : laterPage(table, listing, offset);
  const isShort = perPage === 1 ? "true" : `bytes <= ${maxPageBytes}`;
  return `
    with
      _total as materialized (select ${totalOf(table, conditions)} as rows),
      _page as materialized (select row_number() over () as at, _json from (${rows}) as page),
      _size as (select coalesce(sum(octet_length(_json)), 0) as bytes from _page)
    select (select rows from _total) as total, bytes, _json as record
    from _size left join _page on ${isShort}
    order by at`;
}

function totalOf<Values>(table: Table<Values>, conditions: readonly Condition[]): string {
  const counted = `(select count(*) from ${table.name} ${whereOf(conditions)})`;
  return knownTotal(table, conditions) ?? counted;
}

/** The tally has the number of all rows, and of those that hold one value of a counted field. */
function knownTotal<Values>(table: Table<Values>, conditions: readonly Condition[]): string | null {
  const [condition, ...others] = conditions;
  if (condition === undefined) return tallied(table, allRows);
  return condition.count === null || others.length > 0 ? null : tallied(table, condition.count);
}

function whereOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? "" : `where ${conditions.map(({ sql }) => sql).join(" and ")}`;
}

function firstPage<Values>(
  { queries: { record }, name }: Table<Values>,
  { conditions, perPage, order, shown }: Listing,
): string {
  return `
          select ${shown ?? record} as _json
          from ${name}
          ${whereOf(conditions)}
          order by ${order.forward}
          limit ${perPage}`;
}

/**
 * The rows before the page are skipped by id, often in an index alone, and from the nearer end: past the
 * middle the order is walked backwards.
 */
function laterPage<Values>(
  { queries: { record }, name }: Table<Values>,
  { conditions, perPage, order, shown }: Listing,
  offset: string,
): string {
  const ids = `select id from ${name} ${whereOf(conditions)}`;
  const left = `(select greatest(rows - ${offset}, 0) from _total)`;
  return `
          select ${shown ?? record} as _json
          from ${name}
          where id = any (
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
            end
          )
          order by ${order.forward}`;
}
