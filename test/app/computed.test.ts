import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAccount, newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";

let app: WrittenApp;
let admin: Client;
let clerk: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `changes: { history: 30 }
fields:
  name: { type: string }
  brand: { type: string, maxLength: 40 }
  price: { type: number, decimals: 2 }
  quantity: { type: number, integer: true }
  ratio: { type: number }
  cost: { type: number, decimals: 2, access: { read: [admin] } }
  status: { type: enum, values: [draft, live, gone] }
  isNew: { type: boolean }
  releasedOn: { type: date }
  endsOn: { type: date }
  total: { type: number, decimals: 2, computed: "round(price * quantity, 2)", index: true }
  square: { type: number, computed: ratio * ratio }
  half: { type: number, computed: quantity / 2 }
  share: { type: number, computed: price / (quantity - 3) }
  units: { type: number, integer: true, computed: "quantity * 1000000000000" }
  margin: { type: number, decimals: 2, computed: price - cost, access: { read: [admin] } }
  title: { type: string, maxLength: 30, computed: "trim(coalesce(brand, '') || ' ' || name)" }
  initial: { type: string, computed: "left(name, quantity * 1000000000000)" }
  code: { type: string, maxLength: 20, unique: true, computed: "case when releasedOn is not null then upper(left(name, 3)) || '-' || year(releasedOn) end" }
  isLive: { type: boolean, computed: status = 'live' and price > 0 }
  until: { type: date, computed: "coalesce(endsOn, '2030-12-31')" }
  key: { type: string, computed: "case when name < 'b' then 'first' when name is null then null else 'later' end" }
`,
      ],
      ["lines.yaml", "fields: { productId: { type: belongsTo, resource: products } }\n"],
    ]),
  });
  admin = (await app.caller("admin")).client;
  clerk = (await app.caller(null)).client;
});
afterAll(() => app?.close());

async function product(values: object): Promise<Record<string, unknown>> {
  const { status, body } = await admin.post<Record<string, unknown>>("/products", values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

describe("a record shows values that follow from its others", () => {
  test("numbers are exact, and rounded to the field's decimals", async () => {
    const made = await product({ price: 19.99, quantity: 3, ratio: 0.1 });
    expect(made).toMatchObject({ total: 59.97, half: 1.5, units: 3e12, square: 0.01, share: null });
    const { body } = await admin.patch(`/products/${made.id}`, { quantity: 7 });
    expect(body).toMatchObject({ total: 139.93, half: 3.5, share: 4.9975 });
    expect((await admin.get(`/products/${made.id}`)).body).toEqual(body);
  });

  test("texts, dates and booleans", async () => {
    const made = await product({
      name: "Tea",
      brand: "Ajax",
      price: 1,
      status: "live",
      releasedOn: "2024-02-29",
    });
    expect(made).toMatchObject({
      title: "Ajax Tea",
      code: "TEA-2024",
      isLive: true,
      until: "2030-12-31",
      key: "later",
    });
    const other = await product({ name: "apple", status: "draft", endsOn: "2026-05-01" });
    expect(other).toMatchObject({
      title: "apple",
      isLive: false,
      until: "2026-05-01",
      key: "first",
    });
  });

  test("an empty operand, a division by zero and a value out of range are null", async () => {
    const made = await product({ price: 5, quantity: 3, ratio: 1e200, name: "x".repeat(200) });
    expect(made).toMatchObject({ share: null, square: null, title: null, margin: null });
    const tiny = await product({ ratio: 1e-200, quantity: 9_007_199_254_740_991, name: "a" });
    expect(tiny).toMatchObject({ square: 0, units: null, total: null, initial: null });
    const large = await product({ price: 9_999_999_999_999.99, quantity: 1000 });
    expect(large).toMatchObject({ total: null });
    const round = await product({ price: 1_000_000_000_000, quantity: 100 });
    expect(round).toMatchObject({ total: 100_000_000_000_000 });
  });

  test("every member is in the descriptor's order", async () => {
    const made = await product({});
    expect(Object.keys(made).slice(-14)).toEqual(
      [
        "endsOn",
        "total",
        "square",
        "half",
        "share",
        "units",
        "margin",
        "title",
        "initial",
        "code",
        "isLive",
        "until",
        "key",
        "createdAt",
        "updatedAt",
      ].slice(1),
    );
  });
});

describe("queries treat it like its type", () => {
  beforeAll(async () => {
    for (const price of [1, 2, 3]) {
      await product({ name: `Query ${price}`, price, quantity: 10, status: "live" });
    }
  });
  const titles = async (query: string) => {
    const { status, body } = await admin.list(
      `/products?filter[name][starts]=Query&${encodeURI(query)}`,
    );
    expect(status).toBe(200);
    return body.data.map(({ total }) => total);
  };

  test("filters", async () => {
    expect(await titles("filter[total]=20")).toEqual([20]);
    expect((await titles("filter[total][gte]=20")).toSorted()).toEqual([20, 30]);
    expect(await titles("filter[title]=Query 3")).toEqual([30]);
    expect(await titles("filter[title][contains]=ery 3")).toEqual([30]);
    expect(
      await titles("filter[isLive]=true&filter[until]=2030-12-31&filter[total][in]=10"),
    ).toEqual([10]);
    expect(await titles("filter[share]=")).toEqual([]);
  });

  test("sort", async () => {
    expect(await titles("sort=-total")).toEqual([30, 20, 10]);
    expect(await titles("sort=isLive,total")).toEqual([10, 20, 30]);
    const first = await admin.list(
      "/products?filter[name][starts]=Query&sort=total&perPage=2&cursor=",
    );
    expect(first.body.data.map(({ total }) => total)).toEqual([10, 20]);
  });

  test("where, through a link too", async () => {
    const where = encodeURIComponent(
      JSON.stringify({ name: { starts: "Query" }, total: { gt: 10 } }),
    );
    expect((await admin.list(`/products?where=${where}`)).body.meta.total).toBe(2);
    const { body } = await admin.list("/products?filter[total]=30&filter[title]=Query%203");
    await admin.post("/lines", { productId: body.data[0]?.id });
    const linked = encodeURIComponent(JSON.stringify({ product: { total: 30, title: "Query 3" } }));
    const lines = await admin.list(`/lines?where=${linked}&include=product&sort=product.total`);
    expect(lines.body.data).toMatchObject([{ product: { total: 30, isLive: true } }]);
  });

  test("aggregates and statistics", async () => {
    const where = encodeURIComponent(JSON.stringify({ name: { starts: "Query" } }));
    const sum = await admin.get(`/products/_aggregate?sum=total,half&by=isLive&where=${where}`);
    expect(sum.body).toMatchObject({
      data: [{ by: { isLive: true }, sum: { total: 60, half: 15 } }],
    });
    const stats = await admin.get("/products/_stats?field=isLive");
    expect(stats.body).toMatchObject({ values: { true: expect.any(Number) } });
  });

  test("q skips it", async () => {
    const { body } = await admin.list("/products?q=TEA-2024");
    expect(body.meta.total).toBe(0);
  });

  test("an index serves filters and sorting", async () => {
    const plan = await app.db.query<{ "QUERY PLAN": string }>(
      `explain select id from products
       where service.computed_decimal(round((price * quantity::numeric), 2), 2) = 20`,
    );
    const indexes = await app.db.query<{ name: string }>(
      "select indexrelid::regclass::text as name from pg_index where indrelid = 'products'::regclass and indexprs is not null order by 1",
    );
    expect(plan.length).toBeGreaterThan(0);
    expect(indexes.map(({ name }) => name)).toEqual([
      "products__code__unique",
      "products__search",
      "products__total__index",
    ]);
  });
});

describe("writes never contain it", () => {
  test("a body that has it is refused at its key", async () => {
    const { id } = await product({ name: "Written" });
    const computed = [{ path: "total", message: "Computed" }];
    for (const reply of [
      await admin.post("/products", { name: "x", total: 1 }),
      await admin.put(`/products/${id}`, { name: "x", total: null }),
      await admin.patch(`/products/${id}`, { total: 2 }),
      await admin.patch(`/products/${id}`, { total: { add: 2 } }),
    ]) {
      expect(reply).toMatchObject({ status: 422, body: { issues: computed } });
    }
    const operations = [{ update: "products", id, values: { total: 2 } }];
    expect(await admin.post("/_service/batch", { operations })).toMatchObject({ status: 422 });
    const upsert = [{ upsert: "products", by: ["code"], values: { code: "x" } }];
    expect((await admin.post("/_service/batch", { operations: upsert })).status).toBe(400);
  });

  test("a unique one is refused at its key", async () => {
    const values = { name: "Unique", releasedOn: "2020-01-01" };
    const { id } = await product(values);
    const issues = [{ path: "code", message: "Another record has this value" }];
    const again = await admin.post("/products", { ...values, name: "unicorn" });
    expect(again).toMatchObject({ status: 422, body: { issues } });
    const other = await product({ name: "Universe", releasedOn: "2021-01-01" });
    const changed = await admin.patch(`/products/${other.id}`, { releasedOn: "2020-05-05" });
    expect(changed).toMatchObject({ status: 422, body: { issues } });
    expect((await admin.patch(`/products/${id}`, { price: 3 })).status).toBe(200);
  });
});

describe("rights", () => {
  test("its own rule decides who reads it", async () => {
    const { id } = await product({ price: 5, cost: 2 });
    const record = await clerk.get<object>(`/products/${id}`);
    expect(record.body).not.toHaveProperty("margin");
    expect((await clerk.get("/products?filter[margin]=3")).status).toBe(400);
    expect((await admin.get(`/products/${id}`)).body).toMatchObject({ margin: 3 });
  });
});

test("histories leave computed fields out", async () => {
  const { id } = await product({ price: 5, quantity: 1 });
  await admin.patch(`/products/${id}`, { quantity: 2 });
  const { body } = await admin.get<{ data: { changes: { field: string }[] }[] }>(
    `/products/${id}/_history`,
  );
  expect(body.data[0]?.changes.map(({ field }) => field)).toEqual(["quantity"]);
});

test("a stream names it with a field that it reads", async () => {
  const { id } = await product({ price: 5, quantity: 1 });
  const account = await addAccount(app.db, {
    email: "reader@example.com",
    password: "a password of the tests",
    role: null,
    name: "Reader",
  });
  const watch = encodeURIComponent(
    JSON.stringify({ products: { fields: ["price", "total", "half"] } }),
  );
  const token = await newSession(app.db, account);
  const stream = await openEvents(app.url, token, `/_service/changes?watch=${watch}`);
  try {
    expect((await stream.next()).event).toBe("ready");
    await admin.patch(`/products/${id}`, { price: 6 });
    let event = await stream.next();
    while (event.data?.id !== id) event = await stream.next();
    expect(event.data).toMatchObject({ record: { total: 6 }, changed: ["price", "total"] });
  } finally {
    stream.close();
    await stream.ended;
  }
});

test("it is described with its expression", () => {
  const fields: readonly { readonly name: string }[] = JSON.parse(
    JSON.stringify(app.described),
  ).find(({ name }: { name: string }) => name === "products").fields;
  expect(fields.find(({ name }) => name === "total")).toMatchObject({
    type: "number",
    required: false,
    computed: "round(price * quantity, 2)",
    index: true,
  });
});
