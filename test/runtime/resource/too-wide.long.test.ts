import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal, openShop, type Shop } from "../../support/apps/shop.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

test("a record for which PostgreSQL has no room is 422 at its longest value", async () => {
  const product = await created(shop.admin, "products", shop.product("Narrow"));
  const columns = Array.from(
    { length: 400 },
    (_, at) => `add column _${at} text default repeat('x', 23)`,
  );
  // What somebody added by hand fills the row of 8 kB nearly whole.
  await shop.app.db.query(`alter table products ${columns.slice(0, 330).join(", ")}`);
  await created(shop.admin, "products", shop.product("Still narrow"));
  await shop.app.db.query(`alter table products ${columns.slice(330).join(", ")}`);
  const description = "What it is, in more words than any other value here";
  const issues = [
    {
      path: "description",
      message: "The values of this record are too long to be stored together",
    },
  ];
  const post = await shop.admin.post("/products", shop.product("Wide", { description }));
  expectRefusal(post, 422, ["issues"]);
  expect(post.body).toMatchObject({ issues });
  const patch = await shop.admin.patch(`/products/${product.id}`, { description });
  expectRefusal(patch, 422, ["issues"]);
  expect(patch.body).toMatchObject({ issues });
});
