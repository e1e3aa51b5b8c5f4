import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";
import { lockWaiters } from "../../support/database/lock-waits.js";
import { isLong } from "../../support/searches.js";

let database: TestDatabase;
let db: pg.Client;
let other: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  db = await connected();
  other = await connected();
});
afterAll(async () => {
  await db.end();
  await other.end();
  await database.drop();
});
beforeEach(async () => {
  await db.query("create table goods (id bigint generated always as identity, status text)");
  await db.query("call service.create_tally('goods', 'goods__tally', '{}')");
});
afterEach(async () => {
  const left = await wrong();
  await db.query("drop table goods");
  await db.query("call service.drop_tally('goods')");
  expect(left).toEqual([]);
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("set statement_timeout to '20s'");
  return client;
}

async function wrong(): Promise<readonly unknown[]> {
  return (await db.query("select counted, kept::int, found::int from service.wrong_counts()")).rows;
}

type Numbers = Readonly<Record<string, number>>;

const statuses = ["a", "b", "c", "d"];

/** The first step: from here on `counted` are kept, and lack what there was before. */
async function change(counted: readonly string[]): Promise<void> {
  const counts = counted.map((status) => [`status__${status}`, ["status", status]] as const);
  await db.query("call service.change_tally('goods', 'goods__tally', $1)", [
    Object.fromEntries(counts),
  ]);
}

/** The second: reads the table. */
async function uncounted(): Promise<Numbers> {
  const { rows } = await other.query("select service.uncounted_numbers('goods') as numbers");
  return rows[0].numbers;
}

/** The third: nothing is lacking any more. */
async function add(numbers: Numbers, client = db): Promise<void> {
  await client.query("call service.add_numbers('goods', $1)", [numbers]);
}

const insertTen = `insert into goods (status) select 'a' from generate_series(1, 10)`;

const rounds = isLong ? 20 : 6;

test("counts existing rows while fifty writers continue, repeatedly", async () => {
  await db.query(
    "insert into goods (status) select chr(97 + n % 4) from generate_series(1, 5000) as n",
  );
  const clients = await Promise.all(Array.from({ length: 50 }, connected));
  let done = false;
  const writers = Promise.all(clients.map((client, at) => writeUntil(client, at, () => done)));
  try {
    for (let round = 0; round < rounds; round += 1) {
      const kept = statuses.filter((_, at) => (round + at) % 3 > 0);
      await change(kept);
      const numbers = await uncounted();
      expect(Object.keys(numbers).length).toBeGreaterThan(0);
      await add(numbers);
      expect(await uncounted()).toEqual({});
      expect(await wrong()).toEqual([]);
    }
  } finally {
    done = true;
    const written = await writers;
    await Promise.all(clients.map((client) => client.end()));
    expect(Math.min(...written)).toBeGreaterThan(3);
  }
});

/** Inserts, updates, deletes and rolls back; how many transactions it began. */
async function writeUntil(client: pg.Client, writer: number, done: () => boolean): Promise<number> {
  const isolation = writer % 10 === 0 ? "repeatable read" : "read committed";
  let rounds = 0;
  for (; !done(); rounds += 1) {
    const mine = `id % 50 = ${writer}`;
    try {
      await client.query(`begin isolation level ${isolation}`);
      await client.query(
        "insert into goods (status) select chr(97 + n) from generate_series(0, 4) n",
      );
      await client.query(`update goods set status = chr(97 + (id + $1)::int % 5) where ${mine}`, [
        rounds,
      ]);
      if (rounds % 2 === 0) {
        await client.query(`delete from goods where ${mine} and id % 100 = ${writer}`);
      }
      await client.query(rounds % 5 === 4 ? "rollback" : "commit");
    } catch (error) {
      if (isolation === "read committed") throw error;
      await client.query("rollback");
    }
  }
  return rounds;
}

test("reports missing rows until they are added", async () => {
  await db.query(insertTen);
  expect(await uncounted()).toEqual({});
  await change(["a", "b"]);
  expect(await uncounted()).toEqual({ status__a: 10, status__b: 0 });
  await db.query(insertTen);
  await db.query("update goods set status = 'b' where id <= 4");
  expect(await uncounted()).toEqual({ status__a: 10, status__b: 0 });
  expect(await wrong()).toEqual([{ counted: "status = a", kept: 6, found: 16 }]);
  await add(await uncounted());
});

test("can be resumed where it was cut off", async () => {
  await db.query(insertTen);
  await change(["a"]);
  await db.query(insertTen);
  await change(["a", "b"]);
  await db.query("update goods set status = 'b' where id > 15");
  expect(await uncounted()).toEqual({ status__a: 10, status__b: 0 });
  await add(await uncounted());
});

test("refuses counts that leave rows uncounted", async () => {
  await db.query(insertTen);
  await change(["a", "b"]);
  await expect(add({ status__b: 0 })).rejects.toThrow("The rows of goods are not all counted");
  await add(await uncounted());
});

test("counts rows again if their value has changed", async () => {
  await db.query(insertTen);
  await change(["a"]);
  await add(await uncounted());
  await db.query("insert into goods (status) values ('z'), ('z')");
  await db.query(
    `call service.change_tally('goods', 'goods__tally', '{"status__a": ["status", "z"]}')`,
  );
  await add(await uncounted());
  const { rows } = await db.query("select sum(status__a)::int as z from service.goods__tally");
  expect(rows).toEqual([{ z: 2 }]);
});

test("adds nothing to rows that were counted otherwise meanwhile", async () => {
  await db.query(insertTen);
  await change(["a"]);
  const numbers = await uncounted();
  await db.query("call service.recount('goods')");
  await add(numbers);
  expect(await wrong()).toEqual([]);
  await add(numbers);
});

test("adds nothing to a table that was emptied meanwhile", async () => {
  await db.query(insertTen);
  await change(["a"]);
  const numbers = await uncounted();
  await db.query("truncate goods");
  await db.query(insertTen);
  await add(numbers);
});

test("waits while the table is being emptied, and adds nothing afterwards", async () => {
  await db.query(insertTen);
  await change(["a"]);
  const numbers = await uncounted();
  const truncating = await connected();
  try {
    await truncating.query("begin");
    await truncating.query("truncate goods");
    const adding = add(numbers);
    await expect.poll(waiting).toBe(1);
    await truncating.query("commit");
    await adding;
  } finally {
    await truncating.end();
  }
});

test("adds missing rows after a `truncate` that was rolled back", async () => {
  await db.query(insertTen);
  await change(["a"]);
  const numbers = await uncounted();
  await db.query("begin");
  await db.query("truncate goods");
  await db.query("rollback");
  await add(numbers);
});

async function waiting(): Promise<number | null> {
  return (await other.query(lockWaiters)).rowCount;
}

test("counting does not wait for writers, and does not delay them", async () => {
  await db.query(insertTen);
  await change(["a"]);
  const writers = await Promise.all(Array.from({ length: 40 }, connected));
  try {
    for (const writer of writers) {
      await writer.query("set statement_timeout to '5s'");
      await writer.query("begin");
      await writer.query(insertTen);
    }
    await db.query("begin");
    await db.query("set local lock_timeout to '1s'");
    await add(await uncounted());
    await other.query(insertTen);
    for (const writer of writers) await writer.query(insertTen);
    await db.query("commit");
    await Promise.all(writers.map((writer) => writer.query("commit")));
  } finally {
    await Promise.all(writers.map((writer) => writer.end()));
  }
});
