import { afterAll, beforeAll, expect, test } from "vitest";
import { orders } from "../../fixtures/apps/shop/generated/orders/table.js";
import type { Context, PlannedRead } from "../../runtime/http/index.js";
import { listRecords } from "../../runtime/resource/list/list.js";
import { getRecord } from "../../runtime/resource/record/read.js";
import { openShop, type Shop } from "../support/apps/shop.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  const { db } = shop.app;
  const words = "repeat('words ', 40)";
  await db.query(`insert into categories (id, name, summary, position)
    select gen_random_uuid(), 'Category ' || n, ${words}, 1 from generate_series(1, 20) as n`);
  await db.query(`insert into customers (id, name, email, level, newsletter, notes, account_id)
    select gen_random_uuid(), ${words} || n, n || '@example.com', 'gold', false, ${words}, null
    from generate_series(1, 200) as n`);
  await db.query(`insert into coupons (id, code, discount, starts_at, terms)
    select gen_random_uuid(), 'CODE' || n, 0.1, now(), ${words} from generate_series(1, 50) as n`);
  await db.query(`insert into products (id, name, price, active, status, category_id)
    select gen_random_uuid(), 'Product ' || n, n, true, 'live', (select id from categories limit 1)
    from generate_series(1, 500) as n`);
  await db.query(`insert into orders (id, number, customer_id, coupon_id, handled_by_id, status, placed_at)
    select gen_random_uuid(), n, (array(select id from customers))[1 + n % 200],
      (array(select id from coupons))[1 + n % 50], (select id from service.users limit 1), 'open', now()
    from generate_series(1, 1000) as n`);
  await db.query(`insert into order_items (id, order_id, product_id, quantity, unit_price)
    select gen_random_uuid(), orders.id, products.id, 1, 1
    from orders, lateral (select id from products order by md5(products.id::text || orders.id) limit 10) as products
    where number <= 200`);
  await db.query("analyze");
});
afterAll(() => shop.app.close());

test("a list of 100 with its related records takes little memory, every time", async () => {
  const query =
    "perPage=100&sort=number&include=customer,coupon,handledBy,items&include[items][perPage]=50";
  const ask = async () => {
    const { status, text } = await shop.admin.list(`/orders?${query}`);
    expect(status).toBe(200);
    return text.length;
  };
  await ask();
  const before = process.memoryUsage.rss();
  for (let times = 0; times < 20; times += 1) expect(await ask()).toBeGreaterThan(300_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 * 1024);
});

const asking = (query: string, params = {}) =>
  ({ query, params, services: { isTrusted: true, policies: {} } }) as unknown as Context;

test.each([
  ["include=items", { cost: "scan" }],
  ["include=items.product", { cost: "scan" }],
  ["include=items,customer", { cost: "scan", isVaried: true }],
  ["include=customer", { cost: "index" }],
])("a list with %s is planned as %o", (query, plan) => {
  expect(listRecords(orders)(asking(query))).toMatchObject(plan);
});

test("records related to one record are read once", async () => {
  const context = asking("include=customer,items", { id: shop.category.id });
  const { text, values } = getRecord(orders)(context) as PlannedRead;
  const { db } = shop.app;
  const lines = await db.query<object>(`explain (costs off) ${text}`, values);
  const plan = lines.flatMap((line) => Object.values(line)).join("\n");
  expect(plan.match(/ on (customers|order_items)\b/g)?.toSorted()).toEqual([
    " on customers",
    " on order_items",
  ]);
});
