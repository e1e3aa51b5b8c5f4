import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Table } from "../../../runtime/resource/index.js";
import { insertSeveral } from "../../../runtime/resource/write/join/insert.js";
import { openShop, type Shop } from "../../support/apps/shop.js";
import { borrowDatabase } from "../../support/database/lent-database.js";
import type { Reply } from "../../support/http/client.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());
beforeEach(() => shop.app.db.query("delete from products"));

const post = (body: object): Promise<Reply> => shop.admin.post("/products", body);
const products = (count: number, name = "Lamp") =>
  Array.from({ length: count }, (_, at) => shop.product(`${name} ${at}`, { stock: at }));

/** How many statements stored the products: each is a transaction of its own. */
async function transactions(): Promise<number> {
  const [row] = await shop.app.db.query<{ count: string }>(
    "select count(distinct xmin::text) from products",
  );
  return Number(row?.count);
}

function statuses(replies: readonly Reply[]): readonly number[] {
  return replies.map(({ status }) => status);
}

test("records that arrive at once are stored in fewer statements, and each client gets its own", async () => {
  const sent = products(60);
  const replies = await Promise.all(sent.map(post));
  expect(new Set(statuses(replies))).toEqual(new Set([201]));
  expect(replies.map(({ body }) => body)).toMatchObject(sent);
  // The first burst: how many pay is not yet known.
  expect(await transactions()).toBeLessThan(sent.length);
  for (const { body, headers } of replies.slice(-5)) {
    const { id } = body as { id: string };
    const read = await shop.admin.get(`/products/${id}`);
    expect(read.body).toEqual(body);
    expect(read.headers.etag).toBe(headers.etag);
    expect(headers.location).toBe(`/api/products/${id}`);
  }
  const list = await shop.admin.get("/products?perPage=1");
  expect(list.body).toMatchObject({ meta: { total: 60 } });
});

test("a refused one does not refuse the others", async () => {
  await post(shop.product("Taken"));
  const sent = products(40);
  sent[7] = shop.product("Taken");
  sent[20] = shop.product("Nowhere", { categoryId: "01890000-0000-7000-8000-000000000000" });
  sent[21] = shop.product("Lamp 22");
  sent[33] = shop.product("Short", { price: -1 });
  const replies = await Promise.all(sent.map(post));
  const refused = replies.flatMap(({ status }, at) => (status === 201 ? [] : [at]));
  expect(refused.filter((at) => at !== 21 && at !== 22)).toEqual([7, 20, 33]);
  expect(refused).toHaveLength(4);
  expect(replies[7]?.body).toMatchObject({ issues: [{ path: "name" }] });
  expect(replies[20]?.body).toMatchObject({ issues: [{ path: "categoryId" }] });
  const list = await shop.admin.get("/products?perPage=100&fields=name");
  expect(list.body).toMatchObject({ meta: { total: 37 } });
});

test("one that waits for another transaction does not delay the others", async () => {
  let held: Promise<Reply> | undefined;
  let isHeld = true;
  await shop.app.db.transaction(async (connection) => {
    await connection.query(
      "insert into products (id, name, price, category_id) values (gen_random_uuid(), 'Held', 1, $1)",
      [shop.category.id],
    );
    const first = products(6).map(post);
    held = post(shop.product("Held")).finally(() => {
      isHeld = false;
    });
    const replies = await Promise.all([...first, ...products(20, "Chair").map(post)]);
    expect(new Set(statuses(replies))).toEqual(new Set([201]));
    expect(isHeld).toBe(true);
  });
  // Which of the two it is depends on whether it is tried again after the other's commit.
  expect([409, 422]).toContain((await held)?.status);
});

test("many that wait for a lock delay no others, on repeated attempts too", async () => {
  for (const burst of ["First", "Second"]) {
    let held: readonly Promise<Reply>[] = [];
    let waiting = 20;
    await shop.app.db.transaction(async (connection) => {
      await connection.query(
        "insert into products (id, name, price, category_id) values (gen_random_uuid(), $1, 1, $2)",
        [`Held ${burst}`, shop.category.id],
      );
      const first = products(20, `Before ${burst}`).map(post);
      held = Array.from({ length: 20 }, () =>
        post(shop.product(`Held ${burst}`)).finally(() => {
          waiting -= 1;
        }),
      );
      const later = products(20, `After ${burst}`).map(post);
      const replies = await Promise.all([...first, ...later]);
      expect(new Set(statuses(replies))).toEqual(new Set([201]));
      expect(waiting).toBe(20);
    });
    const refused = statuses(await Promise.all(held));
    expect(refused.filter((status) => status !== 409 && status !== 422)).toEqual([]);
  }
});

test("if the whole table is locked, none waits longer than it would alone", async () => {
  const lock = shop.app.db.transaction(async (connection) => {
    await connection.query("lock table products in access exclusive mode");
    const began = performance.now();
    const replies = await Promise.all(products(5).map(post));
    expect(statuses(replies)).toEqual(Array(5).fill(503));
    // Each waits two seconds, and all of them would take ten one after the other.
    expect(performance.now() - began).toBeLessThan(10_000);
  });
  await lock;
});

test("few are stored together if each takes long", async () => {
  const { db } = shop.app;
  await db.query(`create function slow(text) returns boolean language plpgsql as
    $$begin perform pg_sleep(0.05); return true; end$$`);
  await db.query("alter table products add constraint slow check (slow(name))");
  try {
    // Until it has been measured, some are as many as before.
    await Promise.all(products(40, "Measured").map(post));
    await db.query("delete from products");
    await Promise.all(products(60, "Slow").map(post));
    const [{ largest, statements } = { largest: 0, statements: 0 }] = await db.query<
      Record<"largest" | "statements", number>
    >(
      `select max(size)::int as largest, count(*)::int as statements
       from (select count(*) as size from products group by xmin::text) as _`,
    );
    // Without a pace they would be stored by one or two statements. What the pace is, test/runtime/resource/pace.test.ts says.
    expect(largest).toBeLessThan(20);
    expect(statements).toBeGreaterThan(10);
  } finally {
    await db.query("drop function slow cascade");
  }
});

test("a statement for several records waits for a lock for the given time", async () => {
  const { url, client, drop } = await borrowDatabase();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await client.query(
      `create table names (
        id uuid primary key,
        name text unique,
        created_at timestamptz default now(),
        updated_at timestamptz default now()
      )`,
    );
    await other.query("begin; insert into names values (gen_random_uuid(), 'Held')");
    const id = "01890000-0000-7000-8000-000000000000";
    const joint = insertSeveral(names);
    const parameters = joint.parameters(
      [{ id, values: { name: "Held" }, ifMatch: null, writer: null }],
      20,
    );
    await expect(client.query(joint.text, [...parameters])).rejects.toMatchObject({
      code: "55P03",
    });
    expect((await client.query("show lock_timeout")).rows).toEqual([{ lock_timeout: "0" }]);
    await other.query("rollback");
    expect((await client.query(joint.text, [...parameters])).rows).toMatchObject([{ id }]);
  } finally {
    await other.end();
    await drop();
  }
});

const names = {
  name: "names",
  columns: {
    id: { name: "id", kind: "id", required: true },
    name: { name: "name", kind: "string", required: true },
    createdAt: { name: "created_at", kind: "timestamp", required: true },
    updatedAt: { name: "updated_at", kind: "timestamp", required: true },
  },
} as unknown as Table<never>;

test("a long record is stored by itself", async () => {
  const sent = products(20).map((body) => ({ ...body, description: "long ".repeat(2_001) }));
  const replies = await Promise.all(sent.map(post));
  expect(new Set(statuses(replies))).toEqual(new Set([201]));
  expect(await transactions()).toBe(20);
});
