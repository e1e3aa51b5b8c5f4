import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, expectRefusal } from "../support/apps/shop.js";
import type { Client, Reply, Row } from "../support/http/client.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";

let host: ShopHost;
let server: ShopServer;
let killer: pg.Client;
beforeAll(async () => {
  host = await openHost();
  server = await host.serve();
  killer = new pg.Client({ connectionString: host.databaseUrl });
  await killer.connect();
});
afterAll(async () => {
  await killer.end();
  await host.close();
});

async function killConnections(): Promise<number> {
  const { rowCount } = await killer.query(
    `select pg_terminate_backend(pid)
     from pg_stat_activity
     where datname = current_database()
       and pid <> pg_backend_pid()`,
  );
  return rowCount ?? 0;
}

/** What one worker did around its own record. */
interface Worker {
  readonly row: Row;
  /** The number in each change, answered or not. */
  readonly sent: number[];
  /** The names of the other records whose creation was answered with 201. */
  readonly made: string[];
}

const workers = 20;
const rounds = 5;
/** Answers from one loss of all connections to the next. */
const answersBetween = 15;

test("connections killed in the middle of 500 requests leave only clean responses and whole records", async () => {
  const { admin, category } = server;
  // Of a first try that has failed.
  await killer.query("delete from products");
  const rows = await Promise.all(
    Array.from({ length: workers }, (_, at) =>
      created(admin, "products", { name: `Own ${at}`, price: at, categoryId: category.id }),
    ),
  );
  const statuses: number[] = [];
  let over = false;
  let killed = 0;
  // By what was answered, not by time: a slow machine would lose every connection before its use.
  const killing = (async () => {
    for (let due = 0; !over; ) {
      if (statuses.length >= due) {
        killed += await killConnections();
        due = statuses.length + answersBetween;
      }
      await sleep(1);
    }
  })();
  const all = await Promise.all(rows.map((row) => work(admin, row, statuses)));
  over = true;
  await killing;

  expect(statuses.length).toBe(workers * rounds * 5);
  expect(killed).toBeGreaterThan(20);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
  for (const worker of all) await expectWhole(admin, worker);
  await expectMade(
    admin,
    all.flatMap(({ made }) => made),
  );
  expect(server.process.exitCode).toBeNull();
});

/** Five requests a round, all of them about one record; each answer must be about that record. */
async function work(admin: Client, row: Row, statuses: number[]): Promise<Worker> {
  const path = `/products/${row.id}`;
  const name = String(row.name);
  const sent: number[] = [];
  const made: string[] = [];
  const clean = (reply: Reply, expected: number): boolean => {
    statuses.push(reply.status);
    if (reply.status === expected) return true;
    expectRefusal(reply, 503);
    expect(reply.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    return false;
  };
  for (let round = 1; round <= rounds; round += 1) {
    const number = Number(row.price) * 1000 + round;
    sent.push(number);
    const change = await admin.patch(path, { price: number, stock: number });
    if (clean(change, 200)) {
      expect(change.body).toMatchObject({ id: row.id, name, price: number, stock: number });
    }
    const read = await admin.get(path);
    if (clean(read, 200)) expect(read.body).toMatchObject({ id: row.id, name });
    const list = await admin.list(`/products?filter[name]=${encodeURIComponent(name)}`);
    if (clean(list, 200)) expect(list.body.data.map(({ id }) => id)).toEqual([row.id]);
    const twice = { name: `${name} in round ${round}`, price: number, stock: number };
    const create = await admin.post("/products", { ...twice, categoryId: row.categoryId });
    if (clean(create, 201)) {
      expect(create.body).toMatchObject(twice);
      made.push(twice.name);
    }
    const stats = await admin.get<{ total: number }>("/products/_stats");
    if (clean(stats, 200)) expect(stats.body.total).toBeGreaterThanOrEqual(workers);
  }
  return { row, sent, made };
}

/** A change sets price and stock to one number: both are stored, or neither. */
async function expectWhole(admin: Client, { row, sent }: Worker): Promise<void> {
  // The last connections may have been killed a moment ago.
  await expect.poll(async () => (await admin.get(`/products/${row.id}`)).status).toBe(200);
  const { body } = await admin.get(`/products/${row.id}`);
  if (body.stock === 0) expect(body.price).toBe(row.price);
  else expect([body.price, sent.includes(Number(body.price))]).toEqual([body.stock, true]);
}

/** What was answered with 201 is there; what was answered with 503 is there whole, or not at all. */
async function expectMade(admin: Client, made: readonly string[]): Promise<void> {
  const { status, body } = await admin.list("/products?q=in+round&perPage=100");
  expect(status).toBe(200);
  expect(body.data.map(({ name }) => name)).toEqual(expect.arrayContaining([...made]));
  for (const { name, price, stock } of body.data) {
    expect([price, name]).toEqual([stock, expect.stringMatching(/^Own \d+ in round \d$/)]);
  }
}
