import { Router } from "express";
import { Refusal } from "service-runtime/errors";
import { publicRoute } from "service-runtime/http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Hooks } from "../../../fixtures/apps/shop/generated/app.js";
import { accountId, type HookedShop, openHookedShop } from "../../support/apps/hooked-shop.js";
import { newName } from "../../support/apps/shop.js";
import { client } from "../../support/http/client.js";

// biome-ignore lint/suspicious/noExplicitAny: a test gives it what it needs.
type Context = any;

let act: (name: string, values: Context, context: Context) => unknown = () => {};
const callers: unknown[] = [];
let shop: HookedShop;
let count = 0;
beforeAll(async () => {
  const own =
    (name: string) =>
    (...given: Context[]) => {
      const context = given.at(-1);
      callers.push(context.caller);
      return act(name, given[0], context);
    };
  const routes = Router();
  routes.post("/restock", async (_request, response) => {
    const { resources, caller } = response.locals;
    const product = await resources.products.create({ ...fields(), stock: 7 });
    response.json({ product, caller });
  });
  routes.post("/open", publicRoute, async (_request, response) => {
    response.json(await response.locals.resources.products.create(fields()));
  });
  routes.post("/by-app", async (_request, response) => {
    response.json(await shop.app.resources.products.create(fields()));
  });
  shop = await openHookedShop({
    routes,
    policies: { products: { update: (_caller, record) => record.status !== "gone" } },
    hooks: {
      products: {
        beforeCreate: own("products.beforeCreate"),
        afterCreate: own("products.afterCreate"),
        beforeUpdate: own("products.beforeUpdate"),
        beforeDelete: own("products.beforeDelete"),
      },
      coupons: {
        beforeCreate: own("coupons.beforeCreate"),
        afterCreate: own("coupons.afterCreate"),
      },
    } as unknown as Hooks,
  });
});
afterAll(() => shop.close());
beforeEach(() => {
  act = () => {};
  callers.length = 0;
});

function fields() {
  count += 1;
  return { name: `Product ${count}`, price: 1, categoryId: shop.category.id };
}

function coupon() {
  count += 1;
  return { code: `CODE${count}` };
}

const admin = { accountId, role: "admin", sessionId: null };
const member = { accountId, role: null, sessionId: null };

/** The refusal of the work. */
async function refusalOf(work: () => Promise<unknown>): Promise<Refusal> {
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}

test("a resource's client creates, reads, changes, counts and deletes as the API does", async () => {
  const { products } = shop.app.resources;
  const made = await products.create({ ...fields(), description: "Green" });
  expect(made).toMatchObject({ stock: 0, active: true, status: "draft", description: "Green" });
  expect((await shop.admin.get(`/products/${made.id}`)).body).toEqual(made);
  expect(await products.get(made.id)).toEqual(made);
  expect(await products.get(made.id, { fields: ["name"] })).toEqual({
    id: made.id,
    name: made.name,
  });
  expect(await products.get(made.id, { include: { category: true } })).toMatchObject({
    category: { name: "Everything" },
  });
  expect(await products.update(made.id, { price: 9 })).toMatchObject({ price: 9, stock: 0 });
  const whole = { ...fields(), active: false, status: "live" as const };
  expect(await products.replace(made.id, whole)).toMatchObject({ stock: null, active: false });
  const query = { where: { id: made.id } };
  expect(await products.count(query)).toBe(1);
  expect(await products.list({ ...query, perPage: 5 })).toMatchObject({
    data: [{ id: made.id }],
    meta: { page: 1, perPage: 5, total: 1, totalPages: 1 },
  });
  expect(await products.list({ cursor: "", sort: ["-price"], perPage: 1 })).toMatchObject({
    meta: { perPage: 1 },
  });
  expect(await products.delete(made.id)).toBeUndefined();
  expect(await products.get(made.id)).toBeNull();
  expect(await products.get("no-id")).toBeNull();
});

test("refusals of the API are thrown as a Refusal", async () => {
  const { products, categories } = shop.app.resources;
  const made = await products.create(fields());
  const form = await refusalOf(() => products.create({ ...fields(), price: -1 }));
  expect(form).toMatchObject({
    status: 422,
    message: "The values are not valid",
    issues: [{ path: "price", message: "Must be at least 0" }],
  });
  const taken = await refusalOf(() => products.create({ ...fields(), name: made.name }));
  expect([taken.status, taken.issues]).toEqual([
    422,
    [{ path: "name", message: "Another record has this value" }],
  ]);
  expect((await refusalOf(() => products.update("no-id", { price: 1 }))).status).toBe(404);
  expect((await refusalOf(() => products.delete(accountId))).status).toBe(404);
  expect((await refusalOf(() => categories.delete(shop.category.id))).status).toBe(409);
  const wrong = { where: { colour: "red" } } as object;
  expect((await refusalOf(() => products.list(wrong))).status).toBe(400);
});

test("a refusal names for the log the rule or policy behind it", async () => {
  const { as, products } = shop.app.resources;
  const made = await products.create({ ...fields(), status: "gone" });
  const reasonOf = async (work: () => Promise<unknown>) => (await refusalOf(work)).details.reason;
  expect(await reasonOf(() => as(admin).products.update(made.id, { stock: 1 }))).toBe(
    'the policy "update" of products did not return true',
  );
  expect(await reasonOf(() => as(member).products.delete(made.id))).toBe(
    "the access rule is [admin, editor], and the caller has no role",
  );
});

test("rules and policies do not apply, except with `as`", async () => {
  const { products, coupons, as } = shop.app.resources;
  const made = await products.create({ ...fields(), status: "gone" });
  expect(await products.update(made.id, { stock: 1 })).toMatchObject({ stock: 1 });
  const judged = as(admin).products;
  expect((await refusalOf(() => judged.update(made.id, { stock: 2 }))).status).toBe(403);
  expect(await as(member).products.get(made.id)).toMatchObject({ stock: 1 });
  expect((await refusalOf(() => as(member).products.delete(made.id))).status).toBe(403);
  expect(await coupons.count()).toBe(0);
  expect((await refusalOf(() => as(member).coupons.list())).status).toBe(403);
  expect((await refusalOf(() => as(member).coupons.count())).status).toBe(403);
});

test("hooks run for them, with the caller of the request", async () => {
  await shop.app.resources.products.create(fields());
  await expect.poll(() => callers).toEqual([null, null]);
  callers.length = 0;
  const { body } = await shop.admin.post("/restock", {});
  expect(body).toMatchObject({ product: { stock: 7 }, caller: admin });
  await expect.poll(() => callers).toEqual([admin, admin]);
  callers.length = 0;
  expect((await client(shop.url, null).post("/open", {})).status).toBe(200);
  await expect.poll(() => callers).toEqual([null, null]);
  callers.length = 0;
  expect((await shop.admin.post("/by-app", {})).status).toBe(200);
  await expect.poll(() => callers).toEqual([admin, admin]);
});

test("a query of several statements is refused, and none of them runs", async () => {
  const { app } = shop;
  const several = "update products set stock = 1; delete from products";
  for (const query of [
    () => app.db.query(several),
    () => app.db.query("select 1;; select 2 -- end"),
    () => app.transaction(({ db }) => db.query(several)),
    () => app.db.transaction((db) => db.query(several)),
  ]) {
    await expect(query()).rejects.toThrow(/^query runs one statement, and this text has 2: /);
  }
  const one = "select ';' || $$; a$$ as text; -- an end; with words";
  for (let times = 0; times < 3; times += 1) {
    expect(await app.db.query(one)).toEqual([{ text: ";; a" }]);
  }
});

test("app.transaction applies everything or nothing", async () => {
  const { app, db } = shop;
  const made = await app.transaction(async ({ resources, db: within }) => {
    const product = await resources.products.create(fields());
    await within.query("update products set stock = 5 where id = $1", [product.id]);
    expect(await resources.products.get(product.id)).toMatchObject({ stock: 5 });
    expect(await db.query("select from products where id = $1", [product.id])).toEqual([]);
    return product;
  });
  expect(await app.resources.products.get(made.id)).toMatchObject({ stock: 5 });
  const before = await app.resources.products.count();
  await expect(
    app.transaction(async ({ resources }) => {
      await resources.products.create(fields());
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  expect(await app.resources.products.count()).toBe(before);
});

test("a refused write within a transaction can be caught, and the rest is stored", async () => {
  const { app } = shop;
  const name = (await app.resources.products.create(fields())).name;
  const nowhere = "01890000-0000-7000-8000-000000000000";
  const made = await app.transaction(async ({ resources, db }) => {
    await refusalOf(() => resources.products.create({ ...fields(), name }));
    await refusalOf(() => resources.products.create({ ...fields(), categoryId: nowhere }));
    await expect(db.transaction((inner) => inner.query("select 1/0"))).rejects.toThrow("division");
    return resources.products.create(fields());
  });
  expect(await app.resources.products.get(made.id)).toEqual(made);
});

test("concurrent writes of a transaction run one after the other", async () => {
  const { app } = shop;
  const made = await app.transaction(({ resources, db }) =>
    Promise.all([
      resources.products.create(fields()),
      resources.products.create(fields()),
      db.query("select 1 as one"),
      resources.products.create(fields()),
    ]),
  );
  expect(made).toHaveLength(4);
  expect(await app.resources.products.get(made[3].id)).toEqual(made[3]);
});

test("a transaction's objects throw after its end, and the app's other ways to the database throw within", async () => {
  const { app } = shop;
  const kept = await app.transaction(async (given) => {
    await expect(app.db.query("select 1")).rejects.toThrow("cannot be used in app.transaction");
    await expect(app.resources.products.list()).rejects.toThrow("cannot be used");
    await expect(app.transaction(async () => {})).rejects.toThrow("cannot be used");
    return given;
  });
  await expect(kept.db.query("select 1")).rejects.toThrow("has ended");
  await expect(kept.resources.products.create(fields())).rejects.toThrow("has ended");
});

test("a deadlock in app.transaction is a Refusal 503", async () => {
  const { app } = shop;
  const [one, two] = [
    await app.resources.products.create(fields()),
    await app.resources.products.create(fields()),
  ];
  let waiting = 0;
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lock = (first: string, second: string) =>
    app.transaction(async ({ resources }) => {
      await resources.products.update(first, { stock: 1 });
      waiting += 1;
      if (waiting === 2) release();
      await both;
      await resources.products.update(second, { stock: 1 });
    });
  const outcomes = await Promise.allSettled([lock(one.id, two.id), lock(two.id, one.id)]);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(failed).toHaveLength(1);
  expect(failed[0]?.reason).toMatchObject({ name: "Refusal", status: 503 });
});

test("a nested write joins the transaction, and its hooks run", async () => {
  const code = newName("NESTED").replace(" ", "");
  act = async (name, _values, { resources }) => {
    if (name === "products.beforeCreate") await resources.coupons.create({ code });
    if (name === "coupons.beforeCreate") return { ..._values, weight: 3 };
    return undefined;
  };
  const product = await shop.app.resources.products.create(fields());
  expect(await shop.db.query("select weight from coupons where code = $1", [code])).toEqual([
    { weight: 3 },
  ]);
  // The second one is refused at the coupon: the product is not stored either.
  const refused = await shop.admin.post("/products", fields());
  expect(refused.status).toBe(422);
  expect(await shop.app.resources.products.get(product.id)).not.toBeNull();
  act = () => {};
});

test("hooks that write endlessly stop at the ninth level: 500, and the log names the chain", async () => {
  act = async (name, _values, { resources }) => {
    if (name !== "coupons.beforeCreate") return;
    await resources.coupons.create(coupon()).catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
    });
  };
  const before = await shop.app.resources.coupons.count();
  const reply = await shop.admin.post("/coupons", coupon());
  expect([reply.status, reply.body]).toEqual([500, { error: "Internal server error" }]);
  expect(await shop.app.resources.coupons.count()).toBe(before);
  const chain = Array.from({ length: 8 }, () => "coupons.beforeCreate").join(" → ");
  expect(shop.logged(`${chain} → create of coupons`)).not.toEqual([]);
});

test("eight levels are allowed, and levels count through hooks after the write", async () => {
  let made = 0;
  act = async (name, _values, { resources }) => {
    if (name !== "coupons.beforeCreate" || made === 7) return;
    made += 1;
    await resources.coupons.create(coupon());
  };
  expect((await shop.admin.post("/coupons", coupon())).status).toBe(201);
  expect(made).toBe(7);
  const chain = Array.from({ length: 8 }, () => "coupons.afterCreate").join(" → ");
  const ends = () => shop.logged(`${chain} → create of coupons`).length;
  const before = ends();
  let after = 0;
  act = async (name, _values, { resources }) => {
    if (name !== "coupons.afterCreate") return;
    after += 1;
    await (after % 2 === 0 ? resources : shop.app.resources).coupons.create(coupon());
  };
  expect((await shop.admin.post("/coupons", coupon())).status).toBe(201);
  await expect.poll(ends).toBeGreaterThan(before);
  expect(after).toBe(8);
});

test("hooks of a batch run in its order, those after the write after the commit", async () => {
  await shop.db.query("delete from coupons");
  await shop.db.query("delete from products where name = 'Batch'");
  const order: string[] = [];
  act = async (name, values, { db }) => {
    const [{ count: stored }] = await db.query("select count(*)::int as count from coupons");
    order.push(`${name} ${values.code ?? values.name} ${stored}`);
  };
  const before = await shop.app.resources.coupons.count();
  const operations = [
    { create: "coupons", values: { code: "BATCH1" } },
    { create: "products", values: { ...fields(), name: "Batch" } },
    { create: "coupons", values: { code: "BATCH2" } },
  ];
  const reply = await shop.admin.post("/_service/batch", { operations });
  expect(reply.status, reply.text).toBe(200);
  await expect.poll(() => order.length).toBe(6);
  expect(order).toEqual([
    `coupons.beforeCreate BATCH1 ${before}`,
    `products.beforeCreate Batch ${before + 1}`,
    `coupons.beforeCreate BATCH2 ${before + 1}`,
    `coupons.afterCreate BATCH1 ${before + 2}`,
    `products.afterCreate Batch ${before + 2}`,
    `coupons.afterCreate BATCH2 ${before + 2}`,
  ]);
});

test("no hook runs after operations that a batch rolled back", async () => {
  await shop.db.query("delete from coupons");
  const seen: string[] = [];
  act = (name, values) => void seen.push(`${name} ${values.code}`);
  const operations = [
    { create: "coupons", values: { code: "ATOM1" } },
    { create: "coupons", values: { code: "ATOM1" } },
    { create: "coupons", values: { code: "ATOM3" } },
  ];
  expect((await shop.admin.post("/_service/batch", { operations })).status).toBe(422);
  const loose = await shop.admin.post<{ errors: object[] }>("/_service/batch", {
    atomic: false,
    operations,
  });
  expect(loose.body.errors).toMatchObject([{ index: 1, status: 422 }]);
  await expect
    .poll(() => seen.filter((one) => one.includes("after")))
    .toEqual(["coupons.afterCreate ATOM1", "coupons.afterCreate ATOM3"]);
});

test("a repeated request with an idempotency key runs its hooks once", async () => {
  const key = newName("hooks").replace(" ", "-");
  const seen: string[] = [];
  act = (name) => void seen.push(name);
  const text = JSON.stringify(coupon());
  const send = () =>
    shop.admin.send("POST", "/coupons", { text, headers: { "idempotency-key": key } });
  const replies = await Promise.all([send(), send(), send()]);
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  await expect.poll(() => seen).toEqual(["coupons.beforeCreate", "coupons.afterCreate"]);
});
