import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../support/apps/shop.js";
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

test("the conditions in JSON are asked as they are written", async () => {
  const where = encodeURIComponent(block("docs/http-api", "Conditions in JSON"));
  expect(await shop.member.get(`/products?where=${where}`)).toMatchObject({ status: 200 });
});
