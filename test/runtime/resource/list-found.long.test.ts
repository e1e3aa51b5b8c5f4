import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { categories as categoriesTable } from "../../../fixtures/apps/shop/generated/categories/table.js";
import { products as productsTable } from "../../../fixtures/apps/shop/generated/products/table.js";
import type { Context, PlannedRead, Read } from "../../../runtime/http/index.js";
import { listRecords } from "../../../runtime/resource/index.js";
import { type RunningApp, startApp } from "../../support/apps/app.js";
import { type Client, client } from "../../support/http/client.js";

const rows = 6_000;

/** How many of the products, and which ones: the newest, the oldest or some of everywhere. */
const hits = {
  zero: "false",
  single: "n = 3000",
  twohundredfifty: "n <= 250",
  threehundredold: "n <= 300",
  threehundrednew: `n > ${rows - 300}`,
  twentynew: `n > ${rows - 20} or n <= 300`,
  scattered: "n % 17 = 0",
  half: "n % 2 = 0",
} as const;

let app: RunningApp;
let member: Client;
let categories: readonly string[];
beforeAll(async () => {
  app = await startApp("apps/shop");
  member = client(app.url, app.token);
  const made = await app.db.query<{ id: string }>(
    `insert into categories (id, name)
     select gen_random_uuid(), 'Category ' || n from generate_series(1, 5) as n
     returning id`,
  );
  categories = made.map(({ id }) => id);
  const words = Object.entries(hits).map(([word, sql]) => `case when ${sql} then '${word}' end`);
  // The categories have 249, 250, 251, no and all other products.
  await app.db.query(
    `insert into products (id, name, price, status, category_id, created_at)
     select
       gen_random_uuid(),
       concat_ws(' ', ${words.join(", ")}, n),
       n,
       (array['draft', 'live', 'gone'])[n % 3 + 1],
       ($2::uuid[])[case when n <= 249 then 1 when n <= 499 then 2 when n <= 750 then 3 else 5 end],
       now() - ($1 - n / 2) * interval '1 minute'
     from generate_series(1, $1::int) as n`,
    [rows, categories],
  );
  await app.db.query("alter table products set (autovacuum_enabled = false)");
  await app.db.query("analyze products");
});
afterAll(() => app.close());

/** Lets PostgreSQL take the products for that many rows; nothing else of what it knows changes. */
async function estimate(many: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    await tx.query("set local allow_system_table_mods = on");
    await tx.query("update pg_class set reltuples = $1 where oid = 'products'::regclass", [many]);
  });
}

/** A table is examined for what is a large part of it where it is large itself. */
const sizes = [rows, 1_000_000];

async function expectPages(parameters: string, sql: string): Promise<void> {
  const expected = await app.db.query<{ id: string }>(
    `select id from products where ${sql} order by created_at desc, id desc`,
  );
  const ids = expected.map(({ id }) => id);
  const last = Math.max(1, Math.ceil(ids.length / 25));
  const pages = [...new Set([1, 2, Math.ceil(last / 2), last, last + 1])];
  for (const page of pages) {
    const { status, body, text } = await member.list(`/products?${parameters}&page=${page}`);
    expect(status, text).toBe(200);
    expect(body.meta.total, `page ${page} of ${parameters}`).toBe(ids.length);
    expect(body.data.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 25, page * 25));
  }
}

/** A condition as it is sent, and the rows that meet it. */
type Asked = readonly [parameters: string, sql: string];

function where(json: object, sql: string): Asked {
  return [`where=${encodeURIComponent(JSON.stringify(json))}`, sql];
}

describe.each(sizes)(
  "every page of rows to be counted, among %i, has the total and the records",
  (many) => {
    beforeAll(() => estimate(many));
    const words = Object.keys(hits);

    test.each(words)("of a search for %s", (word) =>
      expectPages(`q=${word.toUpperCase()}`, `name like '%${word}%'`),
    );

    test.each(words)("of a search for a part of %s that no index finds, in a filter", (word) =>
      expectPages(`filter[name][contains]=${word}`, `name like '%${word}%'`),
    );

    test.each(["a", "", "tw", "d 4"])("of a search for %j, which is short", (word) =>
      expectPages(`q=${encodeURIComponent(word)}`, `name like '%${word}%'`),
    );

    test("of a search with a filter", () =>
      expectPages(
        "q=scattered&filter[status]=live",
        "name like '%scattered%' and status = 'live'",
      ));

    test.each([0, 1, 2, 3, 4])(
      "of the category %i, of 249, 250, 251, none or all others",
      async (at) => {
        const id = categories[at];
        await expectPages(`filter[categoryId]=${id}`, `category_id = '${id}'`);
        await expectPages(...where({ categoryId: id }, `category_id = '${id}'`));
      },
    );

    test("of one of several equalities, of which records may meet two", async () => {
      const [a, b, , none, other] = categories;
      const known = (
        await app.db.query<{ name: string }>("select name from products where price in (1, 5999)")
      ).map(({ name }) => name);
      const either: readonly Asked[] = [
        where(
          { or: [{ categoryId: a }, { name: known[0] }] },
          `category_id = '${a}' or name = '${known[0]}'`,
        ),
        where(
          { or: [{ categoryId: b }, { name: known[1] }] },
          `category_id = '${b}' or name = '${known[1]}'`,
        ),
        where({ or: [{ categoryId: none }, { name: "?" }] }, "false"),
        where({ or: [{ categoryId: none }, { categoryId: other }] }, `category_id = '${other}'`),
        where(
          { or: [{ categoryId: a }, { and: [{ name: known[0] }] }, { status: "gone" }] },
          `category_id = '${a}' or status = 'gone'`,
        ),
        where(
          { and: [{ categoryId: a }, { name: known[0] }] },
          `name = '${known[0]}' and category_id = '${a}'`,
        ),
        where(
          { or: [{ categoryId: a, name: known[0] }, { name: known[1] }] },
          `name = '${known[1]}' or name = '${known[0]}' and category_id = '${a}'`,
        ),
        where(
          { not: { or: [{ categoryId: a }, { categoryId: b }] } },
          `category_id not in ('${a}', '${b}')`,
        ),
        where({ or: [] }, "false"),
      ];
      for (const [parameters, sql] of either) await expectPages(parameters, sql);
    });
  },
);

test("plans of the most recent queries are kept, for each list of an app", () => {
  const [products, others] = [listRecords(productsTable), listRecords(categoriesTable)];
  const services = { isTrusted: true, policies: {} };
  const plan = (list: Read, query: string, of: object = services) =>
    list({ query, services: of } as unknown as Context);
  const first = plan(products, "page=2");
  expect(plan(products, "page=2")).toBe(first);
  expect(plan(products, "page=3")).not.toBe(first);
  expect(plan(others, "page=2")).not.toBe(first);
  expect(plan(products, "page=2", { ...services, policies: {} })).not.toBe(first);
  for (let again = 0; again < 2; again += 1) expect(() => plan(products, "page=0")).toThrow();
  const long = `filter[name]=${"a".repeat(500)}`;
  expect(plan(products, long)).not.toBe(plan(products, long));
  for (let page = 3; page <= 500; page += 1) plan(products, `page=${page}`);
  expect(plan(products, "page=2")).toBe(first);
  for (let page = 3; page <= 502; page += 1) plan(products, `page=${page}`);
  expect(plan(products, "page=2")).not.toBe(first);
});

/** The read of a list, for everybody. */
function planned(query: string): PlannedRead {
  const context = { query, services: { isTrusted: true, policies: {} } } as unknown as Context;
  return listRecords(productsTable)(context) as PlannedRead;
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Plan[];
}

/** How often the statement of a list looks for the rows that meet its conditions. */
async function searchesOf(query: string): Promise<number> {
  return countScans(await planOf(planned(query)));
}

async function planOf({ text, values }: Pick<PlannedRead, "text" | "values">): Promise<Plan> {
  const [explained] = await app.db.query<{ "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  if (explained === undefined) throw new Error("There is no plan");
  return explained["QUERY PLAN"][0].Plan;
}

/** Whether the newest records are read in their order. */
function readsNewest({ Plans = [], ...node }: Plan): boolean {
  const isOne = node["Index Name"] === "products__created_at__index" && node["Actual Loops"] > 0;
  return isOne || Plans.some(readsNewest);
}

/** Scans of the products, except those that look records up by id or read the newest ones. */
function countScans({ Plans = [], ...node }: Plan): number {
  const byIndex = node["Index Name"] ?? Plans[0]?.["Index Name"] ?? "";
  const isOther = byIndex === "products__pk" || byIndex === "products__created_at__index";
  const isScan = node["Relation Name"] === "products" && node["Actual Loops"] > 0 && !isOther;
  return Plans.reduce((sum, plan) => sum + countScans(plan), isScan ? 1 : 0);
}

describe.each(sizes)("rows that have to be counted, among %i, are found once", (many) => {
  beforeAll(() => estimate(many));
  test.each([
    "q=scattered",
    "q=threehundredold",
    "q=threehundredold&page=7",
    "q=single",
    "filter[price][lte]=400",
    "filter[price][lte]=400&page=3&sort=createdAt",
    "q=half",
  ])("for %s", async (query) => {
    expect(await searchesOf(query)).toBe(1);
  });
});

test.each([
  [rows, false],
  [1_000_000, true],
])("whether hits are a large part is looked up among %i records: %s", async (many, isExamined) => {
  await estimate(many);
  expect(readsNewest(await planOf(planned("q=half")))).toBe(isExamined);
});

describe("a list is planned", () => {
  test.each([
    ["index", "page=401"],
    ["scan", "page=402"],
    ["index", "filter[status]=live&page=100&perPage=100"],
    ["scan", "filter[status]=live&page=102&perPage=100"],
    ["scan", "filter[categoryId]=00000000-0000-4000-8000-000000000000"],
    ["scan", "filter[categoryId]=00000000-0000-4000-8000-000000000000&filter[status]=live"],
    ["scan", "q=sea"],
    ["varied scan", "q=se"],
    ["scan", "q=%C3%A4%C3%B6%C3%BC"],
    ["varied scan", "q=%D1%87%D0%B0%D0%B9"],
    ["varied scan", "q=sea&filter[price]=3"],
  ])("as %s for %s", (way, query) => {
    const { cost, isVaried } = planned(query);
    expect(isVaried === true ? `varied ${cost}` : cost).toBe(way);
  });
});
