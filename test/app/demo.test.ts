import { join } from "node:path";
import { startTestApp } from "service/testing";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createShop } from "../../fixtures/apps/shop/with-orders.js";
import { backdateIn, sender, uploader } from "../../fixtures/demo-calls.js";
import { finishLoad, isLoaded, type LoadOptions, loadShop } from "../../fixtures/demo-data.js";
import { addPictures } from "../../fixtures/demo-pictures.js";
import { writeDemoShop } from "../../fixtures/demo-shop.js";
import { midnight, storyOf } from "../../fixtures/demo-story.js";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { addAccount } from "../support/accounts/accounts.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { withVariables } from "../support/processes/environment.js";

let shop: RunningApp;
let options: LoadOptions;

/**
 * The demo draws its pictures as SVG. Files of one worker share the image library, which reads none any more where a
 * file before this one has read a picture as the server does.
 */
const svg = { operation: ["VipsForeignLoadSvg"] };
let isBlocked = false;

beforeAll(async () => {
  const dot = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  isBlocked = await sharp(dot)
    .toBuffer()
    .then(
      () => false,
      () => true,
    );
  sharp.unblock(svg);
  shop = await startApp("apps/shop");
  const staff = ["mara@example.com", "jonas@example.com"];
  for (const email of staff) {
    await addAccount(shop.db, { email, name: email, role: "editor", password: "a password" });
  }
  options = {
    send: sender(`${shop.url}/api`, shop.token),
    backdate: backdateIn(shop.db),
    folder: join(import.meta.dirname, "../../fixtures/apps/shop/data"),
    staff,
    now: new Date(),
  };
});
afterAll(async () => {
  if (isBlocked) sharp.block(svg);
  await shop.close();
});

interface Counted {
  readonly total: number;
  readonly current: number;
  readonly values: Readonly<Record<string, number>>;
  readonly series: readonly { readonly count: number }[];
}

async function counted(resource: string, query: string): Promise<Counted> {
  return (await options.send("GET", `/${resource}/_stats?${query}`)) as Counted;
}

test("a load of the demo's data continues where it was cut short, and finds what is there", async () => {
  const isCut = { ...options, send: cutAfter(7) };
  await expect(loadShop(isCut)).rejects.toThrow("cut");
  expect(await isLoaded(options)).toBe(false);
  const before = await allOf();
  const made = await loadShop(options);
  await addPictures(options.send, uploader(`${shop.url}/api`, shop.token));
  expect(await isLoaded(options)).toBe(false);
  await finishLoad(options);
  expect(await isLoaded(options)).toBe(true);
  const all = await allOf();
  expect(all).toBe(before + made + 2);
  // Once more, as if the last record alone was missing.
  expect(await loadShop(options)).toBe(0);
  expect(await allOf()).toBe(all);
});

test("the shop that it runs logs changes of products and orders, but not when they are dated back", async () => {
  const folder = makeAppFolder();
  try {
    const shopFolder = join(import.meta.dirname, "../../fixtures/apps/shop");
    writeDemoShop(shopFolder, folder);
    // A later start finds the former copy.
    writeDemoShop(shopFolder, folder);
    const { model, problems } = resolveModel(readDescriptors(findDescriptors(folder)), null);
    expect(problems).toEqual([]);
    expect(model?.resources.filter((one) => one.changes !== null).map((one) => one.name)).toEqual([
      "orders",
      "products",
    ]);
  } finally {
    removeAppFolder(folder);
  }
  await shop.db.query("call service.log_changes('products', 'products')");
  const [one] = await shop.db.query<{ id: string }>("select id from products limit 1");
  const at = new Date("2026-01-02T03:04:05Z");
  await options.backdate("products", [{ id: one?.id ?? "", at }]);
  const dated = "select created_at from products where id = $1";
  expect(await shop.db.query(dated, [one?.id])).toEqual([{ created_at: at }]);
  const logged = "select from service.changes_new union all select from service.changes";
  expect(await shop.db.query(logged)).toEqual([]);
  await shop.db.query("call service.stop_log('products')");
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
  expect(row?.first.getTime()).toBeGreaterThan(midnight(options.now, 90).getTime());
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
  expect(Object.keys(reviews.values).toSorted()).toEqual(["false", "true"]);
  const handled = await shop.db.query("select distinct handled_by_id from orders");
  expect(handled).toHaveLength(3);
});

test("each product has a picture of its own, and all together weigh less than 200 kB", async () => {
  const { data } = (await options.send("GET", "/products?perPage=100")) as {
    data: readonly { imageFile: { size: number; width: number } }[];
  };
  expect(data.length).toBe(32);
  expect(data.map(({ imageFile }) => imageFile.width)).toEqual(data.map(() => 480));
  const sizes = data.map(({ imageFile }) => imageFile.size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  expect(new Set(sizes).size).toBeGreaterThan(25);
});

test("by schedule somebody places an order now and then", async () => {
  const variables = {
    DATABASE_URL: inject("postgresUrl"),
    SHOP_STORAGE: "/nowhere",
    SERVICE_LOG_LEVEL: "silent",
  };
  const demo = await withVariables(variables, () => startTestApp(createShop));
  try {
    const until = new Date(Date.now() + 5 * 60_000);
    expect(await demo.jobs.run({ until })).toContainEqual(
      expect.objectContaining({ name: "placeOrder", result: null, error: null }),
    );
    const { categories, customers, products, orders, orderItems } = demo.app.resources;
    const { id: categoryId } = await categories.create({ name: "Teas" });
    await customers.create({ name: "Nina", email: "nina@example.com" });
    await products.create({ name: "Sencha", price: 9.5, categoryId, status: "live" });
    const later = new Date(until.getTime() + 5 * 60_000);
    const numbers = (await demo.jobs.run({ until: later })).map(({ result }) => result);
    expect(numbers.slice(0, 2)).toEqual([1, 2]);
    expect(await orders.count()).toBe(numbers.length);
    expect((await orderItems.list()).data[0]).toMatchObject({ quantity: 1, unitPrice: 9.5 });
  } finally {
    await demo.stop();
  }
});

/** Everything of the shop. */
async function allOf(): Promise<number> {
  const names = ["categories", "products", "customers", "coupons", "orders", "order-items"];
  const others = ["reviews", "promotions", "visits", "settings"];
  const totals = [...names, ...others].map(async (resource) => (await counted(resource, "")).total);
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
}

/** Loses the connection after so many batches. */
function cutAfter(many: number): LoadOptions["send"] {
  let left = many;
  return async (method, path, body) => {
    if (method === "POST") left -= 1;
    if (left < 0) throw new Error("cut");
    return options.send(method, path, body);
  };
}
