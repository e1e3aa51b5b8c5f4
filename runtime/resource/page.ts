import type { Condition } from "./conditions.js";
import type { Order } from "./order.js";
import type { ShownRecord } from "./question/include.js";
import type { Table } from "./table.js";
import { allRows, tallied } from "./total.js";

/** The longest page of several records in bytes: 100 records of 160 kB. */
export const maxPageBytes = 16 * 1024 * 1024;

/**
 * Bytes up to which the first statement answers a page. Most pages take a few kilobytes; of a longer one only
 * the size is returned, so that the server does not hold it in memory before its turn.
 */
const quickPageBytes = 1024 * 1024;

/** A list request, checked against the table. */
export interface Listing {
  readonly perPage: number;
  /** SQL for a record as it is shown; null for the whole record. */
  readonly shown: string | null;
  readonly form: ShownRecord["form"];
  readonly conditions: readonly Condition[];
  /** The SQL of the offset; null on the first page. */
  readonly offset: string | null;
  readonly order: Order;
  /** Whether the answer has a total. */
  readonly isCounted: boolean;
  /** Whether a tag follows each record; see `taggedSql`. */
  readonly isTagged: boolean;
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
  return textOfPage(`select string_agg(_json, ',') as records from (${rows}) as page`);
}

/** The one row's `records`, or their length. */
export function textOfPage(aggregated: string): string {
  return `(
    select
      case when octet_length(records) > ${quickPageBytes}
      then octet_length(records)::text
      else records
      end
    from (${aggregated}) as page
  )`;
}

/** The size of a page that is too long for the first statement, from its `data`; null for any other. */
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

/** Whether the tally has the total: of all rows, of those with one value of a counted field, or of own rows. */
function knownTotal<Values>(table: Table<Values>, conditions: readonly Condition[]): string | null {
  const [condition, ...others] = conditions;
  if (condition === undefined) return tallied(table, allRows);
  return others.length > 0 ? null : condition.count;
}

/** The `where` clause of all these conditions. */
export function whereOf(conditions: readonly Pick<Condition, "sql">[]): string {
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
 * Skips the rows before the page by id, often in an index alone, and from the nearer end: past the middle the
 * order is reversed.
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
