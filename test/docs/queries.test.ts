import { afterAll, beforeAll, expect, test } from "vitest";
import { created, openShop, type Shop } from "../support/apps/shop.js";
import { block, blocksOf, page } from "./pages.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

const requests = blocksOf(page("docs/http-api"))
  .filter(({ language }) => language === "http")
  .flatMap(({ text }) => text.trim().split("\n"));

test.each(requests)("%s", async (request) => {
  const [, path = ""] = /^GET (\S+)$/.exec(request) ?? [];
  expect(await shop.member.get(path)).toMatchObject({ status: 200 });
});

test("the conditions in JSON are sent as written", async () => {
  const where = encodeURIComponent(block("docs/http-api", "Conditions in JSON"));
  expect(await shop.member.get(`/products?where=${where}`)).toMatchObject({ status: 200 });
});

test("the conditions on related records are sent as written", async () => {
  const where = encodeURIComponent(block("docs/http-api", "Related records", 2));
  expect(await shop.member.get(`/orders?where=${where}`)).toMatchObject({ status: 200 });
});

test("a long query is sent as written", async () => {
  const query = JSON.parse(block("docs/http-api", "Long queries"));
  const { status, body } = await shop.member.post("/products/_query", query);
  expect([status, body]).toMatchObject([200, { data: [], meta: { perPage: 50, next: null } }]);
});

test("groups are answered as written", async () => {
  const written = JSON.parse(block("docs/http-api", "Groups", 2));
  for (const [at, price] of [4, 4, 4.5].entries()) {
    await created(shop.admin, "products", shop.product(`Tea ${at}`, { price, stock: 3 }));
  }
  const [first] = requests.filter((request) => request.includes("_aggregate"));
  const { text } = await shop.member.get((first ?? "").replace("GET ", ""));
  const [{ by, ...numbers }] = written.data;
  const now = {
    categoryId: shop.category.id,
    createdAt: `${new Date().toISOString().slice(0, 7)}-01`,
  };
  expect(Object.keys(by)).toEqual(Object.keys(now));
  expect(JSON.parse(text)).toEqual({ ...written, data: [{ by: now, ...numbers }] });
});

test("groups in a body are sent as written", async () => {
  const query = JSON.parse(block("docs/http-api", "Groups", 3));
  const { status, body } = await shop.member.post("/products/_aggregate", query);
  expect([status, body]).toMatchObject([
    200,
    { data: [{ by: { category: { name: "Everything" } }, distinct: { name: 3 } }] },
  ]);
});
