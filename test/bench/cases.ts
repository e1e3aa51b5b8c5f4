import { eitherOr, mixed, searchesOf } from "./addresses.js";
import type { Seeded } from "./seed.js";
import { grouped } from "./table.js";
import { hitCounts, rareWord } from "./words.js";

/** One row of the table: what is asked, and how much faster than the references it has to be. */
export interface Case {
  readonly name: string;
  readonly rows: 10_000 | 1_000_000;
  readonly method: "GET" | "POST" | "PATCH";
  readonly paths: (seeded: Seeded) => readonly string[];
  /** A new body for each request. */
  readonly body?: (seeded: Seeded) => object;
  /** Whether the references' database has an index for searches, as the emitted one has; `plain` has none. */
  readonly references?: "plain" | "searched";
  /** Something is written every 20 ms, so that the emitted server answers next to nothing from its cache. */
  readonly isBesideWrites?: boolean;
  /** The fewest answers in a round, where a plan's own number is too few. */
  readonly leastAnswers?: number;
  /** Least ratio of requests a second, against E and, where given, R. */
  readonly target: { readonly e: number; readonly r?: number };
}

const list = "/api/products";

/** What only reads, in the order of the table. */
export const reads: readonly Case[] = [
  {
    name: "GET one",
    rows: 10_000,
    method: "GET",
    paths: oneByOne,
    target: { e: 1.7, r: 1.1 },
  },
  {
    name: "list, 10 000 rows",
    rows: 10_000,
    method: "GET",
    paths: () => [list],
    target: { e: 3 },
  },
  {
    name: "list, 1 000 000 rows",
    rows: 1_000_000,
    method: "GET",
    paths: () => [list],
    target: { e: 50 },
  },
  {
    name: "list by an enum",
    rows: 1_000_000,
    method: "GET",
    paths: () => [`${list}?filter%5Bstatus%5D=live`],
    target: { e: 20 },
  },
  {
    name: "list by a boolean",
    rows: 1_000_000,
    method: "GET",
    paths: () => [`${list}?filter%5Bactive%5D=false`],
    target: { e: 20 },
  },
  {
    name: "last page",
    rows: 1_000_000,
    method: "GET",
    paths: ({ products }) => [`${list}?page=${Math.ceil(products / 25)}`],
    target: { e: 10 },
  },
  {
    name: "q, a rare word",
    rows: 1_000_000,
    method: "GET",
    paths: () => [`${list}?q=${rareWord}`],
    target: { e: 10 },
  },
  {
    name: "list with a link",
    rows: 10_000,
    method: "GET",
    paths: () => [`${list}?include=category`],
    target: { e: 2 },
  },
  {
    name: "list with a link, 1 000 000 rows",
    rows: 1_000_000,
    method: "GET",
    paths: () => [`${list}?include=category`],
    target: { e: 30 },
  },
  {
    name: "list with an inverse",
    rows: 10_000,
    method: "GET",
    paths: () => ["/api/categories?include=products"],
    target: { e: 1.5 },
  },
  {
    name: "where with an or",
    rows: 10_000,
    method: "GET",
    paths: (seeded) => eitherOr(seeded).slice(0, 1),
    target: { e: 1.5 },
  },
  {
    name: "where with an or, 100 in turn",
    rows: 10_000,
    method: "GET",
    paths: eitherOr,
    target: { e: 1.5 },
  },
  {
    name: "100 pages, filters and words in turn",
    rows: 10_000,
    method: "GET",
    paths: mixed,
    references: "searched",
    target: { e: 3.5 },
  },
  {
    name: "100 pages, filters and words in turn, beside writes",
    rows: 10_000,
    method: "GET",
    paths: mixed,
    references: "searched",
    isBesideWrites: true,
    target: { e: 2 },
  },
  ...hitCounts.map(
    (hits): Case => ({
      name: `q, 100 words in turn, ${grouped(hits)} hits each`,
      rows: 1_000_000,
      method: "GET",
      paths: () => searchesOf(hits),
      references: "searched",
      isBesideWrites: true,
      // What is under way at the end of a round is lost: of forty answers a quarter for E, which makes ten at once.
      leastAnswers: 64,
      target: { e: 1.5 },
    }),
  ),
  {
    name: "_stats with a field",
    rows: 1_000_000,
    method: "GET",
    paths: () => [`${list}/_stats?field=status`],
    target: { e: 50 },
  },
  {
    name: "queries: a sum by link and month",
    rows: 1_000_000,
    method: "GET",
    paths: () => [`${list}/_aggregate?sum=price&by=categoryId,createdAt:month&perPage=1000`],
    target: { e: 1 },
  },
];

const batch = "/api/_service/batch";
let written = 0;

/** Each product may be in an order once. */
function orderWithLines({ ids, customerId }: Seeded): object {
  const lines = Array.from({ length: 10 }, (_, at) => ({
    create: "order-items",
    values: {
      orderId: { ref: 0 },
      productId: ids[(written * 10 + at) % ids.length],
      quantity: 1 + at,
      unitPrice: 2.5,
    },
  }));
  return { operations: [{ create: "orders", values: newOrder(customerId) }, ...lines] };
}

function newOrder(customerId: string): object {
  written += 1;
  return { number: written, customerId, placedAt: "2026-01-31T12:00:00.000Z" };
}

/** The orders alone, which the shop posts one by one; the references have no such route. */
export const orderPosts: Case = {
  name: "POST of an order",
  rows: 10_000,
  method: "POST",
  paths: () => ["/api/orders"],
  body: ({ customerId }) => newOrder(customerId),
  target: { e: 1 },
};

/** What writes; after it the databases are no longer alike. */
export const writes: readonly Case[] = [
  {
    name: "POST",
    rows: 10_000,
    method: "POST",
    paths: () => [list],
    body: ({ categoryId }) => {
      written += 1;
      return { name: `Written ${written}`, price: 2.5, categoryId };
    },
    target: { e: 1 },
  },
  {
    name: "batch of an order and 10 lines",
    rows: 10_000,
    method: "POST",
    paths: () => [batch],
    body: orderWithLines,
    target: { e: 1 },
  },
  { name: "PATCH", rows: 10_000, target: { e: 1.5 }, ...patch(newPrice) },
  { name: "PATCH, 1 000 000 rows", rows: 1_000_000, target: { e: 1.5 }, ...patch(newPrice) },
  { name: "PATCH of a counted field", rows: 10_000, target: { e: 1.2 }, ...patch(newStatus) },
  {
    name: "PATCH of a counted field, 1 000 000 rows",
    rows: 1_000_000,
    target: { e: 1.2 },
    ...patch(newStatus),
  },
];

function patch(body: (seeded: Seeded) => object): Pick<Case, "method" | "paths" | "body"> {
  return { method: "PATCH", paths: oneByOne, body };
}

function newPrice(): object {
  written += 1;
  return { price: (written % 100_000) / 100 };
}

/** Another status each time that a record's turn comes. With a price, as those of the servers differ by now. */
function newStatus({ ids }: Seeded): object {
  written += 1;
  const round = Math.floor(written / ids.length);
  return { price: 2.5, status: ["draft", "live", "gone"][(written + round) % 3] };
}

/** Thousands of records, so that nobody measures one row that all fight over or that never grows cold. */
export function oneByOne({ ids }: Seeded): readonly string[] {
  return ids.map((id) => `${list}/${id}`);
}
