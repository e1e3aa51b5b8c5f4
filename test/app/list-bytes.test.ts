import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, parameters, type Shop } from "../support/shop.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  // Each has 180 kB, since the letter has three bytes.
  await shop.app.db.query(
    `insert into products (id, name, description, price, active, status, category_id, created_at, updated_at)
     select
       gen_random_uuid(), 'Long ' || n, repeat('€', 60000), 1, true, 'draft', $1, now(), now()
     from generate_series(1, 100) as n`,
    [shop.category.id],
  );
});
afterAll(() => shop.app.close());

test.each(["", "&page=2", "&sort=name", "&filter[status]=draft", "&filter[price]=1", "&q=long"])(
  "a page of more than 2 MB is 400 with an issue at perPage: perPage=15%s",
  async (query) => {
    const reply = await shop.admin.get(`/products?perPage=15${query}`);
    expect(parameters(reply)).toEqual(["perPage"]);
  },
);

test("a page of less is answered whole, in parts as its reader takes them", async () => {
  for (const query of [
    "perPage=10",
    "perPage=10&page=2&sort=-name",
    "perPage=1",
    "perPage=10&page=11",
  ]) {
    const { status, headers, text, body } = await shop.admin.list(`/products?${query}`);
    expect(status, query).toBe(200);
    expect(Number(headers["content-length"])).toBe(Buffer.byteLength(text));
    const lengths = new Set(body.data.map(({ description }) => String(description).length));
    expect([...lengths]).toEqual(query === "perPage=10&page=11" ? [] : [60_000]);
    const head = await shop.admin.send("HEAD", `/products?${query}`);
    expect([head.status, head.headers["content-length"]]).toEqual([200, headers["content-length"]]);
  }
});
