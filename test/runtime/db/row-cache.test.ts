import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Database,
  databaseWithin,
  isCacheable,
  newRowCache,
  openDatabase,
  snapshotSql,
  throughCache,
} from "../../../runtime/db/index.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";
import { tries } from "../../support/searches.js";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  await db.query("create table things (id int primary key, name text not null)");
  await db.query("insert into things select n, 'thing' from generate_series(1, 20) as n");
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const text = "select string_agg(id || name, ',' order by id) as names from things";

interface Names {
  readonly names: string | null;
}

/** Reads the names as the server reads lists, and counts how often they are asked for. */
function reader(of: Database): { read(): Promise<string | null>; asked: number } {
  const one = {
    asked: 0,
    async read() {
      const found = await throughCache<{ snapshot: string }, Names>(
        of.cache,
        { text, values: [] },
        {
          look: async () => {
            const rows = await of.lookUp<{ snapshot: string }>(`select ${snapshotSql} as snapshot`);
            return rows[0] ?? null;
          },
          ask: async () => {
            one.asked += 1;
            const [row] = await of.query<Names & { snapshot: string }>(
              `select ${snapshotSql} as snapshot, _answer.* from (${text}) as _answer`,
            );
            return row === undefined ? null : { seen: { snapshot: row.snapshot }, row };
          },
        },
      );
      return found?.row.names ?? null;
    },
  };
  return one;
}

test("a row is read once, until something is written", async () => {
  const one = reader(db);
  // Other files of the run write to other databases of the same server, which also counts.
  await expect
    .poll(async () => {
      await Promise.all([one.read(), one.read(), one.read()]);
      const before = one.asked;
      await one.read();
      await one.read();
      return one.asked - before;
    })
    .toBe(0);
  await db.query("update things set name = 'other' where id = 7");
  expect(await one.read()).toContain("7other,");
  await db.query("delete from things where id = 7");
  expect(await one.read()).not.toContain("7other,");
});

test("what a transaction has not committed yet is not seen, and is seen at once then", async () => {
  const one = reader(db);
  await one.read();
  await one.read();
  await db.transaction(async ({ query }) => {
    await query("insert into things values (100, 'late')");
    expect(await one.read()).not.toContain("100late");
    expect(await one.read()).not.toContain("100late");
  });
  expect(await one.read()).toContain("100late");
});

test("two statements with the same snapshot see the same rows, whatever is written meanwhile", async () => {
  const seen = new Map<string, string>();
  const open = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    return client;
  };
  const clients = await Promise.all([open(), open(), open(), open()]);
  let repeated = 0;
  let isOver = false;
  let pick = 1;
  const random = (below: number) => {
    pick = (pick * 48_271) % 2_147_483_647;
    return pick % below;
  };
  const writer = async (client: pg.Client) => {
    while (!isOver) {
      const id = 1000 + random(30);
      const put = `insert into things values (${id}, '${random(1000)}')
        on conflict (id) do update set name = excluded.name`;
      await client.query("begin");
      await client.query(random(4) === 0 ? `delete from things where id = ${id}` : put);
      if (random(3) === 0) {
        await client.query("savepoint one");
        await client.query(
          `insert into things values (${2000 + random(9)}, 'x') on conflict do nothing`,
        );
        await client.query(random(2) === 0 ? "rollback to one" : "release one");
      }
      if (random(3) === 0) await sleep(random(3));
      await client.query(random(4) === 0 ? "rollback" : "commit");
    }
  };
  const look = async (client: pg.Client) => {
    for (let round = 0; round < tries(5_000); round += 1) {
      const { rows } = await client.query<Names & { snapshot: string }>(
        `select ${snapshotSql} as snapshot, (${text}) as names`,
      );
      const [{ snapshot, names } = { snapshot: "", names: "" }] = rows;
      expect(snapshot).toMatch(/^\d+\.\d+ \d+:\d+:[\d,]*$/);
      expect(names).toBe(seen.get(snapshot) ?? names);
      repeated += seen.has(snapshot) ? 1 : 0;
      seen.set(snapshot, names ?? "");
    }
  };
  const [first, second, third, fourth] = clients as [pg.Client, pg.Client, pg.Client, pg.Client];
  const writing = [writer(first), writer(second)];
  await Promise.all([look(third), look(fourth)]);
  isOver = true;
  // Two writers may wait for each other: PostgreSQL ends one of them.
  await Promise.allSettled(writing);
  await Promise.all(clients.map((client) => client.end()));
  expect(Math.min(seen.size, repeated)).toBeGreaterThan(10);
});

test("a lost connection empties the cache", async () => {
  const own = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  const [one] = await own.query<{ pid: number }>("select pg_backend_pid() as pid");
  const read = { text: "select 1", values: [] };
  const cached = { row: { one: "1" }, snapshot: "1 1:1:" };
  own.cache?.add(read, cached);
  own.cache?.add(read, cached);
  expect(own.cache?.find(read)).toMatchObject(cached);
  await db.query("select pg_terminate_backend($1)", [one?.pid]);
  await expect.poll(() => own.cache?.find(read)).toBeNull();
  await own.close();
});

test("there is none within a transaction, or where a proxy may hide lost connections", async () => {
  await db.transaction(async (connection) => {
    expect(databaseWithin(connection).cache).toBeUndefined();
  });
  const proxied = openDatabase({ url: database.url, poolSize: 1, prepare: false });
  expect(proxied.cache).toBeUndefined();
  await proxied.close();
});

test("single records, very long statements and what depends on the time are not cached", () => {
  expect(isCacheable("select 1", "list")).toBe(true);
  expect(isCacheable("select 1", "lookUp")).toBe(false);
  expect(isCacheable("select 1", "query")).toBe(false);
  expect(isCacheable(`select ${"true or ".repeat(3_000)} true`, "search")).toBe(false);
  expect(isCacheable("select now() at time zone 'UTC'", "aggregate")).toBe(false);
});

const read = (at: number, of?: string) => ({
  ...{ text: "select $1", values: [at] },
  ...(of !== undefined && { of }),
});

test("a row is cached for its text, its values and its caller", () => {
  const cache = newRowCache();
  const row = { data: "one" };
  cache.add(read(1), { row, snapshot: "a" });
  expect(cache.find(read(1))).toBeNull();
  cache.add(read(1), { row, snapshot: "a" });
  expect(cache.find(read(1))).toMatchObject({ row, snapshot: "a" });
  expect(cache.find(read(2))).toBeNull();
  expect(cache.find(read(1, "somebody"))).toBeNull();
  expect(cache.find({ text: "select $1::int", values: [1] })).toBeNull();
});

test("another snapshot ends what is cached, and a row of a standby is not", () => {
  const cache = newRowCache();
  const row = { data: "one" };
  const add = (at: number, snapshot: string) => cache.add(read(at), { row, snapshot });
  add(1, "a");
  add(1, "a");
  const cached = cache.find<object>(read(1));
  expect(cached).not.toBeNull();
  if (cached === null) return;
  expect(cache.isCurrent(cached, "a")).toBe(true);
  expect(cache.isCurrent(cached, "b")).toBe(false);
  expect(cache.find(read(1))).toBeNull();
  for (const _ of [1, 2, 3]) add(2, "");
  expect(cache.find(read(2))).toBeNull();
  // Nor does it end what others have cached.
  add(3, "b");
  add(2, "");
  expect(cache.find(read(3))).not.toBeNull();
});

test("rows are cached for two seconds, and the oldest go where all take too much", () => {
  let time = 0;
  const cache = newRowCache(() => time);
  const add = (at: number, length: number) => {
    const found = { row: { data: "x".repeat(length) }, snapshot: "a" };
    cache.add(read(at), found);
  };
  add(0, 1);
  add(1, 1);
  add(2, 257 * 1024);
  expect([0, 1, 2].map((at) => cache.find(read(at)) !== null)).toEqual([false, true, false]);
  time = 2_000;
  expect(cache.find(read(1))).toBeNull();
  for (let at = 100; at < 200; at += 1) add(at, 250 * 1024);
  const kept = Array.from({ length: 100 }, (_, at) => cache.find(read(100 + at)) !== null);
  expect(kept.filter(Boolean).length).toBe(65);
  expect(kept.lastIndexOf(false)).toBe(34);
  const found = cache.find<object>(read(199));
  cache.clear();
  expect(cache.find(read(199))).toBeNull();
  // Somebody may have found a row before a server crashed that then counts transactions anew.
  expect(found !== null && cache.isCurrent(found, "a")).toBe(false);
});
