import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../runtime/db/index.js";
import {
  MigrationError,
  migrate,
  migrationStatus,
  pendingMigrations,
} from "../../../runtime/migrate/index.js";
import { makeAppFolder } from "../../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";

const ofPackage = readdirSync(join(import.meta.dirname, "../../../runtime/migrate/sql"))
  .sort()
  .map((file) => ({ source: "package", name: basename(file, ".sql") }));
const products = { source: "app", name: "0001_products" };

let root: string;
let directory: string;
let database: TestDatabase;

beforeEach(async () => {
  root = makeAppFolder();
  directory = join(root, "migrations");
  mkdirSync(directory);
  write("0001_products", "create table products (id uuid primary key);\n");
  database = await emptyDatabase();
});

afterEach(async () => {
  await database.drop();
  rmSync(root, { recursive: true });
});

test("applies the package's migrations, then the app's, to a fresh database", async () => {
  expect(await run()).toEqual({ applied: [...ofPackage, products], pending: [] });
  expect(await rows("select id from public.products")).toEqual([]);
  expect(await rows("select id from service.users")).toEqual([]);
});

test("gives every installation its own id", async () => {
  await run();
  const [first] = await rows<{ id: string }>("select id from service.installation");
  expect(first?.id).toMatch(/^[0-9a-f]{12}$/);
  await expect(
    rows("insert into service.installation (id) values ('0123456789ab')"),
  ).rejects.toThrow("installation_single");
});

test("does nothing the second time", async () => {
  await run();
  expect(await run()).toEqual({ applied: [], pending: [] });
});

test("needs no migrations of the app", async () => {
  rmSync(directory, { recursive: true });
  expect(await run()).toEqual({ applied: ofPackage, pending: [] });
});

test("makes two concurrent runs wait for each other", async () => {
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ applied }) => applied.length).sort()).toEqual([0, ofPackage.length + 1]);
});

test("applies a file that a merge brought in under an older number", async () => {
  write("0003_late", "create table late ();");
  await run();
  write("0002_merged", "create table merged ();");
  expect(await run()).toEqual({ applied: [{ source: "app", name: "0002_merged" }], pending: [] });
});

test("lists pending migrations and changes nothing", async () => {
  const pending = [...ofPackage, products];
  const target = { url: database.url, directory };
  expect(await migrationStatus(target)).toEqual({ applied: [], pending });
  const dry = await migrate({ ...target, dryRun: true });
  expect(dry.applied).toEqual([]);
  expect(dry.pending.map(({ source, name }) => ({ source, name }))).toEqual(pending);
  expect(dry.pending.at(-1)?.sql).toBe("create table products (id uuid primary key);\n");
  expect(await rows("select 1 from pg_namespace where nspname = 'service'")).toEqual([]);
  await run();
  expect(await migrationStatus(target)).toEqual({ applied: pending, pending: [] });
});

test("reports to a starting server what to wait for", async () => {
  const db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  try {
    expect(await pendingMigrations(db, directory)).toEqual([...ofPackage, products]);
    await run();
    expect(await pendingMigrations(db, directory)).toEqual([]);
  } finally {
    await db.close();
  }
});

test("refuses a file that was changed after it was applied", async () => {
  await run();
  write("0001_products", "create table goods ();");
  await expect(run()).rejects.toThrow(
    "migrations/0001_products.sql was changed after it was applied to this database",
  );
});

test("treats a file with other line ends as the same", async () => {
  await run();
  write("0001_products", "create table products (id uuid primary key);\r\n");
  expect(await run()).toEqual({ applied: [], pending: [] });
});

test("refuses if an applied file is missing", async () => {
  await run();
  rmSync(join(directory, "0001_products.sql"));
  await expect(run()).rejects.toThrow(
    "migrations/0001_products.sql was applied to this database, but the file is missing",
  );
});

test("refuses a database that a newer package has migrated", async () => {
  await run();
  await rows(
    "insert into service.migrations (source, name, checksum) values ('package', '9999_new', 'x')",
  );
  await expect(run()).rejects.toThrow(
    "migrated by a newer version of the package (it has 9999_new)",
  );
});

test("refuses a database of version 0.4.0", async () => {
  await run();
  await rows("update service.migrations set name = '0001_foundation' where name = '0001_accounts'");
  await expect(run()).rejects.toThrow("created by version 0.4.0 of the package or earlier");
});

test("stops at an error with its file and line, and applies nothing of that file", async () => {
  write("0002_broken", "create table half ();\n-- Ä 🙂\nselect\n  nothing;\n");
  write("0003_after", "create table after ();");
  await expect(run()).rejects.toThrow(
    'migrations/0002_broken.sql:4: column "nothing" does not exist',
  );
  expect(await rows("select to_regclass('half') as half")).toEqual([{ half: null }]);
  expect(await migrationStatus({ url: database.url, directory })).toEqual({
    applied: [...ofPackage, products],
    pending: [
      { source: "app", name: "0002_broken" },
      { source: "app", name: "0003_after" },
    ],
  });
});

test("a setting in one file does not affect the next", async () => {
  write("0002_dump", "select pg_catalog.set_config('search_path', '', false);");
  write("0003_after", "create table after ();");
  await run();
  expect(await rows("select * from public.after")).toEqual([]);
});

test("creates the app's tables in public, whatever the search path of the role", async () => {
  await migrate({ url: `${database.url}?options=-c%20search_path%3Dservice`, directory });
  expect(await rows("select to_regclass('public.products') is not null as found")).toEqual([
    { found: true },
  ]);
});

test("reads texts and writes numbers in one way, whatever the settings of the database", async () => {
  const name = new URL(database.url).pathname.slice(1);
  await rows(`alter database ${name} set standard_conforming_strings = off`);
  await rows(`alter database ${name} set extra_float_digits = 0`);
  write(
    "0002_said",
    "create table said as select '\\d' as backslash, (0.1::float8 + 0.2)::text as sum;",
  );
  await run();
  expect(await rows("select * from said")).toEqual([
    { backslash: "\\d", sum: "0.30000000000000004" },
  ]);
});

test("refuses an address without a database, without its password", async () => {
  const url = "postgres://service:hidden@127.0.0.1:1/app";
  const error = await migrate({ url, directory }).catch((caught) => caught);
  expect(error).toBeInstanceOf(MigrationError);
  expect(error.message).toBe("The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1");
});

function write(name: string, sql: string): void {
  writeFileSync(join(directory, `${name}.sql`), sql);
}

function run() {
  return migrate({ url: database.url, directory });
}

async function rows<Row>(text: string): Promise<readonly Row[]> {
  const db = openDatabase({ url: database.url, poolSize: 1, prepare: false });
  try {
    return await db.query<Row>(text);
  } finally {
    await db.close();
  }
}
