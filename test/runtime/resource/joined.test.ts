import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Table } from "../../../runtime/resource/index.js";
import { insertTogether } from "../../../runtime/resource/write/statements.js";
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

test("records that arrive at once are stored by fewer statements, and each client gets its own", async () => {
  const sent = products(60);
  const replies = await Promise.all(sent.map(post));
  expect(new Set(statuses(replies))).toEqual(new Set([201]));
  expect(replies.map(({ body }) => body)).toMatchObject(sent);
  expect(await transactions()).toBeLessThan(40);
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

test("one that is refused does not refuse the others", async () => {
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

/** Runs the work while a trigger of the app's own changes new products. */
async function withTrigger(body: string, work: () => Promise<void>): Promise<void> {
  const { db } = shop.app;
  await db.query(
    `create function meddle() returns trigger language plpgsql as $$begin ${body} end$$`,
  );
  await db.query(
    "create trigger meddle before insert on products for each row execute function meddle()",
  );
  try {
    await work();
  } finally {
    await db.query("drop function meddle cascade");
  }
}

test("one that a trigger of the app's own leaves out is refused as it is alone", async () => {
  await withTrigger("if new.stock = 7 then return null; end if; return new;", async () => {
    const sent = products(40).map((body, at) => ({ ...body, stock: at % 8 }));
    const replies = await Promise.all(sent.map(post));
    expect(statuses(replies)).toEqual(sent.map(({ stock }) => (stock === 7 ? 409 : 201)));
    const list = await shop.admin.get("/products?perPage=1");
    expect(list.body).toMatchObject({ meta: { total: 35 } });
  });
});

test("those to which a trigger of the app's own gives other ids are stored once", async () => {
  await withTrigger("new.id := gen_random_uuid(); return new;", async () => {
    const sent = products(40);
    const replies = await Promise.all(sent.map(post));
    expect(new Set(statuses(replies))).toEqual(new Set([201]));
    expect(replies.map(({ body }) => body)).toMatchObject(sent);
    const list = await shop.admin.get("/products?perPage=1");
    expect(list.body).toMatchObject({ meta: { total: 40 } });
  });
});

test("one that has to wait for somebody's transaction does not hold up the others", async () => {
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
  expect((await held)?.status).toBe(409);
});

test("a statement for several records waits for a lock as long as it is told", async () => {
  const { url, client, drop } = await borrowDatabase();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await client.query("create table names (id int primary key, name text unique)");
    await other.query("begin; insert into names values (1, 'Held')");
    const rows = [{ id: "2", values: { name: "Held" } }];
    const { text, parameters } = insertTogether(names, rows, 20);
    await expect(client.query(text, [...parameters])).rejects.toMatchObject({ code: "55P03" });
    expect((await client.query("show lock_timeout")).rows).toEqual([{ lock_timeout: "0" }]);
    await other.query("rollback");
    expect((await client.query(text, [...parameters])).rows).toMatchObject([{ json: "Held" }]);
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
  queries: { record: "name" },
} as unknown as Table<never>;

test("a long record is stored by itself", async () => {
  const sent = products(20).map((body) => ({ ...body, description: "long ".repeat(2_001) }));
  const replies = await Promise.all(sent.map(post));
  expect(new Set(statuses(replies))).toEqual(new Set([201]));
  expect(await transactions()).toBe(20);
});
