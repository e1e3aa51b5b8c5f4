import { afterAll, beforeAll, expect, test } from "vitest";
import {
  created,
  expectRefusal,
  openShop,
  parameters,
  type Shop,
} from "../../support/apps/shop.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  const ages = [0, 0.5, 1.5, 6.9, 7.1, 13.9, 14.1, 29, 400, 600];
  for (const [index, age] of ages.entries()) {
    const status = index < 3 ? "live" : "draft";
    const sent = shop.product(`Product ${index}`, { status, active: index % 5 !== 0 });
    const { id } = await created(shop.admin, "products", sent);
    await shop.app.db.query(
      "update products set created_at = now() - $2::double precision * interval '1 day' where id = $1",
      [id, age],
    );
  }
});
afterAll(() => shop.app.close());

const stats = (query: string) => shop.member.get(`/products/_stats?${query}`);

test("stats count all records, the last seven days and the seven before", async () => {
  const reply = await shop.member.get("/products/_stats");
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ total: 10, current: 4, previous: 2, values: {} });
  expect(Object.keys(reply.body)).toEqual(["total", "current", "previous", "values"]);
});

test("the windows roll with days", async () => {
  expect((await stats("days=1")).body).toEqual({ total: 10, current: 2, previous: 1, values: {} });
  expect((await stats("days=30")).body).toEqual({ total: 10, current: 8, previous: 0, values: {} });
  const year = { total: 10, current: 8, previous: 2, values: {} };
  expect((await stats("days=365")).body).toEqual(year);
});

test("values count each value of an enum, zero included, in the declared order", async () => {
  const { body } = await stats("field=status");
  expect(body.values).toEqual({ draft: 7, live: 3, gone: 0 });
  expect(Object.keys(body.values ?? {})).toEqual(["draft", "live", "gone"]);
});

test("values count true and false of a boolean", async () => {
  expect((await stats("field=active")).body.values).toEqual({ true: 8, false: 2 });
});

test("empty values are not counted", async () => {
  const { id: productId } = await created(shop.admin, "products", shop.product("Reviewed"));
  for (const mood of ["happy", null]) {
    await created(shop.member, "reviews", { productId, rating: 3, body: "Fair enough.", mood });
  }
  const reply = await shop.member.get("/reviews/_stats?field=mood");
  expect(reply.body).toEqual({
    total: 2,
    current: 2,
    previous: 0,
    values: { happy: 1, "so-so": 0, angry: 0 },
  });
  await shop.admin.delete(`/products/${productId}`);
});

test("values follow changes and deletes", async () => {
  const { id } = await created(shop.admin, "coupons", { code: "MOVES", channel: "web" });
  const values = async () => (await shop.member.get("/coupons/_stats?field=channel")).body.values;
  expect(await values()).toEqual({ mail: 0, web: 1, print: 0 });
  await shop.admin.patch(`/coupons/${id}`, { channel: "print" });
  expect(await values()).toEqual({ mail: 0, web: 0, print: 1 });
  await shop.admin.patch(`/coupons/${id}`, { channel: null });
  expect(await values()).toEqual({ mail: 0, web: 0, print: 0 });
  await shop.admin.delete(`/coupons/${id}`);
  expect((await shop.member.get("/coupons/_stats")).body.total).toBe(0);
});

test.each([
  ["days 0", "days=0", ["days"]],
  ["days over 365", "days=366", ["days"]],
  ["days that are not an integer", "days=1.5", ["days"]],
  ["days in words", "days=week", ["days"]],
  ["empty days", "days=", ["days"]],
  ["an empty field", "field=", ["field"]],
  ["an unknown field", "field=colour", ["field"]],
  ["a field of another kind", "field=price", ["field"]],
  ["a field __proto__", "field=__proto__", ["field"]],
  ["repeated days", "days=7&days=7", ["days"]],
  ["a repeated field", "field=status&field=active", ["field"]],
  ["a list parameter", "page=1", ["page"]],
  ["__proto__", "__proto__=1", ["__proto__"]],
  ["everything at once", "days=0&field=name&x=1", ["days", "field", "x"]],
])("stats refuse %s with 400", async (_title, query, expected) => {
  expect(parameters(await stats(query))).toEqual(expected);
});

test("a resource without an enum or boolean field has stats too, but no field to count", async () => {
  await created(shop.member, "visits", {});
  const reply = await shop.member.get("/visits/_stats");
  expect(reply.body).toEqual({ total: 1, current: 1, previous: 0, values: {} });
  expect(parameters(await shop.member.get("/visits/_stats?field=id"))).toEqual(["field"]);
});

test("stats need a token and their own rule", async () => {
  expectRefusal(await shop.anonymous.get("/products/_stats"), 401);
  expectRefusal(await shop.member.get("/coupons"), 403);
  expect((await shop.member.get("/coupons/_stats")).status).toBe(200);
});
