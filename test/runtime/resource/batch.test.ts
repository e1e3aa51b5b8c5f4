import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, expectRefusal, openShop, type Shop } from "../../support/apps/shop.js";
import { lockWaiters } from "../../support/database/lock-waits.js";
import type { Client, Json, Reply, Row } from "../../support/http/client.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

interface Done {
  readonly data: readonly (Row | null)[];
  readonly errors?: readonly Record<string, Json>[];
  readonly etags?: readonly (string | null)[];
}

type Operation = Readonly<Record<string, unknown>>;

function batch(
  operations: readonly Operation[],
  {
    caller = shop.admin,
    query = "",
    ...more
  }: { caller?: Client; query?: string; atomic?: boolean } = {},
): Promise<Reply<Done>> {
  return caller.post<Done>(`/_service/batch${query}`, { operations, ...more });
}

async function done(operations: readonly Operation[]): Promise<readonly (Row | null)[]> {
  const reply = await batch(operations);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
}

let made = 0;
function newName(): string {
  made += 1;
  return `Batch ${made}`;
}

function newProduct(fields: Record<string, unknown> = {}): Promise<Row> {
  return created(shop.admin, "products", shop.product(newName(), fields));
}

async function newOrder(): Promise<Record<string, unknown>> {
  made += 1;
  const email = `batch${made}@example.com`;
  const customer = await created(shop.admin, "customers", { name: "Batch", email });
  return { number: 10_000 + made, customerId: customer.id, placedAt: "2026-01-01T00:00:00Z" };
}

/** All rows of the shop, to see that nothing was left. */
async function everything(): Promise<unknown> {
  const tables = [
    "categories",
    "coupons",
    "customers",
    "orders",
    "order_items",
    "products",
    "promotions",
    "reviews",
  ];
  const counts = tables.map(
    (table) => `(select json_agg(t order by id) from ${table} t) as ${table}`,
  );
  return shop.app.db.query(`select ${counts.join(", ")}`);
}

/** A refusal of the operation, which leaves everything as it was. */
async function expectRefused(
  operations: readonly Operation[],
  {
    status,
    index,
    keys = [],
    caller = shop.admin,
  }: { status: number; index?: number; keys?: string[]; caller?: Client },
): Promise<Record<string, Json>> {
  const before = await everything();
  const reply = await batch(operations, { caller });
  expectRefusal(reply, status, index === undefined ? keys : ["index", ...keys]);
  const body = reply.body as unknown as Record<string, Json>;
  if (index !== undefined) expect(body.index).toBe(index);
  expect(await everything()).toEqual(before);
  return body;
}

describe("a batch", () => {
  test("writes all of its operations in order, with references to new records", async () => {
    const product = await newProduct({ stock: 9 });
    const review = await created(shop.admin, "reviews", {
      productId: product.id,
      rating: 5,
      body: "x".repeat(10),
    });
    const code = `TEA${made}X`;
    const order = await newOrder();
    const { headers } = await shop.admin.get(`/products/${product.id}`);
    const data = await done([
      { create: "orders", values: order },
      {
        create: "order-items",
        values: { orderId: { ref: 0 }, productId: product.id, quantity: 2, unitPrice: 1 },
      },
      { update: "products", id: product.id, values: { stock: 4 }, ifMatch: headers.etag },
      { upsert: "coupons", by: "code", values: { code, discount: 0.5 } },
      { delete: "reviews", id: review.id },
    ]);
    expect(data).toHaveLength(5);
    const [newOrderRow, item, changed, coupon, gone] = data;
    expect(item?.orderId).toBe(newOrderRow?.id);
    expect(changed).toMatchObject({ id: product.id, stock: 4 });
    expect(coupon).toMatchObject({ code, discount: 0.5 });
    expect(gone).toBeNull();
    for (const [resource, row] of [
      ["orders", newOrderRow],
      ["order-items", item],
      ["products", changed],
      ["coupons", coupon],
    ] as const) {
      expect((await shop.admin.get(`/${resource}/${row?.id}`)).body).toEqual(row);
    }
    expect((await shop.admin.get(`/reviews/${review.id}`)).status).toBe(404);
  });

  test("changes a record that it created, through an upsert and with its id", async () => {
    const code = `UP${made}AB`;
    const [first, second, third] = await done([
      { upsert: "coupons", by: "code", values: { code, discount: 0.1 } },
      { upsert: "coupons", by: "code", values: { code, discount: 0.2 } },
      { upsert: "coupons", by: "code", values: { code } },
    ]);
    expect(second?.id).toBe(first?.id);
    expect([first?.discount, second?.discount, third?.discount]).toEqual([0.1, 0.2, 0.2]);
    const product = await newProduct();
    const [upserted, review] = await done([
      { upsert: "products", by: "name", values: { name: product.name, stock: 3 } },
      { create: "reviews", values: { productId: { ref: 0 }, rating: 1, body: "x".repeat(10) } },
    ]);
    expect([upserted?.id, review?.productId]).toEqual([product.id, product.id]);
  });

  test("has the tags of its records on request", async () => {
    const product = await newProduct();
    const review = await created(shop.admin, "reviews", {
      productId: product.id,
      rating: 5,
      body: "x".repeat(10),
    });
    const reply = await batch(
      [
        { update: "products", id: product.id, values: { stock: 1 } },
        { delete: "reviews", id: review.id },
        { create: "products", values: shop.product(newName()) },
      ],
      { query: "?etags=true" },
    );
    expect(Object.keys(reply.body)).toEqual(["data", "etags"]);
    const tag = async (row?: Row | null) =>
      (await shop.admin.get(`/products/${row?.id}`)).headers.etag;
    const [changed, , third] = reply.body.data;
    expect(reply.body.etags).toEqual([await tag(changed), null, await tag(third)]);
    expect(
      Object.keys((await batch([{ update: "products", id: product.id, values: {} }])).body),
    ).toEqual(["data"]);
  });

  test("refuses a record that a trigger of the app discards, as POST does", async () => {
    const { db } = shop.app;
    await db.query(`create function leave_out() returns trigger language plpgsql as
      $$begin if new.stock = 7 then return null; end if; return new; end$$`);
    await db.query(`create trigger leave_out before insert on products
      for each row execute function leave_out()`);
    try {
      const values = [1, 7, 2].map((stock) => shop.product(newName(), { stock }));
      const operations = values.map((one) => ({ create: "products", values: one }));
      const alone = await shop.admin.post("/products", values[1]);
      expectRefusal(alone, 409);
      const whole = await batch(operations);
      expect(whole.status).toBe(409);
      expect(whole.body).toMatchObject({ ...(alone.body as object), index: 1 });
      const parts = await batch(operations, { atomic: false });
      expect(parts.body.data).toMatchObject([values[0], null, values[2]]);
      expect(parts.body.errors).toMatchObject([{ index: 1, status: 409 }]);
    } finally {
      await db.query("drop function leave_out cascade");
    }
  });

  test("upserts by fields that are unique together, in any order", async () => {
    const product = await newProduct();
    const order = await created(shop.admin, "orders", await newOrder());
    const values = { orderId: order.id, productId: product.id, unitPrice: 2 };
    const [one, two, three] = await done([
      { upsert: "order-items", by: "orderId+productId", values },
      { upsert: "order-items", by: "productId+orderId", values: { ...values, unitPrice: 3 } },
      {
        upsert: "order-items",
        by: "orderId+productId",
        values: { orderId: order.id, productId: product.id, quantity: 7 },
      },
    ]);
    expect(new Set([one?.id, two?.id, three?.id]).size).toBe(1);
    expect([one?.unitPrice, two?.unitPrice, three?.unitPrice, three?.quantity]).toEqual([
      2, 3, 3, 7,
    ]);
  });
});

describe("a refused batch leaves nothing, and names the operation", () => {
  const good = () => ({ create: "products", values: shop.product(newName()) });

  test("whose form is wrong: 400", async () => {
    const id = shop.category.id;
    for (const body of [
      {},
      { operations: [] },
      { operations: {} },
      { operations: Array.from({ length: 101 }, good) },
      { operations: [good()], atomic: "no" },
      { operations: [good()], more: 1 },
    ]) {
      expectRefusal(await shop.admin.post("/_service/batch", body), 400);
    }
    for (const operation of [
      null,
      [],
      "create",
      {},
      { create: "products" },
      { create: 1, values: {} },
      { create: "products", values: [] },
      { create: "products", values: null },
      { create: "products", update: "products", id, values: {} },
      { replace: "products", id, values: {} },
      { create: "products", values: {}, id },
      { create: "products", values: {}, ifMatch: "*" },
      { upsert: "products", values: {} },
      { upsert: "products", by: ["name"], values: {} },
      { upsert: "products", by: "price", values: { price: 1 } },
      { upsert: "products", by: "id", values: {} },
      { upsert: "products", by: "", values: {} },
      { upsert: "products", by: "name+price", values: {} },
      { upsert: "products", by: "name+name", values: {} },
      { upsert: "products", by: "name", values: {}, ifMatch: "*" },
      { update: "products", values: {} },
      { update: "products", id: { ref: 0 }, values: {} },
      { update: "products", id, values: {}, ifMatch: "abc" },
      { update: "products", id, values: {}, ifMatch: "" },
      { update: "products", id, values: {}, ifMatch: 1 },
      { delete: "products", id, values: {} },
      { delete: "products" },
    ]) {
      await expectRefused([good(), operation as Operation], { status: 400, index: 1 });
    }
    for (const [method, text, status] of [
      ["POST", "[]", 400],
      ["POST", "{", 400],
      ["GET", undefined, 405],
    ] as const) {
      const sent = text === undefined ? {} : { text };
      expectRefusal(await shop.admin.send(method, "/_service/batch", sent), status);
    }
    expectRefusal(await batch([good()], { query: "?tags=1" }), 400, ["issues"]);
    expectRefusal(await batch([good()], { query: "?etags=yes" }), 400, ["issues"]);
  });

  test("whose references cannot be resolved: 400", async () => {
    const review = (ref: unknown) => ({
      create: "reviews",
      values: { productId: { ref }, rating: 1, body: "x".repeat(10) },
    });
    for (const ref of [1, 2, -1, 0.5, "0", null, 1e9]) {
      await expectRefused([good(), review(ref)], { status: 400, index: 1 });
    }
    const product = await newProduct();
    await expectRefused([{ update: "products", id: product.id, values: {} }, review(0)], {
      status: 400,
      index: 1,
    });
    await expectRefused([{ delete: "products", id: product.id }, review(0)], {
      status: 400,
      index: 1,
    });
    for (const key of ["name", "price", "colour", "id", "image"]) {
      await expectRefused(
        [good(), { create: "products", values: shop.product(newName(), { [key]: { ref: 0 } }) }],
        { status: 400, index: 1 },
      );
    }
  });

  test("by an unknown resource, with the nearest name; the name in code is accepted", async () => {
    const product = await newProduct();
    const operations = [
      { create: "orders", values: await newOrder() },
      {
        create: "orderItems",
        values: { orderId: { ref: 0 }, productId: product.id, quantity: 2, unitPrice: 1 },
      },
    ];
    const unknown = { delete: "orderItem", id: shop.category.id };
    const body = await expectRefused([...operations, unknown], { status: 404, index: 2 });
    expect(body.error).toBe('There is no resource "orderItem": did you mean "order-items"?');
    const { status, body: done } = await batch(operations);
    expect(status).toBe(200);
    expect(done).toMatchObject({ data: [{}, { quantity: 2 }] });
  });

  test("by a rule: 403 for the lowest index, before anything is checked; 404 for no resource", async () => {
    const { member, editor } = shop;
    const bad = { create: "coupons", values: { colour: 1 } };
    await expectRefused([good(), bad], { status: 403, index: 0, caller: member });
    await expectRefused([{ create: "products", values: {} }, bad], {
      status: 403,
      index: 1,
      caller: editor,
    });
    await expectRefused([{ create: "nothing", values: {} }, bad], {
      status: 404,
      index: 0,
      caller: editor,
    });
    await expectRefused(
      [
        { create: "products", values: {} },
        { delete: "__proto__", id: "1" },
      ],
      { status: 404, index: 1 },
    );
    await expectRefused(
      [
        { upsert: "settings", by: "key", values: {} },
        { delete: "settings", id: "1" },
      ],
      { status: 403, index: 1 },
    );
    expectRefusal(await batch([good()], { caller: shop.anonymous }), 401);
  });

  test("by the state of its records: 404, 412, 422, 409", async () => {
    const product = await newProduct();
    const category = await created(shop.admin, "categories", { name: newName() });
    const inside = await newProduct({ categoryId: category.id });
    const missing = shop.category.id;
    for (const [operation, status, keys] of [
      [{ update: "products", id: missing, values: {} }, 404, []],
      [{ update: "products", id: "no-uuid", values: {} }, 404, []],
      [{ delete: "products", id: missing }, 404, []],
      [{ update: "products", id: product.id, values: { stock: 1 }, ifMatch: '"old"' }, 412, []],
      [{ update: "products", id: product.id, values: { colour: 1 }, ifMatch: '"old"' }, 412, []],
      [{ delete: "products", id: product.id, ifMatch: 'W/"weak"' }, 412, []],
      [{ delete: "categories", id: category.id }, 409, []],
      [{ create: "products", values: shop.product(String(inside.name)) }, 422, ["issues"]],
      [
        { create: "products", values: shop.product(newName(), { categoryId: product.id }) },
        422,
        ["issues"],
      ],
      [
        { create: "products", values: shop.product(newName(), { image: "no-key" }) },
        422,
        ["issues"],
      ],
      [{ upsert: "products", by: "name", values: { price: 1 } }, 422, ["issues"]],
      [{ upsert: "products", by: "name", values: { name: null } }, 422, ["issues"]],
      [{ upsert: "products", by: "name", values: { name: newName() } }, 422, ["issues"]],
      [
        { upsert: "products", by: "name", values: { name: product.name, stock: "1" } },
        422,
        ["issues"],
      ],
    ] as const) {
      await expectRefused([good(), operation, good()], { status, index: 1, keys: [...keys] });
    }
  });

  test("by the results of earlier operations of the batch", async () => {
    const name = newName();
    const taken = await expectRefused(
      [
        { create: "products", values: shop.product(name) },
        { create: "products", values: shop.product(name) },
      ],
      { status: 422, index: 1, keys: ["issues"] },
    );
    expect(taken.issues).toEqual([{ index: 1, path: "name", message: expect.any(String) }]);
    const product = await newProduct();
    const values = { productId: product.id, rating: 1, body: "x".repeat(10) };
    const gone = await expectRefused(
      [
        { delete: "products", id: product.id },
        { create: "reviews", values },
      ],
      { status: 422, index: 1, keys: ["issues"] },
    );
    expect(gone.issues).toEqual([{ index: 1, path: "productId", message: expect.any(String) }]);
    const deleted = await expectRefused(
      [
        { upsert: "products", by: "name", values: { name: product.name } },
        { delete: "products", id: product.id },
        { create: "reviews", values: { ...values, productId: { ref: 0 } } },
      ],
      { status: 422, index: 2, keys: ["issues"] },
    );
    expect(deleted.issues).toEqual([{ index: 2, path: "productId", message: expect.any(String) }]);
    await expectRefused(
      [
        { create: "reviews", values },
        { delete: "products", id: product.id },
      ],
      { status: 409, index: 1 },
    );
  });

  test("a 422 also has mistakes of later operations that need no database", async () => {
    const product = await newProduct();
    const body = await expectRefused(
      [
        good(),
        { create: "products", values: shop.product(String(product.name), { colour: 1 }) },
        { create: "reviews", values: { productId: { ref: 0 }, rating: 9, colour: 2 } },
        { delete: "products", id: shop.category.id },
        { update: "products", id: shop.category.id, values: { stock: 0.5, name: product.name } },
        { upsert: "coupons", by: "code", values: { discount: 2 } },
      ],
      { status: 422, index: 1, keys: ["issues"] },
    );
    const named = (body.issues as { index: number; path: string }[]).map(
      ({ index, path }) => `${index} ${path}`,
    );
    expect(named).toEqual([
      "1 colour",
      "1 name",
      "2 colour",
      "2 rating",
      "2 body",
      "4 stock",
      "5 discount",
      "5 code",
    ]);
    const many = await expectRefused(
      Array.from({ length: 100 }, () => ({ create: "products", values: { a: 1, b: 2 } })),
      { status: 422, index: 0, keys: ["issues"] },
    );
    const issues = many.issues as Json[];
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)).toMatchObject({
      path: "",
      message: expect.stringContaining("not listed"),
    });
  });
});

describe("a batch that is not atomic", () => {
  test("answers each operation separately, and 424 for a reference to a refused one", async () => {
    const product = await newProduct();
    const body = "x".repeat(10);
    const reply = await batch(
      [
        { create: "products", values: shop.product(newName()) },
        { create: "products", values: shop.product(String(product.name)) },
        { create: "reviews", values: { productId: { ref: 0 }, rating: 1, body } },
        { create: "reviews", values: { productId: { ref: 1 }, rating: 1, body } },
        { update: "products", id: product.id, values: { stock: 5 }, ifMatch: '"old"' },
        { create: "reviews", values: { productId: shop.category.id, rating: 1, body } },
        { create: "nothing", values: {} },
        { delete: "settings", id: product.id },
        { delete: "products", id: product.id },
        { update: "products", id: product.id, values: {} },
      ],
      { atomic: false, query: "?etags=true" },
    );
    expect(reply.status, reply.text).toBe(200);
    const { data, errors = [], etags = [] } = reply.body;
    expect(Object.keys(reply.body)).toEqual(["data", "errors", "etags"]);
    expect(data.map((row) => row !== null)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(etags.map((tag) => tag !== null)).toEqual(data.map((row) => row !== null));
    expect(errors.map(({ index, status }) => [index, status])).toEqual([
      [1, 422],
      [3, 424],
      [4, 412],
      [5, 422],
      [6, 404],
      [7, 403],
      [9, 404],
    ]);
    expect(errors[0]).toEqual({
      index: 1,
      status: 422,
      error: expect.any(String),
      issues: [{ path: "name", message: expect.any(String) }],
    });
    expect(errors[1]).toEqual({ index: 3, status: 424, error: expect.any(String) });
    expect((await shop.admin.get(`/products/${product.id}`)).status).toBe(404);
    expect((await shop.admin.get(`/products/${data[0]?.id}`)).body).toEqual(data[0]);
  });

  test("is 400 as a whole if its form or a reference is wrong", async () => {
    const good = { create: "products", values: shop.product(newName()) };
    const before = await everything();
    for (const bad of [{}, { create: "reviews", values: { productId: { ref: 1 } } }]) {
      expectRefusal(await batch([good, bad], { atomic: false }), 400, ["index"]);
    }
    expect(await everything()).toEqual(before);
  });
});

describe("at the same time", () => {
  test("two upserts of the same values never end in 409", async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = newName();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          batch([{ upsert: "products", by: "name", values: shop.product(name, { stock: at }) }]),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      expect(new Set(replies.map(({ body }) => body.data[0]?.id)).size).toBe(1);
    }
  });

  test("those that change the same records in opposite orders all succeed", async () => {
    const coupons = ["A", "B"].map((end) => ({ code: `CROSS${made}${end}`, discount: 0.5 }));
    const products = [await newProduct(), await newProduct()];
    const upserts = coupons.map((values) => ({ upsert: "coupons", by: "code", values }));
    const updates = products.map(({ id }) => ({ update: "products", id, values: { stock: 1 } }));
    for (const operations of [upserts, updates]) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          batch(at % 2 === 0 ? operations : operations.toReversed()),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    }
  });

  test("one of twenty batches with the same key writes, completely, and all get its response", async () => {
    const name = newName();
    const order = await newOrder();
    const product = await newProduct();
    const operations = [
      { create: "products", values: shop.product(name) },
      { create: "orders", values: order },
      {
        create: "order-items",
        values: { orderId: { ref: 1 }, productId: product.id, unitPrice: 1 },
      },
    ];
    const text = JSON.stringify({ operations });
    const send = () =>
      shop.admin.send<Done>("POST", "/_service/batch", {
        text,
        headers: { "idempotency-key": name.replace(" ", "-") },
      });
    const replies = await Promise.all(Array.from({ length: 20 }, send));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(200);
    expect(
      replies.filter(({ headers }) => headers["idempotency-replayed"] !== "true"),
    ).toHaveLength(1);
  });

  test("one of twenty batches with the same tag is stored", async () => {
    const product = await newProduct();
    const { headers } = await shop.admin.get(`/products/${product.id}`);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, stock) =>
        batch([
          { create: "products", values: shop.product(newName()) },
          { update: "products", id: product.id, values: { stock }, ifMatch: headers.etag },
        ]),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  test("a value taken while a batch waits is reported at its operation", async () => {
    const name = newName();
    let reply: Promise<Reply<Done>> | undefined;
    await shop.app.db.transaction(async ({ query }) => {
      await query(
        "insert into products (id, name, price, category_id) values (gen_random_uuid(), $1, 1, $2)",
        [name, shop.category.id],
      );
      reply = batch([
        { create: "products", values: shop.product(newName()) },
        { create: "products", values: shop.product(name) },
      ]);
      await expect.poll(() => shop.app.db.query(lockWaiters)).toHaveLength(1);
    });
    const { status, body } = (await reply) as Reply<Done>;
    expect([status, (body as unknown as Row).index]).toEqual([422, 1]);
  });
});

test("If-Match and If-None-Match are 400, a malformed key too", async () => {
  const text = JSON.stringify({
    operations: [{ create: "products", values: shop.product(newName()) }],
  });
  for (const headers of [
    { "if-match": "*" },
    { "if-none-match": "*" },
    { "idempotency-key": "a b" },
  ]) {
    expectRefusal(await shop.admin.send("POST", "/_service/batch", { text, headers }), 400);
  }
});
