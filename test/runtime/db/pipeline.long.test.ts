import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, isUnavailable, openDatabase } from "../../../runtime/db/index.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";
import { openTcpProxy } from "../../support/http/tcp-proxy.js";

let database: TestDatabase;
let other: pg.Client;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  other = new pg.Client(database.url);
  await other.connect();
  for (const table of ["things", "others"]) {
    await other.query(`create table ${table} (id int primary key, name text not null)`);
    await other.query(
      `insert into ${table} select n, '${table} ' || n from generate_series(1, 1000) as n`,
    );
  }
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

beforeEach(async () => {
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  await pipeline(db);
});
afterEach(() => db.close());

const oneThing = "select * from things where id = $1";
const oneOther = "select * from others where id = $1";

interface Place {
  readonly pid: number;
  readonly limit: string;
}

/** Where a look-up runs; only the pipelined connection has so short a limit on locks. */
async function place(of: Database): Promise<Place | undefined> {
  const text = "select pg_backend_pid() as pid, current_setting('lock_timeout') as limit";
  return (await of.read<Place>({ text, values: [], cost: "key" }))[0];
}

/** The pipelined connection's process, as soon as it is open. */
async function pipeline(of: Database): Promise<number> {
  let found: Place | undefined;
  await expect
    .poll(async () => {
      found = await place(of);
      return found?.limit;
    })
    .toBe("5ms");
  return found?.pid ?? 0;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

/** Every look-up has the row that it asked for. */
async function expectOwnRows(of: Database, count: number): Promise<void> {
  const found = await Promise.all(
    numbers(count).map((id) => of.read({ text: oneThing, values: [id], cost: "key" })),
  );
  expect(found).toEqual(numbers(count).map((id) => [{ id, name: `things ${id}` }]));
}

async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail");
}

/** Milliseconds that the work took. */
async function timeOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

test("look-ups share one connection, even while the pool has none free", async () => {
  const busy = [db.query("select pg_sleep(1)"), db.query("select pg_sleep(1)")];
  const pid = await pipeline(db);
  const places = await Promise.all(numbers(100).map(() => place(db)));
  expect(new Set(places.map((found) => found?.pid))).toEqual(new Set([pid]));
  await Promise.all(busy);
});

test("more look-ups than the connection accepts at once go through the pool too", async () => {
  const places = await Promise.all(numbers(500).map(() => place(db)));
  expect(new Set(places.map((found) => found?.limit))).toEqual(new Set(["5ms", "2s"]));
  await expectOwnRows(db, 1000);
});

test("a look-up that writes is an error, and nothing is written", async () => {
  const write = "update things set name = 'written' where id = $1 returning id";
  const error = await failure(db.read({ text: write, values: [1], cost: "key" }));
  expect(error).toEqual(new Error("A read that shares a connection must not write"));
  expect(isUnavailable(error)).toBe(false);
  await expectOwnRows(db, 1);
});

test("look-ups that wait when the connection is lost are still answered", async () => {
  const pid = await pipeline(db);
  // The first keeps the others waiting.
  const first = db.read({ text: "select pg_sleep(0.5), 1 as done", values: [], cost: "key" });
  const rest = expectOwnRows(db, 100);
  await other.query("select pg_terminate_backend($1)", [pid]);
  expect(await first).toMatchObject([{ done: 1 }]);
  await rest;
  expect(await pipeline(db)).not.toBe(pid);
});

test("logs that the connection was lost", async () => {
  const messages: string[] = [];
  const log = { warn: (_details: object, message: string) => messages.push(message) };
  const one = openDatabase({ url: database.url, poolSize: 1, prepare: true, log });
  await other.query("select pg_terminate_backend($1)", [await pipeline(one)]);
  await expect.poll(() => messages).toEqual(["A pipelined database connection was lost"]);
  await one.close();
});

test("a locked table delays only its readers, and lets them through when it is free", async () => {
  await expectOwnRows(db, 1);
  await other.query("begin");
  await other.query("lock table things");
  let isThrough = false;
  const waiting = expectOwnRows(db, 100).finally(() => {
    isThrough = true;
  });
  await Promise.all(
    numbers(100).map((id) => db.read({ text: oneOther, values: [id], cost: "key" })),
  );
  // What is locked does not use the connection again, except for one try a second.
  const late = numbers(50).map((id) => db.read({ text: oneThing, values: [id], cost: "key" }));
  await db.read({ text: oneOther, values: [1], cost: "key" });
  // Neither waited until those that wait for the lock were refused.
  expect(isThrough).toBe(false);
  await other.query("commit");
  await waiting;
  expect(await Promise.all(late)).toEqual(numbers(50).map((id) => [{ id, name: `things ${id}` }]));
});

test("a lock at a look-up's first use does not cost the connection", async () => {
  const pid = await pipeline(db);
  await other.query("begin");
  await other.query("lock table things");
  const waiting = expectOwnRows(db, 20);
  await expect.poll(() => place(db)).toMatchObject({ pid, limit: "5ms" });
  await other.query("commit");
  await waiting;
  expect(await pipeline(db)).toBe(pid);
});

test("a table that was locked is read over the connection again", async () => {
  const text = `select limits.setting as limit
    from things, pg_settings as limits
    where limits.name = 'lock_timeout' and things.id = $1`;
  const limit = async () =>
    (await db.read<{ limit: string }>({ text, values: [1], cost: "key" }))[0]?.limit;
  expect(await limit()).toBe("5");
  await other.query("begin");
  await other.query("lock table things");
  const waiting = limit();
  await expect.poll(() => place(db)).toMatchObject({ limit: "5ms" });
  await other.query("commit");
  expect(await waiting).toBe("2000");
  await expect.poll(limit).toBe("5");
});

test("a look-up that takes too long there is answered by the pool, and so are those behind it", async () => {
  const slow = db.read({ text: "select pg_sleep(4), 1 as done", values: [], cost: "key" });
  let isSlowDone = false;
  void slow.finally(() => {
    isSlowDone = true;
  });
  await expectOwnRows(db, 50);
  expect(isSlowDone).toBe(false);
  expect(await slow).toMatchObject([{ done: 1 }]);
  await pipeline(db);
});

test("a look-up is unavailable if it takes too long everywhere", async () => {
  expect(
    isUnavailable(await failure(db.read({ text: "select pg_sleep(60)", values: [], cost: "key" }))),
  ).toBe(true);
  await expectOwnRows(db, 100);
});

test("a silent connection is closed, and look-ups that wait on it are answered", async () => {
  const proxy = await openTcpProxy(database.url);
  const url = new URL(proxy.url);
  url.searchParams.set("application_name", "silenced");
  const one = openDatabase({ url: url.href, poolSize: 2, prepare: true });
  const pid = await pipeline(one);
  // The pool has to open new ones, which are heard.
  await other.query(
    `select pg_terminate_backend(pid, 5000)
     from pg_stat_activity
     where application_name = 'silenced'
       and pid <> $1`,
    [pid],
  );
  proxy.silence();
  // They wait for the connection for longer than a second.
  expect(await timeOf(expectOwnRows(one, 100))).toBeGreaterThan(1_000);
  expect(await pipeline(one)).not.toBe(pid);
  await one.close();
  await proxy.close();
});

test("closing does not wait for a response that never comes", async () => {
  const proxy = await openTcpProxy(database.url);
  const one = openDatabase({ url: proxy.url, poolSize: 2, prepare: true });
  await pipeline(one);
  proxy.silence();
  const waiting = failure(expectOwnRows(one, 1));
  await one.close();
  expect(isUnavailable(await waiting)).toBe(true);
  await proxy.close();
});

test("closing answers open look-ups, ends the connection, and opens none again", async () => {
  const one = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  const pid = await pipeline(one);
  const last = expectOwnRows(one, 100);
  await one.close();
  await last;
  expect(isUnavailable(await failure(one.read({ text: oneThing, values: [1], cost: "key" })))).toBe(
    true,
  );
  const left = await other.query("select from pg_stat_activity where pid = $1", [pid]);
  expect(left.rowCount).toBe(0);
});

test("prepared look-ups survive changes of their table while they run", async () => {
  let over = false;
  const readers = numbers(20).map(async (id) => {
    while (!over)
      expect(await db.read({ text: oneThing, values: [id], cost: "key" })).toMatchObject([{ id }]);
  });
  for (const round of numbers(10)) {
    await other.query(`alter table things add column extra_${round} int`);
    await expect
      .poll(async () =>
        Object.keys((await db.read<object>({ text: oneThing, values: [1], cost: "key" }))[0] ?? {}),
      )
      .toContain(`extra_${round}`);
    await other.query(`alter table things drop column extra_${round}`);
  }
  over = true;
  await Promise.all(readers);
  await expectOwnRows(db, 100);
});

test("a look-up is prepared at its first use", async () => {
  const held = "select from pg_prepared_statements where statement like '%a look-up of itself%'";
  expect(await db.read({ text: held, values: [], cost: "key" })).toHaveLength(1);
});

test("without preparing, look-ups and searches are plain statements of the pool", async () => {
  const plain = openDatabase({ url: database.url, poolSize: 1, prepare: false });
  for (const _ of numbers(3)) {
    expect(await place(plain)).toMatchObject({ limit: "0" });
    expect(
      await plain.read({ text: oneThing, values: [1], cost: "scan", isVaried: true }),
    ).toHaveLength(1);
  }
  expect(await plain.query("select from pg_prepared_statements")).toEqual([]);
  await plain.close();
});
