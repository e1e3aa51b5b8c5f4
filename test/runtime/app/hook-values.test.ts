import { Router } from "express";
import { Refusal, refusal } from "service-runtime/errors";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Hooks } from "../../../fixtures/apps/shop/generated/app.js";
import { type HookedShop, openHookedShop } from "../../support/apps/hooked-shop.js";
import { created, expectRefusal, paths } from "../../support/apps/shop.js";
import type { Row } from "../../support/http/client.js";

// biome-ignore lint/suspicious/noExplicitAny: a test gives it what it needs.
type Context = any;

let act: (name: string, values: Context, context: Context) => unknown;
let shop: HookedShop;
let product: Row;
let count = 0;

beforeAll(async () => {
  const own =
    (name: string) =>
    (...given: Context[]) =>
      act(name, given[0], given.at(-1));
  const routes = Router();
  routes.post("/direct", async (_request, response) => {
    response.json(
      await response.locals.resources.products.update(String(product.id), { price: -1 }),
    );
  });
  routes.post("/transaction", async (_request, response) => {
    const changes = { price: -1 };
    response.json(
      await shop.app.transaction(({ resources }) =>
        resources.products.update(String(product.id), changes),
      ),
    );
  });
  routes.post("/sum", async (_request, response) => {
    const { resources } = response.locals;
    await resources.products.update(String(product.id), { price: 0.1 + 0.2 });
    response.json(await resources.products.create({ ...fields(), price: 1.005 }));
  });
  act = () => {};
  shop = await openHookedShop({
    routes,
    policies: { coupons: { create: (_caller, values, context) => policy(values, context) } },
    hooks: {
      coupons: {
        beforeCreate: own("coupons.beforeCreate"),
        beforeUpdate: own("coupons.beforeUpdate"),
        beforeDelete: own("coupons.beforeDelete"),
        afterCreate: own("coupons.afterCreate"),
      },
      products: {
        beforeCreate: own("products.beforeCreate"),
        beforeUpdate: own("products.beforeUpdate"),
      },
    } as unknown as Hooks,
  });
});
afterAll(() => shop.close());

let policy: (values: Context, context: Context) => boolean | Promise<boolean>;
beforeEach(async () => {
  act = () => {};
  policy = () => true;
  product = await created(shop.admin, "products", fields());
});

function fields() {
  count += 1;
  return { name: `Value ${count}`, price: 1, categoryId: shop.category.id };
}

function coupon() {
  count += 1;
  return { code: `VALUE${count}` };
}

const wrongWrites: readonly [string, (context: Context) => Promise<unknown>][] = [
  ['"price": Must be at least 0', (c) => c.resources.products.update(product.id, { price: -1 })],
  ['"colour" is not a field', (c) => c.resources.products.update(product.id, { colour: "red" })],
  ['"name": A value is required', (c) => c.resources.products.create({ price: 1 })],
  ['"name": A value is required', (c) => c.resources.products.replace(product.id, { price: 1 })],
  ['"price": Must be', (c) => c.resources.as(c.caller).products.update(product.id, { price: -1 })],
];

test("a value that a hook writes against a rule is a 500 that names hook, resource and field", async () => {
  const kept = await created(shop.admin, "coupons", coupon());
  for (const [words, write] of wrongWrites) {
    for (const [hook, send] of [
      ["coupons.beforeCreate", () => shop.admin.post("/coupons", coupon())],
      ["coupons.beforeUpdate", () => shop.admin.patch(`/coupons/${kept.id}`, { discount: 0.5 })],
      ["coupons.beforeDelete", () => shop.admin.delete(`/coupons/${kept.id}`)],
    ] as const) {
      act = (name, _values, context) => (name === hook ? write(context) : undefined);
      const before = shop.logged(words).length;
      const reply = await send();
      expect([reply.status, reply.body]).toEqual([500, { error: "Internal server error" }]);
      const [line] = shop.logged(words).slice(before);
      expect(line).toContain(`${hook} wrote values to products that cannot be stored: `);
    }
  }
  expect((await shop.admin.get(`/products/${product.id}`)).body).toEqual(product);
});

test("an invalid value of a policy is a 500, and one of a hook after the write is logged by its name", async () => {
  policy = async (_values, { resources }) => {
    await resources.products.update(product.id, { price: -1 });
    return true;
  };
  const [byPolicy, byHook] = [
    'the policy "create" of coupons wrote values to products',
    "coupons.afterCreate wrote values to products",
  ] as const;
  const before = [shop.logged(byPolicy).length, shop.logged(byHook).length] as const;
  expectRefusal(await shop.admin.post("/coupons", coupon()), 500);
  expect(shop.logged(byPolicy)).toHaveLength(before[0] + 1);
  policy = () => true;
  act = (name, _values, { resources }) =>
    name === "coupons.afterCreate"
      ? resources.products.update(product.id, { stock: "many" })
      : undefined;
  await created(shop.admin, "coupons", coupon());
  await expect.poll(() => shop.logged(byHook)).toHaveLength(before[1] + 1);
  expect(shop.logged("coupons.afterCreate wrote values")[0]).toContain('"stock"');
});

test("a query of a hook that the API would refuse is a 500 too", async () => {
  act = (name, _values, { resources }) =>
    name === "coupons.beforeCreate" ? resources.products.list({ sort: ["colour"] }) : undefined;
  expectRefusal(await shop.admin.post("/coupons", coupon()), 500);
  expect(shop.logged("coupons.beforeCreate made an invalid query for products")[0]).toContain(
    '"sort"',
  );
});

test("in a batch only the operation fails, with 500", async () => {
  act = (name, values, { resources }) =>
    name === "coupons.beforeCreate" && values.discount === 0.3
      ? resources.products.update(product.id, { price: -1 })
      : undefined;
  const operations = [0.2, 0.3].map((discount) => ({
    create: "coupons",
    values: { ...coupon(), discount },
  }));
  expectRefusal(await shop.admin.post("/_service/batch", { operations }), 500);
});

test("a duplicate and a dead link of a hook's write are still 422 at their fields", async () => {
  const other = await created(shop.admin, "products", fields());
  const nowhere = "01890000-0000-7000-8000-000000000000";
  for (const changes of [{ name: other.name }, { categoryId: nowhere }]) {
    act = (name, _values, { resources }) =>
      name === "coupons.beforeCreate" ? resources.products.update(product.id, changes) : undefined;
    expect(paths(await shop.admin.post("/coupons", coupon()))).toEqual(Object.keys(changes));
  }
});

test("a refusal by a hook of the nested write remains the response", async () => {
  act = (name, _values, { resources }) => {
    if (name === "coupons.beforeCreate") return resources.products.update(product.id, { price: 2 });
    if (name !== "products.beforeUpdate") return undefined;
    throw refusal(422, [{ path: "price", message: "Too dear" }]);
  };
  expect(paths(await shop.admin.post("/coupons", coupon()))).toEqual(["price"]);
});

test("a hook may catch the refusal of a value that it wrote, and continue", async () => {
  let status = 0;
  act = async (name, _values, { resources }) => {
    if (name !== "coupons.beforeCreate") return;
    try {
      await resources.products.update(product.id, { price: -1 });
    } catch (error) {
      status = error instanceof Refusal ? error.status : 0;
    }
  };
  expect((await shop.admin.post("/coupons", coupon())).status).toBe(201);
  expect(status).toBe(422);
});

test("a route that passes on such a value answers 422 at its field, as before", async () => {
  for (const path of ["/direct", "/transaction"]) {
    expect(paths(await shop.admin.post(path, {}))).toEqual(["price"]);
  }
});

test("sums of decimals in app code are stored exactly, rounded to the field's decimal places", async () => {
  expect((await shop.admin.post("/sum", {})).body).toMatchObject({ price: 1.01 });
  expect((await shop.admin.get(`/products/${product.id}`)).body).toMatchObject({ price: 0.3 });
  act = (name, values) =>
    name === "products.beforeUpdate" ? { ...values, price: values.price * 3 } : undefined;
  const patched = await shop.admin.patch(`/products/${product.id}`, { price: 0.1 });
  expect(patched.body).toMatchObject({ price: 0.3 });
  act = (name, values) =>
    name === "products.beforeCreate" ? { ...values, price: 2 / 3 } : undefined;
  expect(await created(shop.admin, "products", fields())).toMatchObject({ price: 0.67 });
});

test("values of a client are not rounded", async () => {
  expect(paths(await shop.admin.patch(`/products/${product.id}`, { price: 0.1 + 0.2 }))).toEqual([
    "price",
  ]);
});
