import type { Way } from "../db/index.js";
import { refuse } from "../errors/index.js";
import type { Read, Row } from "../http/index.js";
import { readConditions } from "./conditions.js";
import { readOrder } from "./order.js";
import { type Listing, listStatement, mostPageBytes } from "./page.js";
import { Parameters } from "./parameters.js";
import { checkPolicy } from "./policy.js";
import type { Table } from "./table.js";

const defaultPerPage = 25;
const maxPerPage = 100;

/** `GET /<resource>`: 200 `{ data, meta }`; 400 with every parameter that is wrong. */
export function listRecords<Values>(table: Table<Values>): Read {
  return ({ query }) => {
    const { page, values, listing } = readListing(table, query);
    return {
      text: listStatement(table, listing),
      values,
      via: wayOf(listing),
      resource: table.resource,
      answer: async (row, asked) => {
        await checkPolicy(asked, table, "list");
        if (row.data === "") refuseLongPage();
        return { status: 200, json: listJson(row, { page, perPage: listing.perPage }) };
      },
    };
  };
}

/**
 * How many rows fulfil a condition without an index depends on its value, and the best plan on how
 * many they are (measured at a million rows: a plan for any value took two to four times as long).
 * A first page whose total the tally knows is quick at any size: it need not take a connection for
 * itself (measured: two fifths more lists a second).
 */
function wayOf({ conditions, order, offset }: Listing): Way {
  if (conditions.some(({ index }) => index === null)) return "search";
  const [condition, ...others] = conditions;
  const isReady =
    condition === undefined || (condition.index === "page" && condition.count !== null);
  return offset === null && order.isCreation && isReady && others.length === 0 ? "browse" : "query";
}

function refuseLongPage(): never {
  const megabytes = mostPageBytes / 1024 / 1024;
  const message = `The records of this page take more than ${megabytes} MB: ask for fewer`;
  return refuse("BAD_PARAMETERS", { issues: [{ param: "perPage", message }] });
}

function listJson(
  { data, total: counted }: Row,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): string {
  const total = Number(counted);
  const meta = { page, perPage, total, totalPages: Math.ceil(total / perPage) };
  return `{"data":[${data ?? ""}],"meta":${JSON.stringify(meta)}}`;
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
  const order = readOrder(table, parameters);
  const values: unknown[] = [];
  const conditions = readConditions(table, parameters, values);
  parameters.finish();
  const offset = page === 1 ? null : skip(page, perPage, values);
  return { page, values, listing: { perPage, conditions, order, offset } };
}

/** What lies before a page, as a value of its own: it may be larger than a JavaScript number holds. */
function skip(page: number, perPage: number, values: unknown[]): string {
  values.push(String(BigInt(page - 1) * BigInt(perPage)));
  return `$${values.length}::bigint`;
}
