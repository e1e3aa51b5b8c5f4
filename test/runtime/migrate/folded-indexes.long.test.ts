import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDrift, type MigrateOptions, migrate } from "../../../runtime/migrate/index.js";
import type { TestDatabase } from "../../support/database/database.js";
import { expectedOf, migratedFixture } from "../../support/database/drift.js";
import { startMigrate } from "../../support/processes/migrate-process.js";

const directory = "fixtures/apps/shop/migrations";
const shop = expectedOf("apps/shop");
const none = { differences: [], unmanaged: [] };
const applied = [{ source: "package", name: "0038_fold_text" }];

let database: TestDatabase;
let clients: pg.Client[] = [];
let client: pg.Client;
/** The search indexes of a new database. */
let current: readonly string[];

beforeEach(async () => {
  database = await migratedFixture("apps/shop");
  client = await connect();
  current = await searchIndexes();
  expect(current.length).toBeGreaterThan(5);
  // As before the migration.
  for (const definition of current) {
    const [, name = ""] = /INDEX (\S+) ON/.exec(definition) ?? [];
    await client.query(`drop index ${name}; ${definition.replaceAll("fold_text", "fold_case")}`);
  }
  await client.query(
    `drop function service.fold_text(text[]), service.fold_text(text), service.fold_letters;
     delete from service.migrations where name = '0038_fold_text'`,
  );
});
afterEach(async () => {
  await Promise.all(clients.map((one) => one.end()));
  clients = [];
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: database.url });
  one.on("error", () => {});
  await one.connect();
  clients.push(one);
  return one;
}

async function searchIndexes(): Promise<readonly string[]> {
  const { rows } = await client.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where indexdef like '%gin_trgm_ops%' order by indexname",
  );
  return rows.map(({ indexdef }) => indexdef);
}

function run(options: Partial<MigrateOptions> = {}) {
  return migrate({ url: database.url, directory, ...options });
}

test("search indexes of earlier releases are rebuilt, and the schema equals the result of its migrations", async () => {
  expect(await findDrift(database.url, shop)).toEqual(none);
  await client.query("insert into categories (id, name) values (gen_random_uuid(), 'Café')");
  expect(await run()).toEqual({ applied, pending: [] });
  expect(await searchIndexes()).toEqual(current);
  expect(await findDrift(database.url, shop)).toEqual(none);
  // The planner knows what is in it.
  const known = await client.query("select from pg_stats where tablename = 'categories__search'");
  expect(known.rowCount).toBe(1);
  expect(await run()).toEqual({ applied: [], pending: [] });
});

test("indexes of several columns and unusual names are rebuilt, the app's own stay", async () => {
  const column = (name: string) => `service.fold_case(${name}) gin_trgm_ops`;
  await client.query(
    `create table "Odd ""table""" ("a b" varchar(20), "service.fold_case(x)" text, c text);
     create index "odd' ""index""" on "Odd ""table"""
       using gin (${column('"a b"')}, ${column('"service.fold_case(x)"')})
       with (gin_pending_list_limit = 2048);
     create index half on "Odd ""table""" using gin (${column("c")}, c gin_trgm_ops);
     create index partial on "Odd ""table""" using gin (${column("c")}) where c <> '';
     create index plain on "Odd ""table""" (service.fold_case(c));
     create unique index one on "Odd ""table""" (service.fold_case(c))`,
  );
  const definitions = async () => {
    const { rows } = await client.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where tablename = 'Odd "table"' order by indexname`,
    );
    return rows.map(({ indexdef }) => indexdef);
  };
  const before = await definitions();
  await run();
  const named = /fold_case\((?=\("a b"|"service)/g;
  expect(await definitions()).toEqual(
    before.map((one) => (one.includes("a b") ? one.replaceAll(named, "fold_text(") : one)),
  );
});

test("cut off during an index build, the next run drops the unfinished index and completes", async () => {
  const holder = await connect();
  // The build waits for this snapshot before the index is valid.
  await holder.query("begin isolation level repeatable read; select 1");
  const killed = startMigrate({ url: database.url, directory });
  const half = "select indexrelid from pg_index where not indisvalid";
  await expect.poll(async () => (await client.query(half)).rowCount, { timeout: 20_000 }).toBe(1);
  killed.kill("SIGKILL");
  expect((await killed).signal).toBe("SIGKILL");
  await client.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where query like 'create index%' and pid <> pg_backend_pid()",
  );
  await holder.query("commit");
  expect((await client.query(half)).rowCount).toBe(1);
  expect(await run()).toEqual({ applied, pending: [] });
  expect((await client.query(half)).rowCount).toBe(0);
  expect(await searchIndexes()).toEqual(current);
  expect(await findDrift(database.url, shop)).toEqual(none);
});

test("if a table stays locked, the next run uses the index that was built for it", async () => {
  const holder = await connect();
  await holder.query("begin; select from products");
  const error = await run({ lockRetryMs: 500 }).catch((caught) => caught);
  expect(error.message).toMatch(/0038_fold_text.*a lock could not be acquired/s);
  const next = "select oid, relname from pg_class where relname like 'search\\_%\\_next'";
  const { rows: built } = await client.query(next);
  expect(built).toHaveLength(1);
  await holder.query("commit");
  await run();
  const { rows } = await client.query("select 'products__search'::regclass::oid as oid");
  expect(rows).toEqual([{ oid: built[0].oid }]);
  expect(await searchIndexes()).toEqual(current);
});

test("without pg_trgm nothing is built", async () => {
  await client.query("drop extension pg_trgm cascade");
  expect(await run()).toEqual({ applied, pending: [] });
  expect(await searchIndexes()).toEqual([]);
});

test("pg_trgm may be in a separate schema", async () => {
  await client.query('create schema "Own, one"; alter extension pg_trgm set schema "Own, one"');
  expect(await run()).toEqual({ applied, pending: [] });
  expect(await searchIndexes()).toEqual(
    current.map((one) => one.replaceAll(" gin_trgm_ops", ' "Own, one".gin_trgm_ops')),
  );
  expect(await findDrift(database.url, shop)).toEqual(none);
});
