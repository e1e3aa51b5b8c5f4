import type { Condition } from "./conditions.js";
import { keyColumns, type Order, orderByColumns } from "./order.js";
import { maxPageBytes, pageOf } from "./page-text.js";
import type { ShownRecord } from "./question/include.js";
import type { Table } from "./table.js";
import { allRows, tallied } from "./total.js";

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
  const isInOrder = conditions.every(({ index }) => index === "page");
  if (offset === null && !isInOrder && knownTotal(table, conditions) === null) {
    return firstPageOfFew(table, listing);
  }
  const total = totalOf(table, conditions);
  if (offset === null) {
    return `select ${total} as total, ${pageOf(firstPage(table, listing))} as data`;
  }
  return `
    with _total as materialized (select ${total} as rows)
    select
      (select rows from _total) as total,
      ${pageOf(laterPage(table, listing, offset))} as data`;
}

/** Rows up to which a total that has to be counted and its first page are found at once. */
const fewRows = 250;

/**
 * The first page of rows that have to be counted, and that no index has in the page's order. A few rows are found
 * once, then counted and sorted: PostgreSQL might have walked the whole index of the order to find a page of them
 * (measured: 200 old rows of 30,000 took 3.8 ms that way, and 0.4 ms this way; 19,400 took 1.7 ms, now 2.6).
 */
function firstPageOfFew<Values>(table: Table<Values>, listing: Listing): string {
  const { name } = table;
  const { conditions, order, perPage } = listing;
  const sorted = orderByColumns(order.keys);
  const ids = `array(select _id from _found order by ${sorted} limit ${perPage})`;
  const found = firstPage(table, { ...listing, conditions: [{ sql: `id = any(${ids})` }] });
  return `
    with
      _found as materialized (
        select ${["id as _id", ...keyColumns(order.keys)].join(", ")}
        from ${name}
        ${whereOf(conditions)}
        limit ${fewRows + 1}
      ),
      _few as materialized (select count(*) as rows from _found)
    select
      case when rows <= ${fewRows} then rows else ${counted(table, conditions)} end as total,
      case when rows <= ${fewRows}
        then ${pageOf(found)}
        else ${pageOf(firstPage(table, listing))}
      end as data
    from _few`;
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
  return knownTotal(table, conditions) ?? counted(table, conditions);
}

function counted<Values>({ name }: Table<Values>, conditions: readonly Condition[]): string {
  return `(select count(*) from ${name} ${whereOf(conditions)})`;
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
  {
    conditions,
    perPage,
    order,
    shown,
  }: Pick<Listing, "perPage" | "order" | "shown"> & {
    readonly conditions: readonly Pick<Condition, "sql">[];
  },
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
