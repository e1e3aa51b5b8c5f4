import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MigrationError } from "../../../runtime/migrate/index.js";
import { type Bench, newBench } from "../../support/database/migrations.js";

let bench: Bench;

beforeEach(async () => {
  bench = await newBench();
  bench.write("0001_products", "create table products (id uuid primary key);");
});
afterEach(() => bench.drop());

test("refuses a file with merge conflict markers before anything is applied", async () => {
  bench.write("0002_new", "create table a ();", "<<<<<<< HEAD", "=======", ">>>>>>> other");
  bench.write("0003_new", "-- @transaction", "select 1;", ">>>>>>> other");
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message.split("\n")).toEqual([
    "migrations/0002_new.sql:2: this file has merge conflict markers",
    "migrations/0003_new.sql:3: this file has merge conflict markers",
  ]);
  expect(await bench.rows("select to_regclass('products') as products")).toEqual([
    { products: null },
  ]);
});

test("accepts a comment whose headings are underlined", async () => {
  bench.write("0002_new", "/*", "Heading", "=======", "|||||||", "*/", "create table a ();");
  expect((await bench.migrate()).applied.at(-1)?.name).toBe("0002_new");
});

test("accepts a file that was edited before it was applied", async () => {
  bench.write("0001_products", "create table products (id uuid primary key, name text);");
  await bench.migrate();
  expect(await bench.rows("select name from products")).toEqual([]);
});

test("names the line of an error for which PostgreSQL gives no position", async () => {
  bench.write("0002_new", "-- First.", "create table a ();", "", "-- Again.", "create table a ();");
  await expect(bench.migrate()).rejects.toThrow(
    'migrations/0002_new.sql:5: relation "a" already exists',
  );
});

test.each([
  ["unique index", "create unique index on people (email);"],
  [
    "check",
    "alter table people add check (email = '') not valid; update people set email = email;",
  ],
  ["JSON", "select email::json from people;"],
])("does not show values of a row that PostgreSQL refuses: %s", async (_, sql) => {
  await bench.client.query("create table people (email text)");
  await bench.client.query("insert into people values ('secret@x.y'), ('secret@x.y')");
  bench.write("0002_new", sql, "");
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message).toMatch(/^migrations\/0002_new.sql:1: \w/);
  expect(error.message).not.toContain("secret");
});

test("shows PostgreSQL's details if they name no values", async () => {
  bench.write("0002_new", "create view seen as table products;", "", "drop table products;");
  await expect(bench.migrate()).rejects.toThrow(
    "migrations/0002_new.sql:3: cannot drop table products because other objects depend on it (view seen depends on table products)",
  );
});

test.each([
  ["view", "alter table products drop column name;"],
  ["materialized view", "alter table products alter column name type varchar(99);"],
  ["view", "alter table products alter column name type varchar(99);"],
])("reports which %s blocks: %s", async (kind, change) => {
  await bench.migrate();
  await bench.client.query(
    `alter table products add name text; create ${kind} seen as select name from products`,
  );
  bench.write("0002_new", "create table kept ();", change);
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message).toMatch(/^migrations\/0002_new\.sql:2: cannot /);
  expect(error.hint).toBe(
    "change the view seen: drop it, run npx service migrate again, and create it again as the new columns allow",
  );
});

test("truncates and cleans messages of PostgreSQL", async () => {
  bench.write(
    "0002_new",
    "do $$ begin raise exception 'no%', e'\\x1b[2J\\n' || repeat('x', 100000); end $$;",
  );
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message).toBe(`migrations/0002_new.sql:1: no [2J ${"x".repeat(493)}…`);
});

test("refuses the database of another app", async () => {
  await bench.migrate();
  rmSync(join(bench.directory, "0001_products.sql"));
  bench.write("0001_tasks", "create table tasks ();");
  const error = await bench.migrate().catch((caught) => caught);
  expect(error.message).toBe(
    "This is the database of another app: it has a migration whose file is not in migrations/",
  );
  expect(error.hint).toBe("check DATABASE_URL");
  expect(await bench.rows("select to_regclass('tasks') as tasks")).toEqual([{ tasks: null }]);
});

test("refuses a database that already has a table of the same name", async () => {
  await bench.client.query("create table products (sku text)");
  await expect(bench.migrate()).rejects.toThrow(
    'migrations/0001_products.sql:1: relation "products" already exists',
  );
});

test("creates its ledger in a schema made for a role that may not create schemas", async () => {
  await bench.client.query("drop schema service cascade");
  await withRole("", async (url) => {
    const refused = await bench.migrate({ url }).catch((caught) => caught);
    expect(refused.message).toMatch(
      /^The list of applied migrations cannot be created: permission denied/,
    );
    await bench.client.query(`create schema service authorization ${new URL(url).username}`);
    await bench.client.query(`grant create on schema public to ${new URL(url).username}`);
    const { applied } = await bench.migrate({ url });
    expect(applied.at(-1)).toEqual({ source: "app", name: "0001_products" });
  });
});

test("refuses if the file of a partly applied migration is missing", async () => {
  bench.write("0002_new", "-- @transaction", "create table a ();", "-- @transaction", "selec 1;");
  await expect(bench.migrate()).rejects.toThrow("syntax error");
  rmSync(join(bench.directory, "0002_new.sql"));
  await expect(bench.migrate()).rejects.toThrow(
    "migrations/0002_new.sql was begun on this database, but the file is missing",
  );
});

test("lists the rights that a role lacks", async () => {
  await bench.migrate();
  bench.write("0002_new", "", "alter table products add column name text;");
  await withRole("", async (url) => {
    // It has a ledger that it may write, and does not own the table.
    await bench.client.query("grant usage on schema service to public");
    await bench.client.query("grant all on all tables in schema service to public");
    const error = await bench.migrate({ url }).catch((caught) => caught);
    expect(error.message).toBe("migrations/0002_new.sql:2: must be owner of table products");
    expect(error.hint).toContain("the role in DATABASE_URL must own the tables");
  });
  expect(await bench.rows("select * from service.migration_steps")).toEqual([]);
});

test("reports a role that may not even read the ledger", async () => {
  await bench.migrate();
  await withRole("", async (url) => {
    const error = await bench.migrate({ url }).catch((caught) => caught);
    expect(error.message).toBe(
      "The list of applied migrations cannot be read: permission denied for schema service",
    );
    expect(error.hint).toContain("the role in DATABASE_URL");
  });
});

test("refuses a folder in place of a migration, and a dangling link", async () => {
  await bench.migrate();
  const place = join(bench.directory, "0002_new.sql");
  mkdirSync(place);
  const folder = await bench.migrate().catch((caught) => caught);
  expect(folder).toBeInstanceOf(MigrationError);
  expect(folder.message).toBe("migrations/0002_new.sql is a folder");
  rmSync(place, { recursive: true });
  symlinkSync("nowhere", place);
  const link = await bench.migrate().catch((caught) => caught);
  expect(link).toBeInstanceOf(MigrationError);
  expect(link.message).toBe("migrations/0002_new.sql cannot be read (ENOENT)");
});

test("refuses a read-only database, unless nothing needs to be written", async () => {
  await bench.migrate();
  const url = `${bench.url}?options=-c%20default_transaction_read_only%3Don`;
  expect((await bench.migrate({ url })).applied).toEqual([]);
  bench.write("0002_new", "", "create table a ();");
  const error = await bench.migrate({ url }).catch((caught) => caught);
  expect(error.message).toBe("This database is read-only");
  expect(error.hint).toContain("DATABASE_URL must name the database that accepts writes");
});

test("works without the search index if pg_trgm is not available, and reports it", async () => {
  await withRole("owner", async (url) => {
    bench.write("0002_new", "create table notes (id uuid, body text);", ...searchIndex);
    const warnings: string[] = [];
    await bench.migrate({ url, onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([
      'migrations/0002_new.sql:3: notes__search was not created, and searches in notes read the whole table: permission denied to create extension "pg_trgm"; install pg_trgm and run: npx service doctor --repair',
    ]);
  });
});

test("finds pg_trgm in any schema", async () => {
  await bench.client.query('create schema "Extra things"');
  await bench.client.query('create extension pg_trgm schema "Extra things"');
  bench.write("0002_new", "create table notes (id uuid, body text);", ...searchIndex);
  await bench.migrate();
  expect(await bench.rows("select to_regclass('notes__search') is not null as found")).toEqual([
    { found: true },
  ]);
});

const searchIndex = [
  "-- @index notes__search with pg_trgm",
  "create index concurrently notes__search on notes using gin (body gin_trgm_ops);",
];

/** A role that is no superuser: `owner` has what the bench has, any other nothing. */
async function withRole(kind: "owner" | "", work: (url: string) => Promise<void>): Promise<void> {
  const role = `role_${randomBytes(4).toString("hex")}`;
  await bench.client.query(`create role ${role} login password 'hidden'`);
  if (kind === "owner") {
    await bench.client.query("grant usage on schema service to public");
    await bench.client.query("grant all on all tables in schema service to public");
    await bench.client.query(`grant create on schema public to ${role}`);
  }
  const url = new URL(bench.url);
  url.username = role;
  url.password = "hidden";
  try {
    await work(url.href);
  } finally {
    await bench.client.query(`drop owned by ${role}`);
    await bench.client.query(`drop role ${role}`);
  }
}
