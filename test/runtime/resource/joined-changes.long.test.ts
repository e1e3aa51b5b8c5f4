import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Table } from "../../../runtime/resource/index.js";
import { updateSeveral } from "../../../runtime/resource/write/join/update.js";
import { openShop, type Shop } from "../../support/apps/shop.js";
import { borrowDatabase } from "../../support/database/lent-database.js";
import type { Client, Reply } from "../../support/http/client.js";

interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
  readonly stock: number | null;
  readonly status: string;
  readonly updatedAt: string;
}

let shop: Shop;
/** As they are stored at the beginning, with their tags. */
let products: readonly { readonly record: Product; readonly tag: string }[];
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());
beforeEach(async () => {
  await shop.app.db.query("delete from products");
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      shop.admin.post<Product>("/products", shop.product(`Lamp ${at}`, { stock: at })),
    ),
  );
  products = made.map(({ body, headers }) => ({ record: body, tag: headers.etag ?? "" }));
});

function change(
  method: "PATCH" | "PUT",
  at: number,
  { body, ifMatch, by = shop.admin }: { body: object; ifMatch?: string | undefined; by?: Client },
): Promise<Reply<Product>> {
  const headers = { "if-match": ifMatch };
  const text = JSON.stringify(body);
  return by.send<Product>(method, `/products/${products[at]?.record.id}`, { text, headers });
}

const patch = (at: number, body: object, ifMatch?: string) =>
  change("PATCH", at, { body, ifMatch });

afterEach(async () => {
  expect(await shop.app.db.query("select * from service.wrong_counts()")).toEqual([]);
});

const all = <T>(work: (at: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(products.map((_, at) => work(at)));

async function numberOf(sql: string): Promise<number> {
  const [row] = await shop.app.db.query<{ n: number }>(`select (${sql})::int as n`);
  return row?.n ?? Number.NaN;
}

/** How many statements wrote the products as they are: each is a transaction of its own. */
const statements = () => numberOf("select count(distinct xmin::text) from products");

const stored = (at: number) => shop.admin.get<Product>(`/products/${products[at]?.record.id}`);

async function expectStored(at: number, reply: Reply<Product>): Promise<void> {
  const now = await stored(at);
  expect(now.body).toEqual(reply.body);
  expect(now.headers.etag).toBe(reply.headers.etag);
}

function statuses(replies: readonly Reply[]): readonly number[] {
  return replies.map(({ status }) => status);
}

/** Sends changes until some were stored together: on a busy machine that seems not to pay for a while. */
async function untilJoined<T extends readonly Reply[]>(
  send: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const replies = await send(tries);
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    if ((await statements()) < products.length) return replies;
    if (tries === 30) throw new Error("None were stored together");
    await sleep(500);
  }
}

test("changes that arrive at once are stored in fewer statements, and each client gets its own", async () => {
  let added = 0;
  const replies = await untilJoined((tries) => {
    added = tries / 2;
    return all((at) => patch(at, { price: at + added }));
  });
  for (const [at, reply] of replies.entries()) {
    const { record } = products[at] ?? {};
    const { updatedAt } = reply.body;
    expect(reply.body).toEqual({ ...record, price: at + added, updatedAt });
    expect(updatedAt > (record?.updatedAt ?? "")).toBe(true);
    await expectStored(at, reply);
  }
});

test("replaced records, and changes of counted values, share statements too", async () => {
  let kind = "";
  const body = (at: number) =>
    shop.product(`${kind} ${at}`, { status: "live", active: at % 3 > 0 });
  const replies = await untilJoined((tries) => {
    kind = `Chair of ${tries}`;
    return all((at) => change("PUT", at, { body: body(at) }));
  });
  expect(replies.map((reply) => reply.body)).toMatchObject(products.map((_, at) => body(at)));
  expect(replies[5]?.body.stock).toBeNull();
  const list = await shop.admin.list("/products?filter[status]=live&filter[active]=true");
  expect(list.body.meta.total).toBe(40);
});

test("changes of different fields keep the others' values", async () => {
  const bodies = [{ price: 7 }, { stock: 70 }, { price: 8, stock: 80 }, { status: "gone" }];
  const bodyOf = (at: number) => bodies[at % bodies.length] ?? {};
  const replies = await all((at) => patch(at, bodyOf(at)));
  expect(replies.map(({ body: { updatedAt: _, ...record } }) => record)).toEqual(
    products.map(({ record: { updatedAt: _, ...record } }, at) => ({ ...record, ...bodyOf(at) })),
  );
  for (const [at, reply] of replies.entries()) await expectStored(at, reply);
});

test("a refused one does not refuse the others", async () => {
  const missing = "01890000-0000-7000-8000-000000000000";
  const bodies = products.map((_, at): object => ({ name: `New ${at}` }));
  bodies[7] = { name: "Lamp 8" };
  bodies[20] = { name: "New 21" };
  bodies[30] = { categoryId: missing };
  bodies[31] = { categoryId: shop.category.id };
  bodies[33] = { name: "" };
  const tags = products.map(({ tag }, at) => (at % 2 === 0 ? tag : undefined));
  tags[40] = products[41]?.tag;
  tags[41] = `"none", ${products[41]?.tag}`;
  tags[42] = 'W/"weak"';
  const replies = await all((at) => patch(at, bodies[at] ?? {}, tags[at]));
  const gone = await shop.admin.patch(`/products/${missing}`, { name: "Gone" });
  expect(gone.status).toBe(404);
  const refused = replies.flatMap(({ status }, at) => (status === 200 ? [] : [[at, status]]));
  // "Lamp 8" is free as soon as the next record has its new name; of two equal names one is refused.
  const expected = [
    [30, 422],
    [33, 422],
    [40, 412],
    [42, 412],
  ];
  const isOpen = ([at = 0]: readonly number[]) => [7, 20, 21].includes(at);
  expect(refused.filter((one) => !isOpen(one))).toEqual(expected);
  expect(refused.filter(([at]) => at === 20 || at === 21)).toHaveLength(1);
  expect(replies[30]?.body).toMatchObject({ issues: [{ path: "categoryId" }] });
  for (const [at, reply] of replies.entries()) {
    if (reply.status === 200) await expectStored(at, reply);
    else expect((await stored(at)).body).toEqual(products[at]?.record);
  }
});

test("one of several with the same precondition is stored", async () => {
  const replies = await Promise.all(
    products.flatMap(({ tag }, at) => [1, 2, 3].map((price) => patch(at, { price }, tag))),
  );
  for (const at of products.keys()) {
    const own = replies.slice(3 * at, 3 * at + 3);
    expect(statuses(own).toSorted()).toEqual([200, 412, 412]);
    const done = own.find(({ status }) => status === 200);
    if (done !== undefined) await expectStored(at, done);
  }
});

test("several changes of one record are stored one after the other", async () => {
  const replies = await Promise.all(
    products.flatMap((_, at) => [
      patch(at % 4, { price: at + 1 }),
      patch(at % 4, { stock: at + 1000 }),
    ]),
  );
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
  const tags = replies.map(({ headers }) => headers.etag);
  expect(new Set(tags).size).toBe(replies.length);
  for (const at of [0, 1, 2, 3]) expect(tags).toContain((await stored(at)).headers.etag);
});

test("locked records delay no others, and are changed when they are free", async () => {
  let waiting = 30;
  let held: readonly Promise<Reply>[] = [];
  await shop.app.db.transaction(async (connection) => {
    const locked = products.slice(0, 3).map(({ record }) => record.id);
    await connection.query("select from products where id = any($1) for update", [locked]);
    held = Array.from({ length: 30 }, (_, at) =>
      change("PATCH", at % 3, { body: { price: 2 }, by: shop.editor }).finally(() => {
        waiting -= 1;
      }),
    );
    for (const price of [3, 4, 5]) {
      const replies = await Promise.all(products.slice(3).map((_, at) => patch(at + 3, { price })));
      expect(new Set(statuses(replies))).toEqual(new Set([200]));
    }
    expect(waiting).toBe(30);
  });
  expect(new Set(statuses(await Promise.all(held)))).toEqual(new Set([200]));
});

test("if another transaction holds a unique value, the others do not wait for it", async () => {
  let held: Promise<Reply> | undefined;
  let isHeld = true;
  await shop.app.db.transaction(async (connection) => {
    await connection.query("update products set name = 'Held' where id = $1", [
      products[0]?.record.id,
    ]);
    const first = products.slice(1, 9).map((_, at) => patch(at + 1, { name: `New ${at}` }));
    held = patch(9, { name: "Held" }).finally(() => {
      isHeld = false;
    });
    const later = products.slice(10).map((_, at) => patch(at + 10, { name: `Newer ${at}` }));
    expect(new Set(statuses(await Promise.all([...first, ...later])))).toEqual(new Set([200]));
    expect(isHeld).toBe(true);
  });
  expect([409, 422]).toContain((await held)?.status);
});

test("a locked table makes none wait longer than it would alone", async () => {
  await shop.app.db.transaction(async (connection) => {
    await connection.query("lock table products in access exclusive mode");
    const began = performance.now();
    // As many as the resource has connections: by itself, a sixth would wait for one of them first.
    const replies = await Promise.all([0, 1, 2, 3, 4].map((at) => patch(at, { price: 9 })));
    expect(statuses(replies)).toEqual(Array(5).fill(503));
    // Each waits two seconds, and all of them would take ten one after the other.
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

test("changes and deletes of the same records never give a wrong response", async () => {
  const replies = await all(async (at) => {
    const deleting =
      at % 2 === 0 ? shop.admin.delete(`/products/${products[at]?.record.id}`) : null;
    const changed = await patch(at, { price: 11 });
    return { changed, deleted: (await deleting)?.status };
  });
  for (const [at, { changed, deleted }] of replies.entries()) {
    if (at % 2 > 0) await expectStored(at, changed);
    else expect([changed.status === 200 || changed.status === 404, deleted]).toEqual([true, 204]);
  }
});

test("changes beside batches of the same records in other orders all finish", async () => {
  const update = (at: number) => ({
    update: "products",
    id: products[at]?.record.id,
    values: { price: 20 },
  });
  const order = [...products.keys()];
  const batches = [order, order.toReversed()].map((one) =>
    shop.editor.post("/_service/batch", { operations: one.map(update) }),
  );
  const replies = await Promise.all([
    ...batches,
    ...products.map((_, at) => patch(at, { price: 21 })),
  ]);
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
});

test("a trigger of the app runs once for each change", async () => {
  const { db } = shop.app;
  await db.query("create table effects (product uuid, statement boolean)");
  await db.query(`create function note() returns trigger language plpgsql as
    $$begin insert into effects values (new.id, tg_level = 'STATEMENT'); return new; end$$`);
  // So that the server has looked before there is one.
  await all((at) => patch(at, { price: 1 }));
  await all((at) => patch(at, { price: 2 }));
  try {
    await db.query(
      "create trigger one after update on products for each row execute function note()",
    );
    await db.query(
      "create trigger all_of before update on products for each statement execute function note()",
    );
    for (const price of [3, 4]) {
      const replies = await all((at) => patch(at, { price }));
      expect(new Set(statuses(replies))).toEqual(new Set([200]));
    }
    expect(await numberOf("select count(*) from effects where not statement")).toBe(120);
    expect(await numberOf("select count(*) from effects where statement")).toBe(120);
  } finally {
    await db.query("drop table effects cascade");
    await db.query("drop function note cascade");
  }
});

test("the statement for several changes is planned once, not for each number of them", async () => {
  const { client, drop } = await borrowDatabase();
  try {
    await client.query(`create table names (
      id uuid primary key, name text, created_at timestamptz default now(), updated_at timestamptz default now()
    )`);
    const made = await client.query<{ id: string }>(
      "insert into names select gen_random_uuid(), 'Old' from generate_series(1, 10000) returning id",
    );
    await client.query("vacuum analyze names");
    const joint = updateSeveral(names, ["name"]);
    for (let count = 1; count <= 12; count += 1) {
      const sent = made.rows
        .slice(0, count)
        .map(({ id }) => ({ id, values: { name: "New" }, ifMatch: null, writer: null }));
      const values = [...joint.parameters(sent, 20)];
      const { rows } = await client.query({ name: "several", text: joint.text, values });
      expect(rows.filter(({ json }) => json?.includes('"New"'))).toHaveLength(count);
    }
    const plans = await client.query(
      "select generic_plans, custom_plans from pg_prepared_statements",
    );
    expect(plans.rows).toEqual([{ generic_plans: "7", custom_plans: "5" }]);
  } finally {
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
