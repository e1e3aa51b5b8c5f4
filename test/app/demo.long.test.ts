import { join } from "node:path";
import { startTestApp } from "service-cli/testing";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
import { createShop } from "../../fixtures/apps/shop/with-orders.js";
import { writeDemoShop } from "../../fixtures/demo-shop.js";
import { midnight, storyOf } from "../../fixtures/demo-story.js";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import type { SeedEvent } from "../../runtime/data/index.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import {
  demoDescriptors,
  example,
  openDemo,
  type SeededDemo,
} from "../support/apps/seeded-demo.js";
import { startWrittenApp } from "../support/apps/written-app.js";
import { withVariables } from "../support/processes/environment.js";

let shop: RunningApp;
let demo: SeededDemo;
let folder: string;
const now = new Date();

beforeAll(async () => {
  shop = await startApp("apps/shop");
  demo = await openDemo(shop, now);
  folder = makeAppFolder();
});
afterAll(async () => {
  await demo.close();
  await shop.close();
  removeAppFolder(folder);
});

async function get(path: string): Promise<unknown> {
  const headers = { accept: "application/json", authorization: `Bearer ${shop.token}` };
  const response = await fetch(`${shop.url}/api${path}`, { headers });
  return response.json();
}

interface Counted {
  readonly total: number;
  readonly current: number;
  readonly values: Readonly<Record<string, number>>;
  readonly series: readonly { readonly count: number }[];
}

async function counted(resource: string, query: string): Promise<Counted> {
  return (await get(`/${resource}/_stats?${query}`)) as Counted;
}

test("the demo's records are stored by one seed, which finds them when it is run again", async () => {
  const sums = (end: SeedEvent) => {
    if (end.kind !== "done") throw new Error(JSON.stringify(end));
    const { resources, files } = end.result;
    const all = Object.values(resources);
    const sum = (key: "created" | "updated" | "unchanged") =>
      all.reduce((total, one) => total + one[key], 0);
    const [created, updated, unchanged] = [sum("created"), sum("updated"), sum("unchanged")];
    return { resources: all.length, created, updated, unchanged, files };
  };
  const { records } = demo;
  const first = { resources: 10, created: records, updated: 0, unchanged: 0, files: 32 };
  expect(sums(await demo.seed())).toEqual(first);
  const again = { resources: 10, created: 0, updated: 0, unchanged: records, files: 0 };
  expect(sums(await demo.seed())).toEqual(again);
});

test("the shop that it runs logs changes of products and orders", () => {
  const copy = join(folder, "copy");
  writeDemoShop(example, copy);
  // A later start finds the former copy.
  writeDemoShop(example, copy);
  const { model, problems } = resolveModel(readDescriptors(findDescriptors(copy)), null);
  expect(problems).toEqual([]);
  expect(model?.resources.filter((one) => one.changes !== null).map((one) => one.name)).toEqual([
    "orders",
    "products",
  ]);
});

test("the shop that it runs shows live products, and their visible categories, without a token", async () => {
  const site = await startWrittenApp({ descriptors: demoDescriptors(join(folder, "public")) });
  try {
    const admin = (await site.caller("admin")).client;
    const made = async (resource: string, values: object) =>
      (await admin.post(`/${resource}`, values)).body.id;
    const teas = await made("categories", { name: "Teas" });
    const hidden = await made("categories", { name: "Hidden", visible: false });
    await made("products", { name: "Draft", price: 1, categoryId: teas });
    await made("products", { name: "Assam", price: 2, categoryId: teas, status: "live" });
    await made("products", { name: "Rest", price: 3, categoryId: hidden, status: "live" });
    const visitor = createClient({ url: `${site.url}/api` });
    const { data, meta } = await visitor.products.list({
      sort: ["name"],
      include: { category: { fields: ["name"] } },
    });
    expect(data.map(({ name, category }) => [name, category?.name ?? null])).toEqual([
      ["Assam", "Teas"],
      ["Rest", null],
    ]);
    expect(meta.total).toBe(2);
  } finally {
    await site.close();
  }
});

test("its records are spread over the last ninety days", async () => {
  for (const resource of ["orders", "order-items", "visits"]) {
    const { total, current, series } = await counted(resource, "days=90&series=week");
    expect(current, resource).toBe(total);
    expect(series.filter(({ count }) => count > 0).length, resource).toBeGreaterThanOrEqual(13);
    expect(Math.max(...series.map(({ count }) => count))).toBeLessThan(total / 4);
  }
  const [row] = await shop.db.query<{ last: Date; first: Date }>(
    "select max(created_at) as last, min(created_at) as first from orders",
  );
  expect(row?.last.getTime()).toBeLessThanOrEqual(Date.now());
  expect(row?.first.getTime()).toBeGreaterThan(midnight(now, 90).getTime());
});

test("its figures are the same on every day and at every hour", () => {
  const figures = [new Date(2026, 4, 3, 0, 1), new Date(2026, 4, 3, 23), new Date(2027, 0, 1, 12)]
    .map((now) => {
      const at = midnight(now, 90);
      const products = [9.9, 7.5, 12].map((price) => ({ name: `At ${price}`, price, at }));
      const customers = [90, 60, 9].map((age) => ({ email: `${age}`, at: midnight(now, age) }));
      return storyOf({ products, customers, staff: ["mara", "jonas"] }, now);
    })
    .map(({ orders, reviews, visits, ...rest }) => ({
      orders: orders.map(({ values: { placedAt, shippedOn, ...order } }) => order),
      items: rest["order-items"].map(({ values }) => values),
      reviews: reviews.map(({ values: { visitedOn, ...review } }) => review),
      visits: visits.length,
    }));
  expect(figures[1]).toEqual(figures[0]);
  expect(figures[2]).toEqual(figures[0]);
  expect(figures[0]?.reviews.length).toBeGreaterThan(5);
});

test("its orders, drafts and reviews look like those of a shop", async () => {
  const orders = await counted("orders", "field=status");
  expect(Object.keys(orders.values).toSorted()).toEqual(["cancelled", "open", "paid", "shipped"]);
  expect(orders.values.shipped).toBeGreaterThan(orders.total * 0.8);
  const products = await counted("products", "field=status");
  expect(products.values).toEqual({ draft: 4, live: 27, gone: 1 });
  const reviews = await counted("reviews", "field=approved");
  expect(reviews.values.true).toBeGreaterThan(5);
  expect(reviews.values.false).toBeGreaterThan(0);
  const handled = await shop.db.query("select distinct handled_by_id from orders");
  expect(handled).toHaveLength(3);
});

test("each product has its own picture, and all together weigh less than 200 kB", async () => {
  const { data } = (await get("/products?perPage=100")) as {
    data: readonly { imageFile: { size: number; width: number } }[];
  };
  expect(data.length).toBe(32);
  expect(data.map(({ imageFile }) => imageFile.width)).toEqual(data.map(() => 480));
  const sizes = data.map(({ imageFile }) => imageFile.size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  expect(new Set(sizes).size).toBeGreaterThan(25);
});

test("a schedule places an order now and then", async () => {
  const variables = {
    DATABASE_URL: inject("postgresUrl"),
    SHOP_STORAGE: "/nowhere",
    SERVICE_LOG_LEVEL: "silent",
  };
  const running = await withVariables(variables, () => startTestApp(createShop));
  try {
    const until = new Date(Date.now() + 5 * 60_000);
    expect(await running.jobs.run({ until })).toContainEqual(
      expect.objectContaining({ name: "placeOrder", result: null, error: null }),
    );
    const { categories, customers, products, orders, orderItems } = running.app.resources;
    const { id: categoryId } = await categories.create({ name: "Teas" });
    await customers.create({ name: "Nina", email: "nina@example.com" });
    await products.create({ name: "Sencha", price: 9.5, categoryId, status: "live" });
    const later = new Date(until.getTime() + 5 * 60_000);
    const numbers = (await running.jobs.run({ until: later })).map(({ result }) => result);
    expect(numbers.slice(0, 2)).toEqual([1, 2]);
    expect(await orders.count()).toBe(numbers.length);
    expect((await orderItems.list()).data[0]).toMatchObject({ quantity: 1, unitPrice: 9.5 });
  } finally {
    await running.stop();
  }
});
