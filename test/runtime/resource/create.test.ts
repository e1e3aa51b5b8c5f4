import { afterAll, beforeAll, expect, test } from "vitest";
import { created, openShop, paths, type Shop } from "../../support/apps/shop.js";
import type { Row } from "../../support/http/client.js";

const unknownId = "01890000-0000-7000-8000-000000000000";
const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

test("a created record is returned whole, with its Location, in the descriptor's order", async () => {
  const sent = {
    manual: null,
    image: null,
    categoryId: shop.category.id,
    soldOutAt: "2025-02-03T04:05:06.789+01:00",
    releasedOn: "2024-02-29",
    status: "live",
    active: false,
    stock: -3,
    price: 19.9,
    description: "Oak\nwaxed",
    name: "Table",
  };
  const reply = await shop.admin.post("/products", sent);
  expect(reply.status).toBe(201);
  expect(reply.headers["content-type"]).toMatch(/^application\/json/);
  expect(reply.body).toEqual({
    id: expect.stringMatching(uuid7),
    ...sent,
    soldOutAt: "2025-02-03T03:05:06.789Z",
    imageFile: null,
    manualFile: null,
    createdAt: expect.stringMatching(timestamp),
    updatedAt: reply.body.createdAt,
  });
  expect(Object.keys(reply.body)).toEqual([
    "id",
    "name",
    "description",
    "price",
    "stock",
    "active",
    "status",
    "releasedOn",
    "soldOutAt",
    "categoryId",
    "image",
    "imageFile",
    "manual",
    "manualFile",
    "createdAt",
    "updatedAt",
  ]);
  expect(reply.headers.location).toBe(`/api/products/${reply.body.id}`);
  const read = await shop.member.get(`/products/${reply.body.id}`);
  expect(read.text).toBe(reply.text);
  const listed = await shop.member.list("/products?filter[name]=Table");
  expect(JSON.stringify(listed.body.data[0])).toBe(JSON.stringify(reply.body));
});

test("a response names the record by the id that a trigger of the app gave it", async () => {
  const { db } = shop.app;
  const id = "01890000-0000-7000-8000-000000000001";
  await db.query(`create function other_id() returns trigger language plpgsql as
    $$begin new.id := '${id}'; return new; end$$`);
  await db.query(`create trigger other_id before insert on categories
    for each row execute function other_id()`);
  const send = (headers: Record<string, string>) =>
    shop.admin.send("POST", "/categories", {
      text: JSON.stringify({ name: "Own id" }),
      headers: { "content-type": "application/json", ...headers },
    });
  try {
    const key = { "idempotency-key": "other-id" };
    for (const headers of [[{}], [key, key]]) {
      for (const one of headers) {
        const reply = await send(one);
        expect(reply.status, reply.text).toBe(201);
        expect(reply.body).toMatchObject({ id });
        expect(reply.headers.location).toBe(`/api/categories/${id}`);
      }
      await shop.admin.delete(`/categories/${id}`);
    }
    const { name, ...values } = shop.product("Linked");
    const operations = [
      { create: "categories", values: { name: "Own id" } },
      { create: "products", values: { name, ...values, categoryId: { ref: 0 } } },
    ];
    for (const atomic of [true, false]) {
      const reply = await shop.admin.post<{ data: Row[] }>("/_service/batch", {
        operations,
        atomic,
      });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body.data[1]).toMatchObject({ categoryId: id });
      await shop.admin.delete(`/products/${reply.body.data[1]?.id}`);
      await shop.admin.delete(`/categories/${id}`);
    }
  } finally {
    await db.query("drop function other_id cascade");
  }
});

test("a create may omit fields that are optional or have a default", async () => {
  const product = await created(shop.admin, "products", shop.product("Plain"));
  expect(product).toMatchObject({
    description: null,
    price: 1,
    stock: 0,
    active: true,
    status: "draft",
    releasedOn: null,
    soldOutAt: null,
  });
  const coupon = await created(shop.admin, "coupons", { code: "PLAIN" });
  expect(coupon).toMatchObject({
    discount: 0.1,
    weight: null,
    channel: "web",
    startsAt: "2025-01-01T00:00:00.000Z",
    endsOn: null,
    terms: "Once per order.",
  });
});

test("a default does not replace null", async () => {
  const sent = shop.product("Null", { active: null, status: null });
  expect(paths(await shop.admin.post("/products", sent))).toEqual(["active", "status"]);
  const zero = await created(shop.admin, "products", shop.product("No stock", { stock: null }));
  expect(zero.stock).toBeNull();
});

test("a resource without fields accepts an empty object", async () => {
  const visit = await created(shop.member, "visits", {});
  expect(Object.keys(visit)).toEqual(["id", "createdAt", "updatedAt"]);
});

test("id, createdAt and updatedAt in a body are ignored, with any value", async () => {
  const own = { id: unknownId, createdAt: "1999-01-01T00:00:00Z", updatedAt: 5 };
  const product = await created(shop.admin, "products", { ...shop.product("Own id"), ...own });
  expect(product.id).not.toBe(unknownId);
  expect(product.createdAt).not.toMatch(/^1999/);
  expect(product.updatedAt).toBe(product.createdAt);
});

test("one response lists all mistakes", async () => {
  await created(shop.admin, "products", shop.product("Taken"));
  const sent = {
    name: "Taken",
    price: "12",
    stock: 1.5,
    active: "yes",
    status: "lost",
    releasedOn: "2023-02-29",
    soldOutAt: "yesterday",
    categoryId: unknownId,
    image: "products/image/2025/01/no-such-key.webp",
    imageFile: null,
    colour: "red",
  };
  const before = await shop.admin.list("/products?perPage=1");
  expect(paths(await shop.admin.post("/products", sent))).toEqual([
    "active",
    "categoryId",
    "colour",
    "image",
    "imageFile",
    "name",
    "price",
    "releasedOn",
    "soldOutAt",
    "status",
    "stock",
  ]);
  const after = await shop.admin.list("/products?perPage=1");
  expect(after.body.meta.total).toBe(before.body.meta.total);
});

test("missing fields, unknown keys, duplicates and unknown ids are in one response", async () => {
  await created(shop.admin, "customers", { name: "Ann", email: "ann@example.com" });
  const sent = { email: "ann@example.com", accountId: unknownId, Name: "Ann" };
  expect(paths(await shop.admin.post("/customers", sent))).toEqual([
    "Name",
    "accountId",
    "email",
    "name",
  ]);
});

test("an empty body lists each required field without a default", async () => {
  expect(paths(await shop.admin.post("/products", {}))).toEqual(["categoryId", "name", "price"]);
});

test("names of JavaScript's own properties are unknown keys like others", async () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", ""];
  const members = keys.map((key) => `${JSON.stringify(key)}: {"admin": true}`).join(",");
  const text = `{"name":"Proto","price":1,"categoryId":"${shop.category.id}",${members}}`;
  expect(paths(await shop.admin.send("POST", "/products", { text }))).toEqual(keys.sort());
});

test("a field of another resource and a column's name are unknown keys", async () => {
  const sent = shop.product("Columns", {
    category_id: shop.category.id,
    released_on: null,
    key: "a",
  });
  const found = paths(await shop.admin.post("/products", sent));
  expect(found).toEqual(["category_id", "key", "released_on"]);
});

test("every kind of unique field names its duplicate", async () => {
  const product = await created(shop.admin, "products", shop.product("Promoted"));
  const promotion = {
    slot: "home",
    title: "Spring",
    rank: 1,
    boost: 0.25,
    budget: 10.5,
    startsOn: "2025-03-01",
    endsAt: "2025-04-01T00:00:00Z",
    productId: product.id,
  };
  await created(shop.admin, "promotions", promotion);
  const again = { ...promotion, endsAt: "2025-04-01T02:00:00+02:00" };
  expect(paths(await shop.admin.post("/promotions", again))).toEqual(Object.keys(promotion).sort());
});

test("empty values of a unique field may repeat", async () => {
  for (const slot of ["basket", "mail"]) {
    const { id: productId } = await created(shop.admin, "products", shop.product(`For ${slot}`));
    await created(shop.admin, "promotions", { slot, productId, title: "" });
  }
});

test("uniqueness is exact: case and whitespace make another value, the form of accents does not", async () => {
  for (const name of ["Café", "café", "Café ", " Café"]) {
    await created(shop.admin, "products", shop.product(name));
  }
  for (const name of ["Café", "Cafe\u0301"]) {
    expect(paths(await shop.admin.post("/products", shop.product(name)))).toEqual(["name"]);
  }
});

test("a link to the built-in users accepts an account's id", async () => {
  const me = await shop.admin.get<{ user: { id: string } }>("/auth/me");
  const accountId = me.body.user.id;
  const sent = { name: "With account", email: "account@example.com", accountId };
  expect((await created(shop.admin, "customers", sent)).accountId).toBe(accountId);
  const other = { name: "Second", email: "second@example.com", accountId };
  expect(paths(await shop.admin.post("/customers", other))).toEqual(["accountId"]);
});
