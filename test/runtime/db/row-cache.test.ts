import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Database,
  databaseWithin,
  openDatabase,
  type Plan,
} from "../../../runtime/db/index.js";
import { newRowCache } from "../../../runtime/db/run/row-cache.js";
import { snapshotSql } from "../../../runtime/db/statement/joined.js";
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

/** Reads the names as the server reads lists, and counts how often they are read anew. */
function reader(of: Database): { read(): Promise<string | null>; asked: number } {
  const moments = new Set<string>();
  const plan: Plan = {
    ...{ text: `select clock_timestamp()::text as at, (${text}) as names`, values: [] },
    ...{ cost: "scan", depends: "rows", resource: "things" },
  };
  return {
    get asked() {
      return moments.size;
    },
    async read() {
      const [row] = await of.read<Names & { at: string }>(plan);
      if (row !== undefined) moments.add(row.at);
      return row?.names ?? null;
    },
  };
}

test("a row is read once, until a write", async () => {
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

test("for a plan that takes long only the caller is looked up, with the row if it is cached", async () => {
  const scan: Plan = { text, values: [], cost: "scan", depends: "rows", resource: "things" };
  const askAs = (name: string) =>
    db.read<Names & { _account: string; _isUnread?: true }>({
      ...scan,
      caller: {
        sql: (first) => `select name as _account from things where id = 1 and name = $${first}`,
        values: [name],
        key: name,
      },
    });
  const [first] = await askAs("thing");
  expect(first).toMatchObject({ _account: "thing", _isUnread: true });
  expect(first?.names).toBeUndefined();
  await expect
    .poll(async () => {
      await db.read(scan);
      await db.read(scan);
      return (await askAs("thing"))[0];
    })
    .toMatchObject({ _account: "thing", names: expect.stringContaining("1thing") });
  expect(await askAs("nobody")).toEqual([]);
});

test("uncommitted writes of a transaction are not seen, and are seen at once afterwards", async () => {
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
  const cache = newRowCache();
  const own = openDatabase({ url: database.url, poolSize: 1, prepare: true }, cache);
  const [one] = await own.query<{ pid: number }>("select pg_backend_pid() as pid");
  const row = { one: "1", _snapshot: "1 1:1:" };
  cache.add(plan(1), row);
  cache.add(plan(1), row);
  expect(cache.find(plan(1))).toBe(row);
  await db.query("select pg_terminate_backend($1)", [one?.pid]);
  await expect.poll(() => cache.find(plan(1))).toBeNull();
  await own.close();
});

test("within a transaction each read sees its writes", async () => {
  await db.transaction(async (connection) => {
    const one = reader(databaseWithin(connection));
    await connection.query("insert into things values (200, 'own')");
    expect(await one.read()).toContain("200own");
    await connection.query("update things set name = 'next' where id = 200");
    expect(await one.read()).toContain("200next");
  });
});

const plan = (at: number, caller?: string): Plan => ({
  ...{ text: "select $1", values: [at], cost: "scan" },
  ...(caller === undefined
    ? { depends: "rows" }
    : { depends: "caller", caller: { sql: () => "", values: [], key: caller } }),
});

test("a row is cached for its text, its values and its caller", () => {
  const cache = newRowCache();
  const row = { data: "one", _snapshot: "a" };
  cache.add(plan(1), row);
  expect(cache.find(plan(1))).toBeNull();
  cache.add(plan(1), row);
  expect(cache.find(plan(1))).toBe(row);
  expect(cache.find(plan(2))).toBeNull();
  expect(cache.find(plan(1, "somebody"))).toBeNull();
  expect(cache.find({ ...plan(1), text: "select $1::int" })).toBeNull();
});

test("another snapshot drops a cached row, and a row of a standby is not cached", () => {
  const cache = newRowCache();
  const add = (at: number, _snapshot: string) => cache.add(plan(at), { _snapshot });
  add(1, "a");
  add(1, "a");
  const cached = cache.find(plan(1));
  expect(cached).not.toBeNull();
  if (cached === null) return;
  expect(cache.isCurrent(cached, "a")).toBe(true);
  expect(cache.isCurrent(cached, "b")).toBe(false);
  expect(cache.find(plan(1))).toBeNull();
  for (const _ of [1, 2, 3]) add(2, "");
  expect(cache.find(plan(2))).toBeNull();
  // Nor does it end what others have cached.
  add(3, "b");
  add(2, "");
  expect(cache.find(plan(3))).not.toBeNull();
});

test("rows are cached for two seconds, and the oldest are dropped if all take too much memory", () => {
  let time = 0;
  const cache = newRowCache(() => time);
  const add = (at: number, length: number) => {
    const row = { data: "x".repeat(length), _snapshot: "a" };
    cache.add(plan(at), row);
  };
  add(0, 1);
  add(1, 1);
  add(2, 257 * 1024);
  expect([0, 1, 2].map((at) => cache.find(plan(at)) !== null)).toEqual([false, true, false]);
  time = 2_000;
  expect(cache.find(plan(1))).toBeNull();
  for (let at = 100; at < 200; at += 1) add(at, 250 * 1024);
  const kept = Array.from({ length: 100 }, (_, at) => cache.find(plan(100 + at)) !== null);
  expect(kept.filter(Boolean).length).toBe(65);
  expect(kept.lastIndexOf(false)).toBe(34);
  const found = cache.find(plan(199));
  cache.clear();
  expect(cache.find(plan(199))).toBeNull();
  // Somebody may have found a row before a server crashed that then counts transactions anew.
  expect(found !== null && cache.isCurrent(found, "a")).toBe(false);
});
