import type { Condition } from "./conditions.js";
import type { Order } from "./order.js";
import type { Table } from "./table.js";
import { allRows, tallied } from "./total.js";

/**
 * Bytes of a page of several records: 100 records of 20 kB. Longer pages would let a few clients that do
 * not read fill a server's memory, and keep others waiting while they are made.
 */
export const mostPageBytes = 2 * 1024 * 1024;

/** What a list request asks for, checked against the table. */
export interface Listing {
  readonly perPage: number;
  readonly conditions: readonly Condition[];
  /** SQL; null on the first page. */
  readonly offset: string | null;
  readonly order: Order;
}

/**
 * One statement gives the page as JSON text and the total. The limit stands in the text: for one that
 * it does not know, PostgreSQL plans a tenth of the table, finds the prepared plan too dear, and plans
 * anew on every request (measured: 1.1 ms, more than the list itself).
 */
export function listStatement<Values>(table: Table<Values>, listing: Listing): string {
  const { conditions, offset, perPage } = listing;
  const where = whereOf(conditions);
  const total = knownTotal(table, conditions) ?? `(select count(*) from ${table.name} ${where})`;
  if (offset === null)
    return `select ${total} as total, ${pageOf(firstPage(table, listing), perPage)} as data`;
  return `
    with _total as materialized (select ${total} as rows)
    select
      (select rows from _total) as total,
      ${pageOf(laterPage(table, listing, offset), perPage)} as data`;
}

/**
 * The page's records in one text, null without any. A text that is too long becomes empty, so that the
 * server never has it; a single record is always shown.
 */
function pageOf(rows: string, perPage: number): string {
  const joined = `select string_agg(_json, ',') as records from (${rows}) as page`;
  if (perPage === 1) return `(${joined})`;
  const bounded = `case when octet_length(records) > ${mostPageBytes} then '' else records end`;
  return `(select ${bounded} from (${joined}) as page)`;
}

/** The tally answers for all rows, and for those that hold one value of a field that it counts. */
function knownTotal<Values>(table: Table<Values>, conditions: readonly Condition[]): string | null {
  const [condition, ...others] = conditions;
  if (condition === undefined) return tallied(table, allRows);
  return condition.count === null || others.length > 0 ? null : tallied(table, condition.count);
}

function whereOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? "" : `where ${conditions.map(({ sql }) => sql).join(" and ")}`;
}

function firstPage<Values>(
  { record, name }: Table<Values>,
  { conditions, perPage, order }: Listing,
): string {
  return `
          select ${record} as _json
          from ${name}
          ${whereOf(conditions)}
          order by ${order.forward}
          limit ${perPage}`;
}

/**
 * What lies before the page is passed over by its ids, often in an index alone, and from the nearer
 * end: past the middle the order is walked backwards.
 */
function laterPage<Values>(
  { record, name }: Table<Values>,
  { conditions, perPage, order }: Listing,
  offset: string,
): string {
  const ids = `select id from ${name} ${whereOf(conditions)}`;
  const left = `(select greatest(rows - ${offset}, 0) from _total)`;
  return `
          select ${record} as _json
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
