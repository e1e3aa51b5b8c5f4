import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../../runtime/db/index.js";
import { pendingInRelease } from "../../../runtime/migrate/at-start.js";
import { type Bench, newBench } from "../../support/database/migrations.js";

let bench: Bench;

beforeEach(async () => {
  bench = await newBench();
  bench.write("0001_one", "create table one ();");
  await bench.migrate();
});
afterEach(() => bench.drop());

test("a server accepts a database that a newer release has migrated, and reports it", async () => {
  bench.write("0002_two", "create table two ();");
  await bench.migrate();
  forget("0002_two");
  expect(await start()).toEqual({
    pending: [],
    warnings: ["The database is newer than this release: it has migrations/0002_two.sql"],
  });
});

test("a server refuses a database after a breaking migration that it does not know", async () => {
  bench.write("0002_two", "-- @breaking", "create table two ();");
  await bench.migrate();
  expect(await start()).toEqual({ pending: [], warnings: [] });
  forget("0002_two");
  await expect(start()).rejects.toMatchObject({
    message:
      "This release cannot work with the database: a newer one has applied migrations/0002_two.sql, which is marked @breaking",
    hint: "install that release of the app or a later one",
  });
});

test("migrate reports what breaks servers of the previous release, with its statements, before it applies them", async () => {
  const statement = "alter table things drop column name;";
  bench.write("0002_things", `-- @breaking ${statement}`, "create table things (id int);");
  bench.write("0003_own", "-- @breaking", "create table own ();");
  bench.write("0004_plain", "create table plain ();");
  const said: string[] = [];
  await bench.migrate({
    onWarning: (warning) => said.push(warning),
    onProgress: ({ path }) => said.push(path),
  });
  const after = "is @breaking: servers of the previous release cannot work after";
  expect(said).toEqual([
    `migrations/0002_things.sql ${after} ${statement}`,
    "migrations/0002_things.sql",
    `migrations/0003_own.sql ${after} it`,
    "migrations/0003_own.sql",
    "migrations/0004_plain.sql",
  ]);
  expect(await bench.rows("select name from service.migrations where breaking order by 1")).toEqual(
    [{ name: "0002_things" }, { name: "0003_own" }],
  );
});

test("nothing is reported about it if there has been no release yet", async () => {
  const fresh = await newBench();
  try {
    fresh.write("0001_own", "-- @breaking", "create table own ();");
    const said: string[] = [];
    await fresh.migrate({ onWarning: (warning) => said.push(warning) });
    expect(said).toEqual([]);
  } finally {
    await fresh.drop();
  }
});

test("a server works with an unknown migration that a merge has put before its own", async () => {
  bench.write("0000_zero", "create table zero ();");
  await bench.migrate();
  forget("0000_zero");
  expect(await start()).toEqual({
    pending: [],
    warnings: ["The database is newer than this release: it has migrations/0000_zero.sql"],
  });
});

test("a server without any migration refuses a database with some", async () => {
  forget("0001_one");
  await expect(start()).rejects.toThrow(
    "migrations/0001_one.sql was applied to this database, but",
  );
});

test("a server accepts a newer package's database, unless one of its changes was breaking", async () => {
  await bench.client.query(
    "insert into service.migrations (source, name, checksum) values ('package', '9999_new', 'x')",
  );
  expect(await start()).toEqual({
    pending: [],
    warnings: ["The database is newer than this release: it has 9999_new of the package"],
  });
  await bench.client.query("update service.migrations set breaking = true where name = '9999_new'");
  await expect(start()).rejects.toMatchObject({
    message: expect.stringContaining(
      "a newer one has applied 9999_new of the package, which is marked @breaking",
    ),
    hint: "install that version of the package or a later one",
  });
});

test("a server waits for partly applied or partly undone migrations", async () => {
  bench.write("0002_two", "-- @transaction", "create table two ();", "-- @transaction", "selec 1;");
  await expect(bench.migrate()).rejects.toThrow("syntax error");
  expect((await start()).pending).toEqual([{ source: "app", name: "0002_two" }]);
  // A server of the previous release continues while the newer one migrates.
  forget("0002_two");
  expect((await start()).warnings).toHaveLength(1);
  await bench.client.query("delete from service.migration_steps");
  bench.write("down/0001_one", "-- @transaction", "drop table one;", "-- @transaction", "selec 1;");
  await expect(bench.undo()).rejects.toThrow("syntax error");
  expect((await start()).pending).toEqual([{ source: "app", name: "0001_one" }]);
});

test("reads a ledger of the first version, and migrate brings it up to date", async () => {
  await bench.client.query("drop table service.migration_steps");
  await bench.client.query("alter table service.migrations drop column breaking");
  expect(await start()).toEqual({ pending: [], warnings: [] });
  bench.write("0002_two", "-- @breaking", "create table two ();");
  await bench.migrate();
  expect(await bench.rows("select name from service.migrations where breaking")).toEqual([
    { name: "0002_two" },
  ]);
});

describe("a built release", () => {
  const tooOld = {
    message:
      "This release cannot work with the database: a newer one has applied migrations/0002_two.sql, which is marked @breaking",
    hint: "it is in migrations/, and the app was built without it: run npx service generate, and build the app again",
  };

  test("is compared with the ledger, whatever is in migrations/", async () => {
    bench.write("0002_two", "-- @breaking", "create table two ();");
    // A newer release's files are there, and not applied yet.
    expect(await start(["0001_one"])).toEqual({ pending: [], warnings: [] });
    await bench.migrate();
    await expect(start(["0001_one"])).rejects.toMatchObject(tooOld);
    await expect(start([])).rejects.toMatchObject({
      message: expect.stringContaining("cannot work with the database"),
    });
    expect(await start(["0001_one", "0002_two"])).toEqual({ pending: [], warnings: [] });
    // It needs no files.
    forget("0001_one");
    forget("0002_two");
    expect(await start(["0001_one", "0002_two"])).toEqual({ pending: [], warnings: [] });
    await expect(start(["0001_one"])).rejects.toMatchObject({ message: tooOld.message });
  });

  test("warns of other migrations, and waits for its own", async () => {
    bench.write("0002_two", "create table two ();");
    expect((await start(["0001_one", "0002_two"])).pending).toEqual([
      { source: "app", name: "0002_two" },
    ]);
    await bench.migrate();
    expect(await start(["0001_one"])).toEqual({
      pending: [],
      warnings: ["The database is newer than this release: it has migrations/0002_two.sql"],
    });
  });

  test("waits for partly undone migrations, and refuses changed ones", async () => {
    bench.write("down/0001_one", "-- @transaction", "drop table one;", "-- @transaction", "selec;");
    await expect(bench.undo()).rejects.toThrow("syntax error");
    expect((await start(["0001_one"])).pending).toEqual([{ source: "app", name: "0001_one" }]);
    bench.write("0001_one", "create table other ();");
    await expect(start(["0001_one"])).rejects.toThrow("was changed after it was applied");
  });
});

function forget(name: string): void {
  rmSync(join(bench.directory, `${name}.sql`));
}

/** `built` are the names of the release's own migrations; null where its files say them. */
async function start(built: readonly string[] | null = null) {
  const db = openDatabase({ url: bench.url, poolSize: 1, prepare: true });
  const warnings: string[] = [];
  try {
    const release = { directory: bench.directory, built };
    const pending = await pendingInRelease(db, release, (warning) => {
      warnings.push(warning);
    });
    return { pending, warnings };
  } finally {
    await db.close();
  }
}
