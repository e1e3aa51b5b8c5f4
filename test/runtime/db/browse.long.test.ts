import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let other: pg.Client;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  other = new pg.Client(database.url);
  await other.connect();
  await other.query("create table things (id int primary key, name text not null)");
  await other.query("insert into things select n, 'thing ' || n from generate_series(1, 100) as n");
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

beforeEach(async () => {
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  await expect.poll(async () => (await place("key")).limit).toBe("5ms");
  await expect.poll(async () => (await place("index")).limit).toBe("5ms");
});
afterEach(() => db.close());

interface Place {
  readonly pid: number;
  readonly limit: string;
  readonly prepared: number;
}

/** Where a statement runs; only pipelined connections have so short a limit on locks. */
async function place(cost: "key" | "index", sleep = 0, remark = ""): Promise<Place> {
  const [found] = await db.read<Place>({
    text: `select
       pg_backend_pid() as pid,
       current_setting('lock_timeout') as limit,
       (select count(*)::int from pg_prepared_statements) as prepared,
       pg_sleep(${sleep})::text as slept ${remark}`,
    values: [],
    cost,
  });
  if (found === undefined) throw new Error("There is no row");
  return found;
}

test("pages have a separate connection beside look-ups", async () => {
  expect((await place("index")).pid).not.toBe((await place("key")).pid);
});

test("a page that is slow several times in a row leaves the connection to the quick ones", async () => {
  const slow = async () => {
    const [found] = await Promise.all([
      place("index", 0.03),
      place("index", 0, ", 'behind' as it"),
    ]);
    return found.limit;
  };
  expect([await slow(), await slow(), await slow(), await slow()]).toEqual([
    "5ms",
    "5ms",
    "5ms",
    "2s",
  ]);
  expect((await place("index")).limit).toBe("5ms");
});

test("more pages than the connection accepts at once go through the pool too", async () => {
  const places = await Promise.all(Array.from({ length: 60 }, () => place("index", 0.001)));
  const limits = places.map(({ limit }) => limit);
  expect(limits.filter((limit) => limit === "5ms")).toHaveLength(32);
  expect(limits.filter((limit) => limit === "2s")).toHaveLength(28);
});

test("a connection full of unusual pages is replaced, and prepares again", async () => {
  const { pid } = await place("index");
  let most = 0;
  for (let shape = 0; shape < 260; shape += 1) {
    await place("index", 0, `, ${shape} as shape`);
    const { prepared } = await place("index", 0, `, ${shape} as shape`);
    most = Math.max(most, prepared);
  }
  expect(most).toBeGreaterThan(200);
  expect(most).toBeLessThanOrEqual(250);
  await expect.poll(async () => (await place("index")).limit).toBe("5ms");
  expect((await place("index")).pid).not.toBe(pid);
});

test("a page that meets a lock waits in the pool, and look-ups continue", async () => {
  await other.query("begin; lock table things");
  const page = db.read({
    text: "select * from things order by id limit 3",
    values: [],
    cost: "index",
  });
  expect((await place("index", 0, ", 'beside' as it")).limit).toBe("5ms");
  expect((await place("key")).limit).toBe("5ms");
  await other.query("commit");
  expect(await page).toHaveLength(3);
});

test("a page that writes is an error, and nothing is written", async () => {
  await expect(
    db.read({ text: "delete from things returning id", values: [], cost: "index" }),
  ).rejects.toThrow("must not write");
  const { rows } = await other.query("select count(*)::int as count from things");
  expect(rows).toEqual([{ count: 100 }]);
});
