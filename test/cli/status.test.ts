import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeAppFolder } from "../support/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database.js";
import { service, starterApp } from "./service.js";

let root: string;
let database: TestDatabase;

beforeEach(async () => {
  root = await starterApp();
  database = await emptyDatabase();
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
  await service(root, ["generate"]);
  await service(root, ["migrate"]);
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
});

test("finds nothing in a database that was only migrated", async () => {
  const { exitCode, stdout, stderr } = await status();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^(applied {2}\S.*\n)+The database is up to date$/);
  expect(await statusJson()).toMatchObject({ pending: [], differences: [], unmanaged: [] });
});

test("tells each difference and what is not managed, and still ends with 0", async () => {
  await sql(`
    alter table tasks alter column status set default 'done', drop column due_on;
    drop index tasks__created_at__index;
    create index by_hand on tasks (title);
    create view tasks_seen as select title from tasks;
  `);
  const { exitCode, stdout, stderr } = await status();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout.split("\n").filter((line) => !line.startsWith("applied"))).toEqual([
    "missing  tasks.due_on: date expected",
    "differs  tasks.status: text not null default 'open'::text expected, text not null default 'done'::text found",
    "missing  constraint tasks__due_on__range of tasks: CHECK (((due_on >= '0001-01-01'::date) AND (due_on <= '9999-12-31'::date))) expected",
    "missing  index tasks__created_at__index of tasks: btree (created_at DESC, id DESC) expected",
    "unmanaged  index by_hand on tasks",
    "unmanaged  view tasks_seen",
    "The database is up to date",
  ]);
  const { differences, unmanaged } = await statusJson();
  expect(differences).toContainEqual({
    table: "tasks",
    object: "index",
    name: "tasks__created_at__index",
    problem: "missing",
    expected: "btree (created_at DESC, id DESC)",
    found: null,
  });
  expect(unmanaged).toContainEqual({ table: "tasks", object: "index", name: "by_hand" });
  await sql("drop table tasks cascade");
  expect((await status()).stdout).toContain("missing  table tasks\n");
});

test("does not miss what is still to be applied", async () => {
  appendFileSync(join(root, "resources/tasks.yaml"), "  note: { type: text }\n");
  await service(root, ["generate"]);
  const { exitCode, stdout } = await status();
  expect(exitCode).toBe(1);
  expect(stdout).not.toMatch(/missing|differs|unmanaged/);
  await service(root, ["migrate"]);
  expect(await statusJson()).toMatchObject({ pending: [], differences: [], unmanaged: [] });
  await sql("alter table tasks drop column note");
  expect((await status()).stdout).toContain("missing  tasks.note: text");
});

test("takes what a migration by hand has made for not managed", async () => {
  write("0002_by_hand.sql", "create table extra (id integer);");
  await service(root, ["migrate"]);
  expect((await status()).stdout).toContain("\nunmanaged  table extra\n");
});

test("says why the tables cannot be compared, and answers the rest", async () => {
  write("0002_halves.sql", "-- @transaction\ncreate table half ();\n-- @transaction\nselec;");
  await service(root, ["migrate"]);
  await expectUncompared("a migration is half done");
  rmSync(join(root, "migrations/0002_halves.sql"));
  await sql("drop table half; delete from service.migration_steps");

  rmSync(join(root, "migrations/0001_create_tasks.json"));
  await expectUncompared(
    "migrations/0001_create_tasks.sql: The record of this migration's changes is missing",
  );
});

test("says what a database that is only read does not let it", async () => {
  const name = new URL(database.url).pathname.slice(1);
  await sql(`alter database ${name} set default_transaction_read_only to on`);
  await expectUncompared(
    "PostgreSQL refuses: cannot execute CREATE TABLE in a read-only transaction",
  );
});

async function expectUncompared(why: string): Promise<void> {
  const { stdout, stderr } = await status();
  expect(stderr).toContain(`The tables are not compared with the migrations: ${why}`);
  expect(stdout).toContain("applied  migrations/0001_create_tasks.sql");
  expect(await statusJson()).toMatchObject({ differences: null, unmanaged: null });
}

function status() {
  return service(root, ["migrate", "--status"]);
}

async function statusJson() {
  return JSON.parse((await service(root, ["migrate", "--status", "--json"])).stdout);
}

function write(name: string, text: string): void {
  writeFileSync(join(root, "migrations", name), `${text}\n`);
}

async function sql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
