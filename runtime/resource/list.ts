import type { QueryMethod } from "../db/index.js";
import { refuse } from "../errors/index.js";
import type { Answer, Context, Read, Row } from "../http/index.js";
import { readConditions } from "./conditions.js";
import { readOrder } from "./order.js";
import {
  type Listing,
  listStatement,
  longListStatement,
  longPageBytes,
  maxPageBytes,
} from "./page.js";
import { Parameters } from "./parameters.js";
import { checkPolicy } from "./policy.js";
import { readShownRecord } from "./question/shown-fields.js";
import { accessOf } from "./read.js";
import type { Table } from "./table.js";

const defaultPerPage = 25;
const maxPerPage = 100;

/** `GET /<resource>`: 200 `{ data, meta }`; 400 with every parameter that is wrong. */
export function listRecords<Values>(table: Table<Values>): Read {
  return ({ query }) => {
    const request = readListing(table, query);
    const { values, listing } = request;
    return {
      text: listStatement(table, listing),
      values,
      via: wayOf(listing),
      resource: table.resource,
      answer: async (row, context) => {
        await checkPolicy(context, table, "list");
        const { total = null, data = null } = row;
        const bytes = longPageBytes(data);
        if (bytes !== null) return longList(table, request, bytes, context);
        return { status: 200, json: `{"data":[${data ?? ""}]${metaJson(total, request)}` };
      },
    };
  };
}

/**
 * How a list's statement is run. How many rows meet a condition without an index depends on its value, and
 * the best plan depends on their number (measured at a million rows: a plan for any value took two to four
 * times as long). A first page whose total is in the tally is quick at any size: it needs no connection of
 * its own (measured: two fifths more lists a second). Sorts by several fields, and records in
 * part, come in too many shapes to be prepared.
 */
function wayOf({ conditions, order, offset, shown }: Listing): QueryMethod {
  if (shown !== null || order.fields > 1 || conditions.some(({ index }) => index === null))
    return "search";
  const [condition, ...others] = conditions;
  const isReady =
    condition === undefined || (condition.index === "page" && condition.count !== null);
  return offset === null && order.isCreation && isReady && others.length === 0 ? "browse" : "query";
}

/** A long page: queried again, record by record, when the queue of long texts reaches it. */
function longList<Values>(
  table: Table<Values>,
  request: ListRequest,
  bytes: number,
  context: Context,
): Answer {
  const { listing, values } = request;
  if (listing.perPage > 1) checkBytes(bytes);
  const make = async () => {
    // Planned again, which costs little compared with the page, and not on the connection that others share.
    const text = longListStatement(table, listing);
    const rows = await accessOf(context, table).search<Row>(text, values);
    if (listing.perPage > 1) checkBytes(Number(rows[0]?.bytes));
    const texts = rows.flatMap(({ record = null }) => (record === null ? [] : [",", record]));
    return [`{"data":[`, ...texts.slice(1), `]${metaJson(rows[0]?.total ?? null, request)}`];
  };
  return { status: 200, json: null, long: { bytes, make } };
}

function checkBytes(bytes: number): void {
  if (bytes <= maxPageBytes) return;
  const megabytes = maxPageBytes / 1024 / 1024;
  const message = `The records of this page take more than ${megabytes} MB: ask for fewer`;
  refuse("BAD_PARAMETERS", { issues: [{ param: "perPage", message }] });
}

/** The JSON text that follows a list's records. */
function metaJson(counted: string | null, { page, listing: { perPage } }: ListRequest): string {
  const total = Number(counted);
  const meta = { page, perPage, total, totalPages: Math.ceil(total / perPage) };
  return `,"meta":${JSON.stringify(meta)}}`;
}

interface ListRequest {
  readonly page: number;
  readonly values: readonly unknown[];
  readonly listing: Listing;
}

function readListing<Values>(table: Table<Values>, query: string): ListRequest {
  const parameters = new Parameters(query);
  const page = parameters.takeInteger("page", {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    default: 1,
  });
  const perPage = parameters.takeInteger("perPage", {
    min: 1,
    max: maxPerPage,
    default: defaultPerPage,
  });
  const shown = readShownRecord(table, parameters);
  const order = readOrder(table, parameters);
  const values: unknown[] = [];
  const conditions = readConditions(table, parameters, values);
  parameters.finish();
  const offset = page === 1 ? null : skip(page, perPage, values);
  return { page, values, listing: { perPage, shown, conditions, order, offset } };
}

/** The number of rows before a page, as a text value: it may be larger than a JavaScript number can hold. */
function skip(page: number, perPage: number, values: unknown[]): string {
  values.push(String(BigInt(page - 1) * BigInt(perPage)));
  return `$${values.length}::bigint`;
}
