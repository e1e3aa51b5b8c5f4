import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SeedEvent } from "../../runtime/data/index.js";
import { lockNumbers } from "../../runtime/db/index.js";
import { type ImportingShop, openImportingShop } from "../support/apps/importing-shop.js";
import { lockWaiters } from "../support/database/lock-waits.js";

/** Seeds of resources about which only constraints decide, whose records are stored together; coupons have hooks. */
let shop: ImportingShop;
const hooked: string[] = [];

beforeAll(async () => {
  shop = await openImportingShop({
    coupons: {
      beforeCreate: (values) => ({ ...values, terms: `About ${values.code}` }),
      afterCreate: ({ code }) => void hooked.push(code),
    },
  });
  await shop.db.query(
    `insert into service.users (id, name, email)
    select gen_random_uuid(), name, name || '@example.com' from unnest(array['ann', 'bob']) as name`,
  );
});
afterEach(async () => {
  const tables = "categories, products, customers, coupons, orders, order_items, promotions";
  await shop.db.query(`truncate ${tables} cascade`);
  hooked.length = 0;
});
afterAll(() => shop.close());

const counts = (created: number, updated = 0, unchanged = 0) => ({ created, updated, unchanged });

const file = (key: string, records: readonly object[]) => JSON.stringify({ key, records });

function problemsOf(end: SeedEvent): readonly string[] {
  if (end.kind !== "problems") throw new Error(JSON.stringify(end));
  return end.problems.map(
    ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
  );
}

const many = (records: number, of: (at: number) => object) =>
  Array.from({ length: records }, (_, at) => of(at));

/** Teas in three categories. */
const teas = (records: number) =>
  many(records, (at) => ({
    name: `Tea ${at}`,
    price: at / 4,
    categoryId: { find: { position: 1 + (at % 3) } },
    ...(at === 7 ? { createdAt: "2026-01-02T03:04:05Z" } : {}),
  }));

const seedTeas = (products: readonly object[]) =>
  shop.seed({
    "products.json": file("name", products),
    "categories.json": file(
      "name",
      many(3, (at) => ({ name: `Teas ${at}`, position: at + 1 })),
    ),
  });

test("two thousand new records are stored by few statements, in their order", async () => {
  expect(await seedTeas(teas(2_000))).toMatchObject({
    kind: "done",
    result: { resources: { categories: counts(3), products: counts(2_000) } },
  });
  const stored = await shop.db.query<{ name: string; price: string; category: string }>(
    `select products.name, price::float8 as price, categories.name as category
    from products join categories on categories.id = category_id order by products.id`,
  );
  expect(stored).toEqual(
    many(2_000, (at) => ({ name: `Tea ${at}`, price: at / 4, category: `Teas ${at % 3}` })),
  );
  // Each statement has a savepoint of its own.
  const [statements] = await shop.db.query("select count(distinct xmin::text)::int from products");
  expect(statements).toEqual({ count: 4 });
});

test("of many stored records only the one that differs is changed", async () => {
  const before = teas(40);
  await seedTeas(before);
  expect(await seedTeas(before.with(20, { ...before[20], price: 7 }))).toMatchObject({
    result: { resources: { categories: counts(0, 0, 3), products: counts(0, 1, 39) } },
  });
  const [changed] = await shop.db.query(
    `select count(*) filter (where price = 7 and name = 'Tea 20')::int as price,
      count(*) filter (where updated_at > created_at)::int as changed,
      min(updated_at) as first
    from products`,
  );
  expect(changed).toEqual({ price: 1, changed: 1, first: new Date("2026-01-02T03:04:05Z") });
});

test("mistakes among many records are all reported, and nothing is stored", async () => {
  const [ann, bob] = await shop.db.query<{ id: string }>(
    "select id from service.users where email in ('ann@example.com', 'bob@example.com') order by email",
  );
  const customers = many(60, (at) => ({ name: `Customer ${at}`, email: `c${at}@example.com` }));
  const wrong: Readonly<Record<number, object>> = {
    10: { name: "Ann", accountId: ann?.id },
    20: { level: "tin", colour: "red" },
    30: { accountId: { find: { email: "bob@example.com" } } },
    40: { accountId: bob?.id },
    50: { accountId: { find: { email: "nobody@example.com" } } },
    55: { email: null },
  };
  const lines = customers.map((one, at) => JSON.stringify({ ...one, ...wrong[at] }));
  const end = await shop.seed({
    "customers.yaml": `key: email\nrecords:\n  - ${lines.join("\n  - ")}\n`,
    "orders.yaml": `key: number
records:
  - { number: 1, customerId: { find: { email: c20@example.com } }, placedAt: 2026-01-02T03:04:05Z }
  - { number: 2, customerId: { find: { email: c21@example.com } }, placedAt: today }
`,
  });
  expect(problemsOf(end)).toEqual([
    "seed/customers.yaml:23:61: level: Must be one of: bronze, silver, gold",
    "seed/customers.yaml:23:76: colour: Unknown field",
    "seed/customers.yaml:43:65: accountId: Another record has this value",
    'seed/customers.yaml:53:65: accountId: there is no such record of users: email "nobody@example.com"',
    "seed/customers.yaml:58:35: email: A value is required",
    "seed/orders.yaml:4:78: placedAt: Must be a time: YYYY-MM-DDThh:mm:ssZ",
  ]);
  expect(await shop.db.query("select from customers")).toEqual([]);
});

test("records may link to others of the same file, before and after them", async () => {
  const id = "018f0000-0000-7000-8000-00000000000a";
  const end = await shop.seed({
    "categories.json": file("name", [
      { name: "Leaves", parentId: { find: { name: "Sencha" } } },
      { name: "Cups" },
      { name: "Green", parentId: { find: { name: "Tea" } } },
      { name: "Sencha", parentId: { find: { name: "Green" } } },
      { name: "Tea", id },
      { name: "Black", parentId: id },
      { name: "Pots" },
    ]),
  });
  expect(end).toMatchObject({ result: { resources: { categories: counts(7) } } });
  const tree = await shop.db.query(
    "select own.name, up.name as up from categories own join categories up on up.id = own.parent_id order by 1",
  );
  expect(tree).toEqual([
    { name: "Black", up: "Tea" },
    { name: "Green", up: "Tea" },
    { name: "Leaves", up: "Sencha" },
    { name: "Sencha", up: "Green" },
  ]);
});

test("a repeated key changes its record again, whether it was stored before or not", async () => {
  const files = {
    "categories.json": file("name", [
      { name: "Tea", position: 2 },
      { name: "Cups", position: 1 },
      { name: "Tea", position: 3 },
    ]),
  };
  const positions = () => shop.db.query("select name, position::int from categories order by name");
  expect(await shop.seed(files)).toMatchObject({
    result: { resources: { categories: counts(2, 1) } },
  });
  const last = [
    { name: "Cups", position: 1 },
    { name: "Tea", position: 3 },
  ];
  expect(await positions()).toEqual(last);
  expect(await shop.seed(files)).toMatchObject({
    result: { resources: { categories: counts(0, 2, 1) } },
  });
  expect(await positions()).toEqual(last);
});

test("a seed of an empty app waits for another one, and finds its records", async () => {
  const later = await shop.db.transaction(async ({ query }) => {
    await query("select pg_advisory_xact_lock($1)", [lockNumbers.seed]);
    await query("insert into categories (id, name) values (gen_random_uuid(), 'Tea')");
    const end = shop.seed({ "coupons.json": file("code", []) }, [], { onlyEmpty: true });
    await expect.poll(() => query(lockWaiters)).toHaveLength(1);
    return { end };
  });
  expect(await later.end).toEqual({ kind: "filled" });
});

test("hooks run for each record, in their order", async () => {
  const codes = many(40, (at) => ({ code: `CODE${at + 10}` }));
  expect(await shop.seed({ "coupons.json": file("code", codes) })).toMatchObject({
    result: { resources: { coupons: counts(40) } },
  });
  expect(hooked).toEqual(many(40, (at) => `CODE${at + 10}` as never));
  const [first] = await shop.db.query("select terms from coupons order by id limit 1");
  expect(first).toEqual({ terms: "About CODE10" });
});

test("a stored file is not reused for another field", async () => {
  const red = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const categories = [{ name: "Tea", banner: { file: "red.png" } }];
  const files = { "categories.json": file("name", categories), "red.png": red };
  expect(await shop.seed(files)).toMatchObject({ kind: "done" });
  const [{ banner: image } = {}] = await shop.db.query<{ banner: string }>(
    "select banner from categories",
  );
  const categoryId = { find: { name: "Tea" } };
  const products = [
    { name: "Assam", price: 1, categoryId, image: { file: "red.png" } },
    { name: "Sencha", price: 1, categoryId, image },
  ];
  const end = await shop.seed({ ...files, "products.json": file("name", products) });
  expect(problemsOf(end)).toEqual([expect.stringMatching(/^seed\/products.json:1:\d+: image: /)]);
});
