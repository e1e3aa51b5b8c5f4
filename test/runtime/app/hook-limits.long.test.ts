import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { Hooks } from "../../../fixtures/apps/shop/generated/app.js";
import { type HookedShop, openHookedShop } from "../../support/apps/hooked-shop.js";
import { created, expectRefusal } from "../../support/apps/shop.js";

// biome-ignore lint/suspicious/noExplicitAny: a test gives it what it needs.
type Given = any;

let shop: HookedShop;
afterEach(() => shop.close());

async function open(
  products: object,
  settings = "server: { hook_timeout_seconds: 1 }\n",
): Promise<void> {
  shop = await openHookedShop({ hooks: { products } as Hooks, settings });
}

const never = () => new Promise<never>(() => {});

test("a hook that never ends is cut off, and its context can no longer be used", async () => {
  let context: Given;
  await open({
    beforeCreate: (_values: Given, given: Given) => {
      context = given;
      return never();
    },
  });
  const reply = await shop.admin.post("/products", shop.product("Stuck"));
  expectRefusal(reply, 503);
  expect(reply.headers["retry-after"]).toMatch(/^[1-9]/);
  expect(context.signal.aborted).toBe(true);
  await expect(context.db.query("select 1")).rejects.toThrow("cut off");
  await expect(context.resources.categories.create({ name: "Late" })).rejects.toThrow("cut off");
  expect(shop.logged("products.beforeCreate")).not.toEqual([]);
  expect(await shop.db.query("select from products")).toEqual([]);
});

test("a hook that waits for a statement is cut off too", async () => {
  await open({
    beforeCreate: (_values: Given, { db }: Given) => db.query("select pg_sleep(3600)"),
  });
  expectRefusal(await shop.admin.post("/products", shop.product("Asleep")), 503);
  const asleep =
    "select from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()";
  await expect.poll(() => shop.db.query(`${asleep} and state = 'active'`)).toEqual([]);
});

/** Does the work while another transaction holds the category, until somebody has waited for it that long. */
async function whileHeld<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const { begun } = await shop.db.transaction(async ({ query }) => {
    await query("select from categories where id = $1 for update", [shop.category.id]);
    const begun = work();
    const waiting = `select from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and clock_timestamp() - query_start > $1::interval`;
    const isLong = async () => (await shop.db.query(waiting, [`${seconds} s`])).length > 0;
    await expect.poll(isLong, { timeout: 60_000 }).toBe(true);
    return { begun };
  });
  return begun;
}

async function lockCategory(_values: Given, { resources }: Given): Promise<void> {
  await resources.categories.get(shop.category.id, { lock: true });
}

test.each([true, false])(
  "time spent waiting for a row that another transaction locks does not count as hook time, with prepare: %s",
  async (prepare) => {
    const pool = `database: { pool_size: 5, prepare: ${prepare} }\n`;
    await open({ beforeCreate: lockCategory }, `server: { hook_timeout_seconds: 1 }\n${pool}`);
    const replies = await whileHeld(3, async () => {
      const names = ["One", "Two", "Three", "Four", "Five"];
      const all = names.map((name) => shop.admin.post("/products", shop.product(name)));
      // Others do not notice.
      await created(shop.admin, "coupons", { code: "FREE" });
      expect((await shop.admin.list("/products")).body.data).toEqual([]);
      return { all };
    });
    const statuses = (await Promise.all(replies.all)).map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
  },
);

test("a hook that hangs after it waited for a row is cut off too", async () => {
  await open({
    beforeCreate: async (values: Given, given: Given) => {
      await lockCategory(values, given);
      return never();
    },
  });
  const { reply } = await whileHeld(2, async () => ({
    reply: shop.admin.post("/products", shop.product("Stuck")),
  }));
  expectRefusal(await reply, 503);
  // Nothing holds it any more.
  expect((await shop.admin.patch(`/categories/${shop.category.id}`, { name: "All" })).status).toBe(
    200,
  );
});

test("a row that other transactions hold is waited for 30 seconds, then the request is 503", async () => {
  await open({ beforeCreate: lockCategory });
  await shop.db.transaction(async ({ query }) => {
    await query("select from categories where id = $1 for update", [shop.category.id]);
    const begun = performance.now();
    const reply = await shop.admin.post("/products", shop.product("Late"));
    expectRefusal(reply, 503);
    expect(reply.headers["retry-after"]).toMatch(/^[1-9]/);
    expect(performance.now() - begun).toBeGreaterThan(30_000);
  });
  expect((await shop.admin.post("/products", shop.product("Later"))).status).toBe(201);
});

test("all hooks of one request share their time", async () => {
  // One alone is done in time on a machine that is ten times slower.
  await open({ beforeCreate: () => sleep(300) }, "server: { hook_timeout_seconds: 3 }\n");
  const names = Array.from({ length: 11 }, (_, at) => `Slow ${at}`);
  const operations = names.map((name) => ({ create: "products", values: shop.product(name) }));
  expectRefusal(await shop.admin.post("/_service/batch", { operations }), 503);
  expect(
    (await shop.admin.post("/_service/batch", { operations: operations.slice(10) })).status,
  ).toBe(200);
  expect(await shop.db.query("select name from products")).toEqual([{ name: "Slow 10" }]);
});

test("a hook after a write is cut off and logged", async () => {
  await open({ afterCreate: never });
  expect((await shop.admin.post("/products", shop.product("After"))).status).toBe(201);
  await expect.poll(() => shop.logged("products.afterCreate")).not.toEqual([]);
});

test("requests with hooks leave half of the pool to others", async () => {
  let begun = 0;
  let goOn = () => {};
  const isOver = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const beforeCreate = () => {
    begun += 1;
    return isOver;
  };
  const settings =
    "server: { hook_timeout_seconds: 60 }\ndatabase: { pool_size: 4, prepare: false }\n";
  await open({ beforeCreate }, settings);
  const held = Array.from({ length: 6 }, (_, at) =>
    shop.admin.post("/products", shop.product(`Held ${at}`)),
  );
  await expect.poll(() => begun).toBe(2);
  await created(shop.admin, "coupons", { code: "FREE" });
  expect((await shop.admin.list("/categories?sort=name")).status).toBe(200);
  expect(begun).toBe(2);
  goOn();
  const statuses = (await Promise.all(held)).map(({ status }) => status);
  // On a slow machine the others have given up the wait for a connection.
  expect(statuses.slice(0, 2)).toEqual([201, 201]);
  for (const status of statuses) expect([201, 503]).toContain(status);
});

test("one connection is enough for hooks that write", async () => {
  await open(
    {
      beforeCreate: async (values: Given, { resources, db }: Given) => {
        await resources.coupons.create({ code: values.name });
        await db.transaction((inner: Given) => inner.query("select 1"));
        await resources.coupons.list();
      },
      afterCreate: (record: Given, { resources }: Given) =>
        resources.products.update(record.id, { stock: 3 }),
    },
    "database: { pool_size: 1, prepare: false }\n",
  );
  const replies = await Promise.all(
    ["ONE1", "TWO2", "SIX6"].map((name) => shop.admin.post("/products", shop.product(name))),
  );
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  const stock = () => shop.db.query("select stock::int from products");
  await expect.poll(stock).toEqual([{ stock: 3 }, { stock: 3 }, { stock: 3 }]);
});

test("requests whose hooks deadlock are retried", async () => {
  let runs = 0;
  let goOn = () => {};
  const bothRun = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await open(
    {
      beforeUpdate: async (_changes: Given, record: Given, { db }: Given) => {
        runs += 1;
        if (runs === 2) goOn();
        await bothRun;
        await db.query("update products set stock = stock + 1 where id <> $1", [record.id]);
      },
    },
    "",
  );
  const one = await created(shop.admin, "products", shop.product("One"));
  const two = await created(shop.admin, "products", shop.product("Two"));
  const replies = await Promise.all(
    [one, two].map(({ id }) => shop.admin.patch(`/products/${id}`, { price: 2 })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  // The one that is run again may meet the other once more before that is done.
  expect(runs).toBeGreaterThanOrEqual(3);
});

test("a stop waits for hooks after writes, within drain_seconds", async () => {
  let done = 0;
  await open({
    afterCreate: async (_record: Given, { db }: Given) => {
      await sleep(500);
      await db.query("select 1");
      done += 1;
    },
  });
  await created(shop.admin, "products", shop.product("Slow"));
  await shop.app.close();
  expect(done).toBe(1);
});

test("a stop cuts off hooks that outlast drain_seconds", async () => {
  let refusal = "";
  const untilRefused = async (_record: Given, { db }: Given) => {
    while (refusal === "") {
      await sleep(20);
      await db.query("select 1").catch((error: Error) => {
        refusal = error.message;
      });
    }
  };
  const yaml = "server: { hook_timeout_seconds: 60, drain_seconds: 1 }\n";
  await open({ afterCreate: untilRefused }, yaml);
  await created(shop.admin, "products", shop.product("Never"));
  await shop.app.close();
  await expect.poll(() => refusal).toContain("cut off");
});
