import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, newBench } from "../../support/database/migrations.js";
import { startMigrate } from "../../support/processes/migrate-process.js";

let bench: Bench;

beforeEach(async () => {
  bench = await newBench();
  bench.write(
    "0001_products",
    "create table products (id uuid primary key, name text);",
    "insert into products select gen_random_uuid(), 'p' || n from generate_series(1, 2000) as n;",
  );
  await bench.migrate();
});
afterEach(() => bench.drop());

test.each([
  ["a transaction", ["alter table products add column price int;"]],
  ["a tally", ["-- @tally products", "call service.change_tally('products', 't', '{}');"]],
])("writers hardly wait while %s waits for a lock", async (_, lines) => {
  bench.write("0002_new", ...lines);
  const holder = await hold("update products set name = 'held' where name = 'p1'");
  let over = false;
  const waits: number[] = [];
  const writing = Promise.all([1, 2, 3].map(() => writeUntil(() => over, waits)));
  const run = bench.migrate();
  // The migration asks for the lock several times, and those behind it wait; if it waited for it, no other write would end.
  const asked = () => waits.filter((ms) => ms > 50).length;
  await expect.poll(asked).toBeGreaterThan(5);
  const before = waits.length;
  await expect.poll(() => waits.length).toBeGreaterThan(before + 20);
  await holder.query("commit");
  expect((await run).applied).toHaveLength(1);
  over = true;
  await writing;
});

test("gives up in the end and names the session that holds the lock, but not its statement", async () => {
  bench.write("0002_new", "", "alter table products add column price int;");
  const holder = await hold("update products set name = 'secret'", "nightly report");
  const { rows } = await holder.query("select pg_backend_pid() as pid");
  const error = await bench.migrate({ lockRetryMs: 4_000 }).catch((caught) => caught);
  expect(error.message).toMatch(
    new RegExp(
      `^migrations/0002_new\\.sql:2: a lock could not be acquired within \\d+ s; it is held by process ${rows[0].pid} of PostgreSQL \\(nightly report\\), its transaction open for \\d+ s$`,
    ),
  );
  expect(error.hint).toBe(
    "run npx service migrate again when that transaction has ended: it continues from here",
  );
  await holder.query("commit");
  expect((await bench.migrate()).applied).toHaveLength(1);
});

test("names the session that holds the lock if connecting takes longer than the lock time-out", async () => {
  await bench.client.query(
    `create function take_time() returns event_trigger language plpgsql
       as 'begin perform pg_sleep(0.3); end';
     create event trigger take_time on login execute function take_time()`,
  );
  bench.write("0002_new", "alter table products add column price int;");
  const holder = await hold("update products set name = 'held'", "report");
  const error = await bench.migrate({ lockRetryMs: 2_000 }).catch((caught) => caught);
  expect(error.message).toContain(" of PostgreSQL (report), its transaction open for ");
  await holder.query("rollback");
});

test("reports after a while what it waits for", async () => {
  bench.write("0002_new", "alter table products add column price int;");
  const holder = await hold("update products set name = 'held'", "report");
  const warnings: string[] = [];
  const run = bench.migrate({ onWarning: (warning) => warnings.push(warning) });
  await expect.poll(() => warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /^migrations\/0002_new\.sql:1: waits for a lock that is held by process/,
  );
  await holder.query("commit");
  await run;
});

test("reports the transaction for which an index build waits", async () => {
  bench.write("0002_new", "-- @index name", "create index concurrently name on products (name);");
  const holder = await hold("update products set name = 'held'", "report");
  const warnings: string[] = [];
  const run = bench.migrate({ onWarning: (warning) => warnings.push(warning) });
  await expect.poll(() => warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /^migrations\/0002_new\.sql:2: waiting for the end of process \d+ of PostgreSQL \(report\), its transaction open for \d+ s$/,
  );
  await holder.query("commit");
  await run;
});

test("a batch waits for a row that another transaction has written", async () => {
  bench.write(
    "0002_new",
    "-- @batches products",
    "update products set name = name || '!' where id > $1 and id <= $2;",
  );
  const holder = await hold("update products set name = 'held' where name = 'p1'");
  const run = bench.migrate();
  // Longer than it takes, or the batch is there too late to have to wait.
  await sleep(400);
  await holder.query("commit");
  await run;
  expect(await bench.rows("select count(*)::int as left from products where name !~ '!$'")).toEqual(
    [{ left: 0 }],
  );
  expect(await bench.rows("select 1 from products where name like '%!!'")).toEqual([]);
});

test("one of two processes does it; the other waits and finds it done", async () => {
  bench.write(
    "0002_new",
    "-- @index products__name",
    "create index concurrently products__name on products (name);",
    "-- @transaction",
    "create table done (at int);",
  );
  // The build waits for this snapshot, so the second is there before it ends.
  const holder = await bench.connect();
  await holder.query("begin isolation level repeatable read");
  await holder.query("select 1");
  const first = startMigrate(bench);
  await expect
    .poll(() => bench.rows("select 1 from pg_class where relname = 'products__name'"))
    .toHaveLength(1);
  const warnings: string[] = [];
  const second = bench.migrate({ onWarning: (warning) => warnings.push(warning) });
  await expect.poll(() => warnings).toHaveLength(1);
  expect(warnings).toEqual([
    "Another migrate is running on this database; waiting for it to finish",
  ]);
  await sleep(500);
  await holder.query("commit");
  expect((await first).exitCode).toBe(0);
  expect((await second).applied).toEqual([]);
  expect(warnings).toHaveLength(1);
});

/** A transaction that stays open. */
async function hold(statement: string, name = ""): Promise<pg.Client> {
  const holder = await bench.connect();
  await holder.query("select set_config('application_name', $1, false)", [name]);
  await holder.query("begin");
  await holder.query(statement);
  return holder;
}

/** Inserts again and again, and notes how long each took, in milliseconds. */
async function writeUntil(isOver: () => boolean, waits: number[]): Promise<void> {
  const writer = await bench.connect();
  while (!isOver()) {
    const start = performance.now();
    await writer.query("insert into products (id, name) values (gen_random_uuid(), 'new')");
    waits.push(performance.now() - start);
    await sleep(5);
  }
}
