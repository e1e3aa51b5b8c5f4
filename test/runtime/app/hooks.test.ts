import { setTimeout as sleep } from "node:timers/promises";
import { refusal } from "service-runtime/errors";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Hooks } from "../../../fixtures/apps/shop/generated/app.js";
import { accountId, type HookedShop, openHookedShop } from "../../support/apps/hooked-shop.js";
import { created, expectRefusal, newName, paths } from "../../support/apps/shop.js";
import type { Row } from "../../support/http/client.js";

type Hook = keyof Required<Hooks>["products"] & string;
type Given = readonly (Record<string, unknown> & { id: string })[];

/** What the hooks of products were given, and what they do: a test sets `act`. */
const calls: { hook: Hook; given: Given; context: Context }[] = [];
let act: (hook: Hook, given: Given, context: Context) => unknown;

// biome-ignore lint/suspicious/noExplicitAny: hooks of an app in plain JavaScript do anything.
type Context = any;

const names: readonly Hook[] = [
  "beforeCreate",
  "beforeUpdate",
  "beforeDelete",
  "afterCreate",
  "afterUpdate",
  "afterDelete",
];

function hook(name: Hook) {
  return (...given: unknown[]) => {
    const context = given.pop() as Context;
    calls.push({ hook: name, given: given as Given, context });
    return act(name, given as Given, context);
  };
}

let shop: HookedShop;
let product: Row;
let count = 0;
beforeAll(async () => {
  const products = Object.fromEntries(names.map((name) => [name, hook(name)]));
  act = () => {};
  shop = await openHookedShop({ hooks: { products } as Hooks });
});
afterAll(() => shop.close());

beforeEach(async () => {
  act = () => {};
  count += 1;
  const made = await created(shop.admin, "products", shop.product(`Product ${count}`));
  product = made;
  await expect
    .poll(() => calls.some(({ hook, context }) => hook === "afterCreate" && context.id === made.id))
    .toBe(true);
  calls.length = 0;
});

/** Waits until that many hooks have been called. */
async function settled(number: number): Promise<void> {
  await expect.poll(() => calls.length).toBe(number);
}

const path = () => `/products/${product.id}`;
const stored = () => shop.db.query("select id, name, price, stock from products order by id");

test("a create calls its hooks with the checked values, then with the record", async () => {
  const name = newName("Tea");
  const { body } = await shop.admin.post("/products", shop.product(name));
  await settled(2);
  const [before, after] = calls;
  expect(before?.hook).toBe("beforeCreate");
  expect(before?.given).toEqual([
    {
      name,
      price: 1,
      stock: 0,
      active: true,
      status: "draft",
      categoryId: shop.category.id,
      description: null,
      releasedOn: null,
      soldOutAt: null,
      image: null,
      manual: null,
    },
  ]);
  expect(before?.context.id).toBe(body.id);
  expect(before?.context.caller).toEqual({ accountId, role: "admin", sessionId: null });
  expect(after?.hook).toBe("afterCreate");
  expect(after?.given).toEqual([body]);
  expect(after?.context.id).toBe(body.id);
});

test("an update calls its hooks with changes and record, then with the new and the previous record", async () => {
  const { body } = await shop.admin.patch(path(), { price: 7 });
  await settled(2);
  expect(calls.map(({ hook, given }) => [hook, given])).toEqual([
    ["beforeUpdate", [{ price: 7 }, product]],
    ["afterUpdate", [body, product]],
  ]);
});

test("a PUT calls the hooks of an update, with all fields", async () => {
  const name = newName("Put");
  const { body } = await shop.admin.put(
    path(),
    shop.product(name, { active: true, status: "live" }),
  );
  await settled(2);
  expect(calls[0]?.given[0]).toMatchObject({ name, stock: null, description: null });
  expect(Object.keys(calls[0]?.given[0] ?? {})).toHaveLength(11);
  expect(calls[1]?.given).toEqual([body, product]);
});

test("a delete calls its hooks with the record", async () => {
  await shop.admin.delete(path());
  await settled(2);
  expect(calls.map(({ hook, given }) => [hook, given])).toEqual([
    ["beforeDelete", [product]],
    ["afterDelete", [product]],
  ]);
});

test("a PATCH without a field calls no hook", async () => {
  expect((await shop.admin.patch(path(), {})).status).toBe(200);
  await sleep(50);
  expect(calls).toEqual([]);
});

test("the values that a hook returns replace the given ones", async () => {
  act = (name, [values]) => (name === "beforeCreate" ? { ...values, price: 3 } : undefined);
  expect((await shop.admin.post("/products", shop.product(newName("Dear")))).body).toMatchObject({
    price: 3,
  });
  act = (name) => (name === "beforeUpdate" ? { stock: 9 } : undefined);
  expect((await shop.admin.patch(path(), { price: 8 })).body).toMatchObject({ price: 1, stock: 9 });
  act = (name, [changes]) => (name === "beforeUpdate" ? { ...changes, stock: 4 } : undefined);
  const put = shop.product(newName("Put whole"), { active: false, status: "gone" });
  expect((await shop.admin.put(path(), put)).body).toMatchObject({ stock: 4, active: false });
});

test("mutating the given values does not change what is stored", async () => {
  act = (name, [record]) => {
    if (name === "beforeDelete" || name === "beforeUpdate") Object.assign(record ?? {}, { x: 1 });
  };
  expect((await shop.admin.patch(path(), { price: 8 })).status).toBe(500);
  expect((await shop.admin.get(path())).body).toEqual(product);
});

test("a returned value is checked: 500, and the log names hook and field", async () => {
  const before = await stored();
  const wrong: readonly [unknown, string][] = [
    [{ price: -1 }, "price"],
    [{ colour: "red" }, "colour"],
    [{ name: null }, "name"],
    ["text", "an object"],
    [[], "an object"],
  ];
  for (const [returned, word] of wrong) {
    act = (name, [values]) => {
      if (name === "beforeUpdate") return returned;
      if (name !== "beforeCreate") return undefined;
      return typeof returned === "object" && !Array.isArray(returned)
        ? { ...values, ...returned }
        : returned;
    };
    const create = await shop.admin.post("/products", shop.product(`Wrong ${word}`));
    const update = await shop.admin.patch(path(), { stock: 1 });
    for (const reply of [create, update]) {
      expectRefusal(reply, 500);
      expect(reply.text).not.toContain(word);
      expect(reply.headers["x-request-id"]).toMatch(/./);
    }
    for (const hook of ["products.beforeCreate", "products.beforeUpdate"]) {
      expect(shop.logged(hook).filter((line) => line.includes(word))).not.toEqual([]);
    }
  }
  expect(await stored()).toEqual(before);
});

test("a duplicate or a dead link in returned values is 422 at its field", async () => {
  const other = await created(shop.admin, "products", shop.product(newName("Taken")));
  const nowhere = "01890000-0000-7000-8000-000000000000";
  for (const [field, value] of [
    ["name", other.name],
    ["categoryId", nowhere],
  ] as const) {
    act = (name, [values]) =>
      name.startsWith("before") && values ? { ...values, [field]: value } : undefined;
    expect(paths(await shop.admin.post("/products", shop.product("Free")))).toEqual([field]);
    expect(paths(await shop.admin.patch(path(), { stock: 2 }))).toEqual([field]);
  }
});

test("hooks run after the body is checked, and not for a missing record", async () => {
  expect(paths(await shop.admin.post("/products", { price: "x" }))).toContain("price");
  expect(paths(await shop.admin.patch(path(), { price: "x" }))).toEqual(["price"]);
  const nowhere = "/products/01890000-0000-7000-8000-000000000000";
  expectRefusal(await shop.admin.patch(nowhere, { price: 1 }), 404);
  expectRefusal(await shop.admin.delete(nowhere), 404);
  expectRefusal(await shop.as("member").delete(path()), 403);
  expect(calls).toEqual([]);
});

test("a hook refuses with a status and a message, or with issues", async () => {
  const before = await stored();
  act = () => {
    throw refusal(409, "Closed orders cannot change");
  };
  const requests = [
    () => shop.admin.post("/products", shop.product("Refused")),
    () => shop.admin.patch(path(), { price: 2 }),
    () => shop.admin.put(path(), shop.product("Refused", { active: true, status: "live" })),
    () => shop.admin.delete(path()),
  ];
  for (const send of requests) {
    const reply = await send();
    expect([reply.status, reply.body]).toEqual([409, { error: "Closed orders cannot change" }]);
  }
  for (const status of [403, 409, 422]) {
    act = () => {
      throw refusal(status, [{ path: "price", message: "Too cheap" }]);
    };
    for (const send of requests) {
      const reply = await send();
      expect(reply.status).toBe(status);
      expect(reply.body).toMatchObject({ issues: [{ path: "price", message: "Too cheap" }] });
    }
  }
  expect(await stored()).toEqual(before);
});

test("any other error of a hook is a bare 500, and nothing is stored", async () => {
  const before = await stored();
  const thrown = [
    new Error("a bug"),
    Object.assign(new Error("like Express"), { status: 404 }),
    Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    "text",
    null,
  ];
  for (const error of thrown) {
    act = async (_name, _given, { db }) => {
      await db.query("update products set price = 77");
      throw error;
    };
    for (const reply of [
      await shop.admin.post("/products", shop.product("Thrown")),
      await shop.admin.patch(path(), { price: 2 }),
      await shop.admin.delete(path()),
    ]) {
      expect([reply.status, reply.body]).toEqual([500, { error: "Internal server error" }]);
      const id = JSON.stringify(reply.headers["x-request-id"]);
      expect(shop.logged(`"requestId":${id}`)).toHaveLength(1);
    }
  }
  expect(await stored()).toEqual(before);
  expect(shop.logged("products.beforeCreate")).not.toEqual([]);
});

test("queries of a hook run inside the transaction", async () => {
  const inside = shop.product(newName("Inside"));
  act = async (name, _given, { db }) => {
    if (name === "beforeCreate")
      await db.query("update products set stock = 42 where id = $1", [product.id]);
  };
  expect((await shop.admin.post("/products", inside)).status).toBe(201);
  expect((await shop.admin.get(path())).body).toMatchObject({ stock: 42 });
  act = async (name, _given, { db }) => {
    if (name === "beforeCreate")
      await db.query("update products set stock = 43 where id = $1", [product.id]);
  };
  expect(paths(await shop.admin.post("/products", inside))).toEqual(["name"]);
  expect((await shop.admin.get(path())).body).toMatchObject({ stock: 42 });
});

test("the response does not wait for hooks after the write, and their errors are logged", async () => {
  const thrown = newName("lost in the post");
  let finish = () => {};
  const waiting = new Promise<void>((resolve) => {
    finish = resolve;
  });
  act = async (name) => {
    if (name !== "afterUpdate") return;
    await waiting;
    throw new Error(thrown);
  };
  expect((await shop.admin.patch(path(), { price: 5 })).status).toBe(200);
  await settled(2);
  expect(shop.logged(thrown)).toEqual([]);
  finish();
  await expect.poll(() => shop.logged(thrown)).toHaveLength(1);
  expect(shop.logged(thrown)[0]).toContain("products.afterUpdate");
});

test("a hook after a write of another such hook may run longer than that one", async () => {
  const [first, second] = [newName("Outer"), newName("Inner")];
  let outer: Context;
  act = async (name, [record], context) => {
    if (name !== "afterCreate") return;
    if (record?.name === first) {
      outer = context;
      await context.resources.products.create(shop.product(second));
      return;
    }
    const isOver = () =>
      outer.db.query("select 1").then(
        () => false,
        () => true,
      );
    while (!(await isOver())) await sleep(10);
    await context.resources.products.update(record?.id, { stock: 7 });
  };
  await created(shop.admin, "products", shop.product(first));
  const stock = () => shop.db.query("select stock::int from products where name = $1", [second]);
  await expect.poll(stock).toEqual([{ stock: 7 }]);
});

test("no hook runs after a write that was refused", async () => {
  const once = shop.product(newName("Only one"));
  await created(shop.admin, "products", once);
  await settled(2);
  calls.length = 0;
  expect(paths(await shop.admin.post("/products", once))).toEqual(["name"]);
  await sleep(50);
  expect(calls.map(({ hook }) => hook)).toEqual(["beforeCreate"]);
});

test("a context throws once its hook has ended, and writes nothing", async () => {
  await shop.admin.patch(path(), { price: 2 });
  await settled(2);
  for (const { hook, context } of calls) {
    await expect(context.db.query("update products set price = 99")).rejects.toThrow("has ended");
    await expect(context.db.transaction(async () => {})).rejects.toThrow("has ended");
    await expect(
      context.resources.products.update(product.id, { price: 99 }),
      hook,
    ).rejects.toThrow("has ended");
    await expect(context.resources.products.list()).rejects.toThrow("has ended");
  }
  expect((await shop.admin.get(path())).body).toMatchObject({ price: 2 });
});

test("the app's other ways to the database throw in a hook before a write", async () => {
  const messages: unknown[] = [];
  act = async (name) => {
    if (name !== "beforeUpdate") return;
    const { app } = shop;
    for (const attempt of [
      () => app.db.query("select 1"),
      () => app.db.transaction(async () => {}),
      () => app.transaction(async () => {}),
      () => app.resources.products.list(),
      () => app.resources.products.update(product.id, { price: 9 }),
    ]) {
      await attempt().then(
        () => messages.push("worked"),
        (error: Error) => messages.push(error.message),
      );
    }
  };
  expect((await shop.admin.patch(path(), { price: 3 })).status).toBe(200);
  expect(messages).toHaveLength(5);
  for (const message of messages)
    expect(message).toContain("cannot be used in products.beforeUpdate");
});
