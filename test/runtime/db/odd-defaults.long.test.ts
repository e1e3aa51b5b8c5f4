import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import {
  checkServer,
  migrate,
  migrationStatus,
  pendingMigrations,
} from "../../../runtime/migrate/index.js";
import { withConnection } from "../../../runtime/migrate/session/connect.js";
import { migrateShop } from "../../support/apps/code-app.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";
import { dump } from "../../support/database/dump.js";

/** Defaults that a database or a role may have, and that change what statements mean or give. */
const odd = {
  search_path: "elsewhere",
  default_transaction_isolation: "repeatable read",
  default_transaction_deferrable: "on",
  standard_conforming_strings: "off",
  extra_float_digits: "0",
  DateStyle: "SQL, DMY",
  IntervalStyle: "sql_standard",
  TimeZone: "Pacific/Apia",
  bytea_output: "escape",
  quote_all_identifiers: "on",
  transform_null_equals: "on",
  array_nulls: "off",
  gin_fuzzy_search_limit: "1",
  backslash_quote: "off",
  check_function_bodies: "off",
  client_encoding: "LATIN1",
  client_min_messages: "error",
  exit_on_error: "on",
  jit: "off",
  row_security: "off",
  xmloption: "document",
  statement_timeout: "20000",
  lock_timeout: "1",
  idle_session_timeout: "20000",
  idle_in_transaction_session_timeout: "20000",
  // PostgreSQL 17 and later.
  transaction_timeout: "20000",
};

/** Compared otherwise, or not at all: a schema may be quoted, and each sort of session has limits of its own. */
const free: readonly string[] = [
  "search_path",
  "xmloption",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
];

let database: TestDatabase;
let admin: pg.Client;
beforeEach(async () => {
  database = await emptyDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
afterEach(async () => {
  await admin.end();
  await database.drop();
});

async function setDefaults(settings: Readonly<Record<string, string>>): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    await admin.query(`alter database ${name} set ${setting} to '${value}'`);
  }
}

/** A session's values of these settings, as an object in SQL. */
function valuesOf(names: readonly string[]): string {
  const list = names.map((name) => `'${name}'`).join(", ");
  return `(select json_object_agg(name, setting order by name) from pg_settings where name in (${list}))`;
}

const bound = Object.keys(odd).filter((name) => !free.includes(name));

/** What a server's connections give: those of the pool, of look-ups and of pages. */
async function seenBy(db: Database): Promise<readonly unknown[]> {
  const text = `
    select
      1/3::float8 as third,
      'a\\b' as backslash,
      date '2026-02-03'::text as day,
      '\\xff'::bytea::text as bytes,
      array['null', null]::text as nulls,
      null = null as nothing,
      quote_ident('plain') as identifier,
      current_schema() as schema,
      current_setting('transaction_isolation') as isolation,
      interval '1 day -1 hour'::text as span,
      'é' as accent,
      ${valuesOf(bound)} as settings`;
  const [asked, looked, browsed] = [
    await db.query(text),
    await db.read({ text, values: [], cost: "key" }),
    await db.read({ text, values: [], cost: "index" }),
  ];
  const [inside] = await db.transaction((connection) => connection.query(text));
  return [...asked, ...looked, ...browsed, inside];
}

test("unusual defaults of a database change neither its tables nor a server's results", async () => {
  const plain = await emptyDatabase();
  try {
    await setDefaults(odd);
    await migrateShop(database);
    await migrateShop(plain);
    const [db, other] = [database, plain].map(({ url }) =>
      openDatabase({ url, poolSize: 2, prepare: true }),
    );
    if (db === undefined || other === undefined) throw new Error("unreachable: two were opened");
    const seen = await seenBy(db);
    expect(seen).toEqual(await seenBy(other));
    expect(seen[0]).toMatchObject({ third: 0.333_333_333_333_333_3, isolation: "read committed" });
    // Now over the pipelined connections.
    await expect
      .poll(
        async () =>
          (
            await db.read({
              text: "select current_setting('lock_timeout') as it",
              values: [],
              cost: "key",
            })
          )[0],
      )
      .toEqual({ it: "5ms" });
    expect(await seenBy(db)).toEqual(seen);
    await db.query(
      `insert into categories (id, name)
       select gen_random_uuid(), 'Category ' || n from generate_series(1, 3000) as n`,
    );
    const searched = await db.read<{ count: number }>({
      text: "select count(*)::int as count from categories where service.fold_text(name) like '%category%'",
      values: [],
      cost: "scan",
      isVaried: true,
    });
    expect(searched).toEqual([{ count: 3000 }]);
    await Promise.all([db.close(), other.close()]);
    expect(await checkServer(database.url)).toMatchObject({ problems: [] });
    // Who compares them is to see both alike.
    await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} reset all`);
    expect(await dump(database.url)).toEqual(await dump(plain.url));
  } finally {
    await plain.drop();
  }
});

test("migrations and their checks run without the limits of a database", async () => {
  const limits = ["statement_timeout", "lock_timeout", "transaction_timeout"];
  const idle = ["idle_session_timeout", "idle_in_transaction_session_timeout"];
  const select = `select ${valuesOf([...limits, ...idle])} as seen`;
  const none = Object.fromEntries([...limits, ...idle].map((name) => [name, "0"]));
  await setDefaults(odd);
  const { url } = database;
  expect(await withConnection({ url }, (db) => db.query(select))).toEqual([{ seen: none }]);
  const directory = mkdtempSync(join(tmpdir(), "limits-"));
  writeFileSync(join(directory, "0001_limits.sql"), `create table limits as ${select};\n`);
  await migrate({ url, directory });
  // A step gives up a lock that is not there at once, so that nobody waits behind it.
  const step = { ...none, lock_timeout: "100" };
  expect((await admin.query("select seen from public.limits")).rows).toEqual([{ seen: step }]);
  rmSync(directory, { recursive: true });
});

test("settings in an address change nothing either, and unknown ones are kept", async () => {
  const url = new URL(database.url);
  url.searchParams.set(
    "options",
    "-c extra_float_digits=0 -c search_path=elsewhere -c my.own=kept",
  );
  const db = openDatabase({ url: url.href, poolSize: 1, prepare: true });
  const [row] = await db.query(
    "select 1/3::float8 as third, current_schema() as schema, current_setting('my.own') as own",
  );
  expect(row).toEqual({ third: 0.333_333_333_333_333_3, schema: "public", own: "kept" });
  await db.close();
});

/** What `migrate`, its status and the start of a server say, and what `doctor` finds. */
async function refusals(prepare = true): Promise<readonly unknown[]> {
  const { url } = database;
  const db = openDatabase({ url, poolSize: 1, prepare });
  const said = (work: Promise<unknown>) =>
    work.then(
      () => [],
      ({ problems }) => problems,
    );
  const target = { url, directory: "no migrations of an app" };
  const start = await said(pendingMigrations(db, target.directory));
  await db.close();
  return [await said(migrate(target)), start, (await checkServer(url)).problems];
}

test("a setting that a session cannot change is refused by name", async () => {
  await setDefaults({ session_replication_role: "replica" });
  const [{ role }] = (await admin.query("select current_user as role")).rows;
  const lack = {
    message: "session_replication_role is replica instead of origin",
    hint: `run in that database: alter role ${role} set session_replication_role = origin`,
  };
  expect(await refusals()).toEqual([[lack], [lack], [lack]]);
});

test("a database in LATIN1 is refused by name", async () => {
  await admin.end();
  await database.drop();
  const server = new pg.Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  const name = new URL(database.url).pathname.slice(1);
  await server.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  await server.end();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const lack = {
    message: `The encoding of the database ${name} is LATIN1 instead of UTF8`,
    hint: "create one with: create database … encoding 'UTF8' template template0",
  };
  expect(await refusals()).toEqual([[lack], [lack], [lack]]);
  await expect(migrationStatus({ url: database.url, directory: "none" })).resolves.toBeDefined();
});

test("behind a proxy that passes no settings on, the role's settings are compared with ours", async () => {
  await setDefaults({ default_transaction_isolation: "serializable", extra_float_digits: "0" });
  const [migrated, start, found] = await refusals(false);
  expect(migrated).toEqual([]);
  expect(start).toEqual([
    {
      message: "default_transaction_isolation is serializable instead of read committed",
      hint: expect.stringMatching(/set default_transaction_isolation = 'read committed'$/),
    },
    {
      message: "extra_float_digits is 0 instead of 1",
      hint: expect.stringMatching(/^run in that database: .* set extra_float_digits = 1$/),
    },
  ]);
  expect(found).toEqual([]);
});
