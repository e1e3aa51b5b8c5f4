import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../support/apps/shop.js";
import { block } from "./pages.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

test("the batch on the page runs as shown", async () => {
  await shop.app.db.query(
    "insert into categories (id, name) values ('0199c0de-0000-7000-8000-000000000001', 'Teas')",
  );
  const text = block("docs/http-api", "Batches (atomic writes)");
  const reply = await shop.admin.send("POST", "/_service/batch", { text });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({
    data: [{}, { rating: 5 }, { code: "GREENTEA" }, { position: 2 }],
  });
});
