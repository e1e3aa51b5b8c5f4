import type { AppOptions } from "service-runtime/app";
import { Refusal, refusal } from "service-runtime/errors";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningApp } from "../support/apps/app.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { startTwoServers, type TwoServers } from "../support/apps/two-servers.js";
import { type Client, client } from "../support/http/client.js";

// biome-ignore lint/suspicious/noExplicitAny: a test does anything.
type Context = any;
type Act = (line: { productId: string; quantity: number }, context: Context) => unknown;

/** What the hook of a new order line does, and the policy before it: the first adds its pieces to the product. */
let act: Act;
let judge: Act;
let calls = 0;

const addPieces: Act = async ({ productId, quantity }, { resources }) => {
  const product = await resources.products.get(productId);
  if (product === null) return;
  await resources.products.update(productId, { stock: product.stock + quantity });
};

const own: AppOptions = {
  hooks: {
    orderLines: {
      beforeCreate: async (line: Context, context) => {
        calls += 1;
        await act(line, context);
      },
    },
  },
  policies: {
    orderLines: {
      create: async (_caller, line: Context, context) => {
        await judge(line, context);
        return true;
      },
    },
  },
};

let both: TwoServers;
let running: RunningApp;
let app: TwoServers["apps"][0];
let other: TwoServers["apps"][0];
let servers: readonly Client[];
let caller: Client;
let productId: string;
let count = 0;
beforeAll(async () => {
  both = await startTwoServers("apps/stock", own);
  running = both.running;
  [app, other] = both.apps;
  caller = client(running.url, running.token);
  servers = [caller, client(both.urls[1], running.token)];
});
afterAll(() => both.close());

beforeEach(async () => {
  act = addPieces;
  judge = () => {};
  count += 1;
  productId = String((await created(caller, "products", { name: `Product ${count}` })).id);
  calls = 0;
});

const stockOf = async (id = productId) => (await caller.get(`/products/${id}`)).body.stock;
const line = (quantity = 1) => ({ productId, quantity });
const times = <T>(number: number, make: (at: number) => T) =>
  Array.from({ length: number }, (_, at) => make(at));

/** What another transaction does to a product. */
const setStock = (stock: number, id = productId) =>
  running.db.query("update products set stock = $2 where id = $1", [id, stock]);

/** Does that once, however often it is called. */
function once(work: () => unknown): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
}

async function refusedBy(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}

test("a hook that gets and updates a record overwrites no change of another server", async () => {
  const replies = await Promise.all(
    times(30, (at) => servers[at % 2]?.post("/order-lines", line(at + 1))),
  );
  expect(replies.map((reply) => reply?.status)).toEqual(times(30, () => 201));
  expect(await stockOf()).toBe((30 * 31) / 2);
});

test.each([1, 2])(
  "of 200 concurrent buyers on %d servers, exactly one per ticket succeeds",
  async (processes) => {
    await setStock(50);
    act = async ({ productId, quantity }, { resources }) => {
      const tier = await resources.products.get(productId, { lock: true });
      if (tier.stock < quantity) throw refusal(409, "Sold out");
      await resources.products.update(productId, { stock: tier.stock - quantity });
    };
    const accounts: string[] = [];
    // One after the other: on a slow machine, 200 at once wait too long for a connection.
    while (accounts.length < 200) accounts.push(await running.signIn("admin"));
    const urls = both.urls.slice(0, processes);
    const buyers = accounts.map((token, at) => client(urls[at % processes] ?? running.url, token));
    const replies = await Promise.all(buyers.map((buyer) => buyer.post("/order-lines", line())));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...times(50, () => 201), ...times(150, () => 409)]);
    expect(await stockOf()).toBe(0);
  },
);

test("no request that waits for a row, directly or behind others, is refused while another holds it", async () => {
  await setStock(50);
  act = async ({ productId, quantity }, { resources }) => {
    const tier = await resources.products.get(productId, { lock: true });
    await resources.products.update(productId, { stock: tier.stock - quantity });
  };
  const longest = `select from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '6 s'`;
  const { sales } = await running.db.transaction(async ({ query }) => {
    await query("select from products where id = $1 for update", [productId]);
    const sales = times(24, (at) => servers[at % 2]?.post("/order-lines", line()));
    const isLong = async () => (await running.db.query(longest)).length > 0;
    await expect.poll(isLong, { timeout: 60_000 }).toBe(true);
    return { sales };
  });
  const replies = await Promise.all(sales);
  expect(replies.map((reply) => reply?.status)).toEqual(times(24, () => 201));
  expect(await stockOf()).toBe(26);
});

test("policies, keyed requests and batches that wait for a row are not refused either", async () => {
  [act, judge] = [judge, act];
  const operations = times(3, () => ({ create: "order-lines", values: line() }));
  const replies = await Promise.all(
    times(20, (at) => {
      const server = servers[at % 2] ?? caller;
      if (at % 4 === 0) return server.post("/order-lines", line(3));
      if (at % 4 === 1) return server.post("/_service/batch", { operations });
      if (at % 4 === 2) return server.post("/_service/batch", { atomic: false, operations });
      const headers = { "idempotency-key": `key-${count}-${at}` };
      return server.send("POST", "/order-lines", { text: JSON.stringify(line(3)), headers });
    }),
  );
  expect(replies.map(({ status }) => status).every((status) => status < 300)).toBe(true);
  expect(await stockOf()).toBe(60);
});

test("a write is repeated once, with get locking, and everything before is undone", async () => {
  const change = once(() => setStock(5));
  act = async (given, context) => {
    await context.resources.products.create({ name: `Side ${count}` });
    const { stock } = await context.resources.products.get(productId);
    await change();
    await context.resources.products.update(productId, { stock: stock + given.quantity });
  };
  await created(caller, "order-lines", line());
  expect(calls).toBe(2);
  expect(await stockOf()).toBe(6);
  const sides = await caller.list(`/products?filter[name]=Side%20${count}`);
  expect(sides.body.meta.total).toBe(1);
});

test("in a batch only the overtaken operation is repeated", async () => {
  const change = once(() => setStock(5));
  act = async (given, context) => {
    const { stock } = await context.resources.products.get(productId);
    if (given.quantity === 2) await change();
    if (given.quantity === 2) {
      await context.resources.products.update(productId, { stock: stock + given.quantity });
    }
  };
  const operations = times(3, (at) => ({ create: "order-lines", values: line(at + 1) }));
  expect((await caller.post("/_service/batch", { operations })).status).toBe(200);
  expect(calls).toBe(4);
  expect(await stockOf()).toBe(7);
});

test("a batch whose hook wrote before it was overtaken writes nothing twice", async () => {
  const change = once(() => setStock(5));
  act = async (given, context) => {
    await context.db.query("insert into products (name) values ($1)", [
      `Sql ${count} ${given.quantity}`,
    ]);
    const { stock } = await context.resources.products.get(productId);
    if (given.quantity === 2) await change();
    await context.resources.products.update(productId, { stock: stock + 1 });
  };
  const other = await created(caller, "products", { name: `Other ${count}` });
  const operations = [
    { create: "order-lines", values: { productId: other.id, quantity: 2 } },
    { create: "order-lines", values: line(3) },
  ];
  expect((await caller.post("/_service/batch", { operations })).status).toBe(200);
  expect(await stockOf()).toBe(7);
});

test("a hook whose list changes each time is refused after the third repetition", async () => {
  act = async (_, context) => {
    const { data } = await context.resources.products.list({
      where: { id: productId },
      fields: ["stock"],
    });
    expect(Object.keys(data[0])).toEqual(["id", "stock"]);
    await setStock(calls);
    await context.resources.products.update(productId, { stock: data[0].stock + 100 });
  };
  const reply = await caller.post("/order-lines", line());
  expectRefusal(reply, 503);
  expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  expect(calls).toBe(4);
  expect(await stockOf()).toBe(4);
});

test("a hook cannot catch that it was overtaken", async () => {
  const change = once(() => setStock(5));
  act = async (_, { resources }) => {
    const { stock } = await resources.products.get(productId);
    await change();
    await resources.products.update(productId, { stock: stock + 1 }).catch(() => {});
  };
  await created(caller, "order-lines", line());
  expect(await stockOf()).toBe(6);
});

test("included records, replaces and deletes are checked as well", async () => {
  const made = await created(caller, "order-lines", line());
  for (const write of ["update", "replace", "delete"] as const) {
    await setStock(1);
    const lines: string[] = [];
    const work = app.transaction(async ({ resources }) => {
      const found = await resources.orderLines.get(made.id, {
        fields: ["quantity"],
        include: { product: { fields: ["name"] } },
      });
      expect(found).toEqual({
        id: made.id,
        quantity: 1,
        product: { id: productId, name: `Product ${count}` },
      });
      await setStock(2);
      lines.push(write);
      if (write === "update") await resources.products.update(productId, { stock: 9 });
      if (write === "replace") await resources.products.replace(productId, { name: "Gone" });
      if (write === "delete") await resources.products.delete(productId);
    });
    expect((await refusedBy(work)).status).toBe(503);
    expect(await stockOf()).toBe(2);
  }
});

test("app.transaction throws a 503, and retries as often as its option says", async () => {
  let runs = 0;
  const change = once(() => setStock(5));
  const work = async ({ resources }: Context) => {
    runs += 1;
    const product = await resources.products.get(productId);
    await change();
    return resources.products.update(productId, { stock: (product?.stock ?? 0) + 1 });
  };
  expect(await refusedBy(app.transaction(work))).toMatchObject({ status: 503 });
  expect(await stockOf()).toBe(5);
  const changed = once(() => setStock(7));
  const again = async ({ resources }: Context) => {
    runs += 1;
    const product = await resources.products.get(productId);
    await changed();
    return resources.products.update(productId, { stock: product.stock + 1 });
  };
  runs = 0;
  expect(await app.transaction(again, { again: 3 })).toMatchObject({ stock: 8 });
  expect(runs).toBe(2);
  for (const wrong of [-1, 1.5, 11]) {
    await expect(app.transaction(work, { again: wrong })).rejects.toThrow(RangeError);
  }
});

test("a transaction's own changes overtake nothing", async () => {
  const [row] = await app.transaction(async ({ resources, db }) => {
    const product = await resources.products.get(productId);
    await db.query("update products set stock = 3 where id = $1", [productId]);
    await db.transaction((inner) =>
      inner.query("update products set stock = 4 where id = $1", [productId]),
    );
    await resources.products.update(productId, { name: `${product?.name} again` });
    await resources.products.update(productId, { stock: 5 });
    await resources.products.update(productId, { stock: -1 }).catch(() => {});
    await resources.products.update(productId, { stock: 6 });
    return db.query("select stock::int from products where id = $1", [productId]);
  });
  expect(row).toEqual({ stock: 6 });
});

test("a hook within app.transaction is repeated alone, but not for records that the transaction read itself", async () => {
  const change = once(() => setStock(5));
  act = async (given, context) => {
    const { stock } = await context.resources.products.get(productId);
    await change();
    await context.resources.products.update(productId, { stock: stock + given.quantity });
  };
  let runs = 0;
  await app.transaction(async ({ resources }) => {
    runs += 1;
    await resources.orderLines.create(line(2));
  });
  expect([runs, calls, await stockOf()]).toEqual([1, 2, 7]);
  const changed = once(() => setStock(50));
  act = addPieces;
  const work = app.transaction(async ({ resources }) => {
    const product = await resources.products.get(productId);
    await changed();
    await resources.orderLines.create(line(1));
    await resources.products.update(productId, { stock: (product?.stock ?? 0) + 1 });
  });
  expect(await refusedBy(work)).toMatchObject({ status: 503 });
  expect(await stockOf()).toBe(50);
});

test("get with lock, and update by a function, admit no write in between", async () => {
  const add = (one: TwoServers["apps"][0]) =>
    one.transaction(async ({ resources }) => {
      const product = await resources.products.get(productId, { lock: true });
      await resources.products.update(productId, { stock: (product?.stock ?? 0) + 1 });
    });
  const byFunction = (one: TwoServers["apps"][0]) =>
    one.resources.products.update(productId, async ({ stock }: Context) => ({ stock: stock + 1 }));
  act = async ({ quantity }, { resources }) => {
    await resources.products.update(productId, (one: { stock: number }) => ({
      stock: one.stock + quantity,
    }));
  };
  await Promise.all(
    times(8, (at) => {
      const one = at % 2 === 0 ? app : other;
      return [add(one), byFunction(one), servers[at % 2]?.post("/order-lines", line())];
    }).flat(),
  );
  expect(await stockOf()).toBe(24);
  expect(calls).toBe(8);
});

test("a lock without a transaction, and a wrong function, are reported", async () => {
  const { products } = app.resources;
  await expect(products.get(productId, { lock: true })).rejects.toThrow("a transaction");
  const failing: readonly [(record: Context) => Context, string][] = [
    [() => undefined, "must return an object with the changes"],
    [() => "text", "must return an object with the changes"],
    [() => [{ stock: 1 }], "must return an object with the changes"],
    [() => Promise.reject(new Error("mine")), "mine"],
    [() => products.update(productId, { stock: 1 }).then(() => ({ stock: 2 })), "cannot be used"],
  ];
  for (const [work, message] of failing) {
    await expect(products.update(productId, work)).rejects.toThrow(message);
    await expect(
      app.transaction(({ resources }) => resources.products.update(productId, work)),
    ).rejects.toThrow(message);
  }
  const nested = app.transaction(({ resources }) =>
    resources.products.update(productId, async () => {
      await resources.products.update(productId, { stock: 1 });
      return { stock: 2 };
    }),
  );
  await expect(nested).rejects.toThrow("writes the same record");
  expect(await stockOf()).toBe(0);
  const absent = "01890000-0000-7000-8000-000000000000";
  expect(await refusedBy(products.update(absent, () => ({ stock: 1 })))).toMatchObject({
    status: 404,
  });
  expect(await refusedBy(products.update("no id", () => ({ stock: 1 })))).toMatchObject({
    status: 404,
  });
  const refused = products.update(productId, () => {
    throw refusal(409, "Not now");
  });
  expect(await refusedBy(refused)).toMatchObject({ status: 409, message: "Not now" });
  expect(await refusedBy(products.update(productId, () => ({ stock: -1 })))).toMatchObject({
    status: 422,
  });
});

test("in a hook a function that throws or returns nothing is a bare 500", async () => {
  for (const work of [() => undefined, () => Promise.reject(new Error("mine"))]) {
    act = (_, { resources }) => resources.products.update(productId, work);
    const reply = await caller.post("/order-lines", line());
    expect(reply.status).toBe(500);
  }
  expect((await caller.list(`/order-lines?filter[productId]=${productId}`)).body.meta.total).toBe(
    0,
  );
});

test("a function on behalf of a caller changes what that caller may change", async () => {
  const member = { accountId: "01890000-0000-7000-8000-000000000009", role: null, sessionId: null };
  const admin = { ...member, role: "admin" };
  const as = (one: typeof member | typeof admin) => app.resources.as(one).products;
  expect(
    await as(admin).update(productId, ({ stock }: Context) => ({ stock: stock + 1 })),
  ).toMatchObject({
    stock: 1,
  });
  expect(await refusedBy(as(member).update(productId, () => ({ stock: 9 })))).toMatchObject({
    status: 403,
  });
});

test("a record that is deleted in between is missing when the hook runs again", async () => {
  const second = await created(caller, "products", { name: `Second ${count}` });
  const gone = once(() => running.db.query("delete from products where id = $1", [second.id]));
  const seen: unknown[] = [];
  act = async (_, { resources }) => {
    const product = await resources.products.get(second.id);
    seen.push(product === null);
    await gone();
    if (product !== null) await resources.products.update(second.id, { stock: 1 });
  };
  await created(caller, "order-lines", line());
  expect(seen).toEqual([false, true]);
});
