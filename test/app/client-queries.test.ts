import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created } from "../support/apps/shop.js";
import { client } from "../support/http/client.js";

interface OwnOrders {
  get(id: string, shown: object): Promise<object | null>;
}

let app: RunningApp;
let api: ReturnType<typeof createClient>;
/** Of the app's own code. */
let resources: { readonly orders: OwnOrders };
let orderId: string;
const asked: string[] = [];
/** As they were sent, without their parameters. */
const paths: string[] = [];

beforeAll(async () => {
  app = await startApp("apps/shop", {}, (one) => {
    resources = one.resources as never;
  });
  const admin = client(app.url, app.token);
  const category = await created(admin, "categories", { name: "Everything" });
  const customer = await created(admin, "customers", { name: "Ada", email: "ada@example.com" });
  const placedAt = "2026-01-01T00:00:00Z";
  const order = await created(admin, "orders", { number: 1, customerId: customer.id, placedAt });
  orderId = order.id;
  for (const [name, quantity] of [
    ["Cup", 1],
    ["Pot", 3],
  ] as const) {
    const product = await created(admin, "products", { name, price: 1, categoryId: category.id });
    await created(admin, "order-items", { orderId, productId: product.id, quantity, unitPrice: 2 });
  }
  api = createClient({
    url: `${app.url}/api`,
    token: app.token,
    fetch: (url, request) => {
      paths.push(new URL(String(url)).pathname);
      asked.push(`${request?.method} ${decodeURIComponent(String(url).replace(app.url, ""))}`);
      return fetch(url, request);
    },
  });
});
afterAll(() => app.close());

const include = {
  items: {
    fields: ["quantity"],
    where: { quantity: { gt: 1 }, product: { name: "Pot" } },
    count: true,
    include: { product: { fields: ["name"], include: { category: true } } },
  },
  customer: { include: { orders: { perPage: 0 } } },
} as const;

test("nested includes have the same syntax for lists, queries and single records", async () => {
  const { data } = await api.orders.list({ include });
  expect(asked.at(-1)).toContain(
    "include=items,items.product,items.product.category,customer,customer.orders",
  );
  expect(asked.at(-1)).toContain(
    'include[items][where]={"quantity":{"gt":1},"product":{"name":"Pot"}}',
  );
  expect(data[0]).toMatchObject({
    items: {
      data: [{ quantity: 3, product: { name: "Pot", category: { name: "Everything" } } }],
      more: false,
      count: 1,
    },
    customer: { name: "Ada", orders: { count: 1 } },
  });
  expect((await api.orders.query({ include })).data).toEqual(data);
  expect(await api.orders.get(orderId, { include })).toEqual(data[0]);
  expect(await resources.orders.get(orderId, { include })).toEqual(data[0]);
});

test("groups are requested in the address, or in a body if that is too long", async () => {
  const query = {
    by: ["customerId", "placedAt:month"],
    distinct: ["customer.level"],
    include: { customer: { fields: ["name"] } },
  } as const;
  const groups = await api.orders.aggregate(query);
  expect(asked.at(-1)).toMatch(/^GET .*_aggregate\?/);
  expect(groups.data).toMatchObject([
    {
      by: { customer: { name: "Ada" }, placedAt: "2026-01-01" },
      count: 1,
      distinct: { "customer.level": 1 },
    },
  ]);
  const ids = Array.from({ length: 100 }, () => orderId);
  const where = { or: [{ id: { in: ids } }] };
  expect(await api.orders.aggregate({ ...query, where })).toEqual(groups);
  expect(asked.at(-1)).toBe("POST /api/orders/_aggregate");
});

test("an id that begins with _ names a record, and never an operation", async () => {
  const missing = await api.orders.get("_stats").catch((error: unknown) => error);
  expect(missing).toMatchObject({ status: 404 });
  expect(paths.at(-1)).toBe("/api/orders/%5Fstats");
});
