import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nfc } from "../../runtime/values/text.js";
import { created, newName, openShop, type Shop } from "../support/apps/shop.js";
import { tries } from "../support/searches.js";

let shop: Shop;
let product: string;
let promotion: string;
beforeAll(async () => {
  shop = await openShop();
  const { id: productId } = await created(shop.admin, "products", shop.product("Target"));
  product = `/products/${productId}`;
  promotion = `/promotions/${(await created(shop.admin, "promotions", { slot: "home", productId })).id}`;
});
afterAll(() => shop.app.close());

const runs = { numRuns: tries(150) };
const productFields = [
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
  "manual",
];
const promotionFields = [
  "slot",
  "title",
  "rank",
  "boost",
  "budget",
  "startsOn",
  "endsAt",
  "productId",
];

/** Values at and beyond the edges of every kind. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom("\0", "\ud800", "\udfff", "'", "\\", "%", "😀"),
    maxLength: 20,
  }),
  fc.double(),
  fc.integer(),
  fc.constantFrom(2 ** 53, -(2 ** 53), 1e15, 1e16, 1e308, 5e-324, "", "null", "draft", "home"),
  fc
    .date({ noInvalidDate: false })
    .map((date) => (Number.isNaN(date.valueOf()) ? "" : date.toISOString())),
  fc.constantFrom(
    "0001-01-01",
    "9999-12-31",
    "9999-12-31T23:59:59.999-23:59",
    "-infinity",
    "epoch",
  ),
  fc.uuid(),
);

function bodyOf(fields: readonly string[]) {
  const key = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...fields) },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
  return fc.dictionary(key, value, { maxKeys: 12, size: "small" });
}

test("no JSON body makes a create fail with 5xx", async () => {
  await fc.assert(
    fc.asyncProperty(bodyOf(productFields), async (body) => {
      const sent = { name: "Random", price: 1, categoryId: shop.category.id, ...body };
      const reply = await shop.admin.post("/products", sent);
      expect([201, 422]).toContain(reply.status);
      if (reply.status === 201) await shop.admin.delete(`/products/${reply.body.id}`);
    }),
    runs,
  );
});

test("no JSON body makes a change fail with 5xx, and accepted values can be read", async () => {
  for (const [path, fields] of [
    [product, productFields],
    [promotion, promotionFields],
  ] satisfies [string, string[]][]) {
    await fc.assert(
      fc.asyncProperty(bodyOf(fields), async (body) => {
        const reply = await shop.admin.patch(path, body);
        expect([200, 422]).toContain(reply.status);
        const read = await shop.admin.get(path);
        expect(read.status).toBe(200);
        if (reply.status === 200) expect(read.text).toBe(reply.text);
      }),
      runs,
    );
  }
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc
    .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 16 }))
    .map(([n, places]) => n / 10 ** places),
);

test("an accepted number or text comes back unchanged", async () => {
  const sent = fc.oneof(
    fc.record({ rank: number }),
    fc.record({ boost: number }),
    fc.record({ budget: number }),
    fc.record({ title: fc.string({ unit: "binary", maxLength: 60 }) }),
  );
  const taken = new Set<string>();
  await fc.assert(
    fc.asyncProperty(sent, async (body) => {
      const reply = await shop.admin.patch(promotion, body);
      expect([200, 422]).toContain(reply.status);
      if (reply.status === 422) return;
      for (const [field, value] of Object.entries(body)) {
        // Titles are trimmed.
        const stored = typeof value === "string" ? nfc(value.trim()) || null : value;
        expect(reply.body[field]).toBe(stored === 0 ? 0 : stored);
        taken.add(field);
      }
    }),
    { numRuns: 600 },
  );
  expect([...taken].sort()).toEqual(["boost", "budget", "rank", "title"]);
});

test("no bytes as a body make a write fail with 5xx", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json()), async (bytes) => {
      const text = Buffer.from(bytes);
      const reply = await shop.admin.send("PUT", product, { text });
      expect([400, 422]).toContain(reply.status);
    }),
    runs,
  );
});

const parameterName = fc.oneof(
  fc.constantFrom("page", "perPage", "sort", "q", "filter", "days", "field", "__proto__"),
  fc
    .constantFrom(...productFields, "id", "createdAt", "imageFile")
    .map((name) => `filter[${name}]`),
  fc.string({ maxLength: 10 }),
);
const parameterValue = fc.oneof(
  value.map((one) => (typeof one === "string" ? one : JSON.stringify(one))),
  fc.constantFrom("name", "-price", "-id", "1", "0", "true", "null", ""),
);

test("no query makes a list or stats fail with 5xx", async () => {
  const query = fc.array(fc.tuple(parameterName, parameterValue), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(query, async (parameters) => {
      const encoded = new URLSearchParams(parameters).toString();
      const list = await shop.member.get(`/products?${encoded}`);
      expect([200, 400, 414]).toContain(list.status);
      const stats = await shop.member.get(`/products/_stats?${encoded}`);
      expect([200, 400, 414]).toContain(stats.status);
    }),
    runs,
  );
});

test("no raw query string makes a list fail with 5xx", async () => {
  const unit = fc.constantFrom(
    ..."%&=[]+;/?'\"\\ab0F".split(""),
    "filter[",
    "]=",
    "%00",
    "%ff",
    "sort=",
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, maxLength: 30 }), async (raw) => {
      const reply = await shop.member.get(`/products?${raw}`);
      expect([200, 400]).toContain(reply.status);
    }),
    runs,
  );
});

test("no path makes a read fail with 5xx", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60 }), async (segment) => {
      const path = `/products/${encodeURIComponent(segment.toWellFormed())}`;
      const reply = await shop.member.get(path);
      // The slash before nothing is ignored: that is the list.
      expect(reply.status).toBe(["", "_stats"].includes(segment) ? 200 : 404);
    }),
    runs,
  );
});

test("exactly one of twenty concurrent creates of a unique value succeeds", async () => {
  for (let round = 0; round < 3; round += 1) {
    const name = newName("Contested");
    const creates = Array.from({ length: 20 }, () =>
      shop.admin.post("/products", shop.product(name)),
    );
    const replies = await Promise.all(creates);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused.length).toBe(19);
    for (const { status, body } of refused) {
      expect([409, 422]).toContain(status);
      if (status === 409) expect(body).toEqual({ error: expect.any(String), field: "name" });
    }
    const { body } = await shop.admin.list(`/products?filter[name]=${encodeURIComponent(name)}`);
    expect(body.meta.total).toBe(1);
  }
});

test("exactly one of twenty concurrent changes to a unique value succeeds", async () => {
  const made = Array.from({ length: 20 }, () =>
    created(shop.admin, "products", shop.product(newName("Runner"))),
  );
  const rows = await Promise.all(made);
  const name = newName("Winner");
  const changes = rows.map(({ id }) => shop.admin.patch(`/products/${id}`, { name }));
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBe(1);
  for (const status of statuses) expect([200, 409, 422]).toContain(status);
});
