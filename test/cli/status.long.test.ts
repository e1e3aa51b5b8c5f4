import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import type { TestDatabase } from "../support/database/database.js";
import { migratedApp, service } from "./service.js";

let root: string;
let database: TestDatabase;

beforeEach(async () => {
  ({ root, database } = await migratedApp());
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

test("reports each difference and every unmanaged object, and still exits with 0", async () => {
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

test("does not report pending objects as missing", async () => {
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

test("reports objects of a handwritten migration as unmanaged", async () => {
  write("0002_by_hand", "create table extra (id integer);");
  await service(root, ["migrate"]);
  expect((await status()).stdout).toContain("\nunmanaged  table extra\n");
});

test("reports why the tables cannot be compared, and prints the rest", async () => {
  write("0002_halves", "-- @transaction\ncreate table half ();\n-- @transaction\nselec;");
  await service(root, ["migrate"]);
  await expectUncompared("a migration is partly done");
  rmSync(join(root, "migrations/0002_halves.sql"));
  await sql("drop table half; delete from service.migration_steps");

  rmSync(join(root, "migrations/0001_create_tasks.json"));
  await expectUncompared(
    "migrations/0001_create_tasks.sql: The record of this migration's changes is missing",
  );
});

test("shows the status beside a changed file and a lost one, and exits with 1", async () => {
  write("0002_by_hand", "create table extra (id integer);");
  write("0003_more", "create table more (id integer);");
  await service(root, ["migrate"]);
  write("0002_by_hand", "create table extra (id bigint);");
  rmSync(join(root, "migrations/0003_more.sql"));
  write("0004_next", "create table next (id integer);");
  const { exitCode, stdout, stderr } = await status();
  expect(exitCode).toBe(1);
  expect(stdout.split("\n").filter((line) => !line.endsWith("(of the package)"))).toEqual([
    "applied  migrations/0001_create_tasks.sql",
    "applied  migrations/0002_by_hand.sql, and its file has changed since",
    "applied  migrations/0003_more.sql, and its file is missing",
    "pending  migrations/0004_next.sql",
    "unmanaged  table extra",
    "unmanaged  table more",
  ]);
  expect(stderr).toContain("migrations/0002_by_hand.sql was changed after it was applied");
  expect(stderr).toContain(`run: npx service -C ${root} migrate --forget 0003_more`);
  expect(await statusJson()).toMatchObject({
    pending: [{ source: "app", name: "0004_next" }],
    changed: [{ source: "app", name: "0002_by_hand" }],
    lost: [{ source: "app", name: "0003_more" }],
    problems: [],
    differences: [],
  });
});

test("shows the status beside a file with merge conflict markers", async () => {
  const path = join(root, "migrations/0001_create_tasks.sql");
  appendFileSync(path, "<<<<<<< ours\n=======\n>>>>>>> theirs\n");
  const { exitCode, stdout, stderr } = await status();
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    "applied  migrations/0001_create_tasks.sql, and its file has changed since",
  );
  expect(stderr).toMatch(
    /migrations\/0001_create_tasks\.sql:\d+:1: this file has .*merge conflict/i,
  );
});

test("--forget removes a lost migration from the list, and changes nothing else", async () => {
  write("0002_by_hand", "create table extra (id integer);");
  await service(root, ["migrate"]);
  const there = await service(root, ["migrate", "--forget", "0002"]);
  expect(there.exitCode).toBe(1);
  expect(there.stderr).toContain("migrations/0002_by_hand.sql exists");
  rmSync(join(root, "migrations/0002_by_hand.sql"));
  const refused = await service(root, ["migrate"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(`npx service -C ${root} migrate --forget 0002_by_hand`);
  const forgotten = await service(root, ["migrate", "--forget", "0002"]);
  expect(forgotten.exitCode).toBe(0);
  expect(forgotten.stdout).toMatch(
    /^forgotten {2}migrations\/0002_by_hand\.sql\nOnly the database's/,
  );
  expect(forgotten.stdout).toContain("Before the next generate or migrate,\nremove it from");
  const help = await service(root, ["migrate", "--help"]);
  expect(help.stdout.replaceAll(/\s+/g, " ")).toContain("whose file is missing; does not ask;");
  expect((await service(root, ["migrate"])).exitCode).toBe(0);
  expect((await status()).stdout).toContain("unmanaged  table extra");
  const again = await service(root, ["migrate", "--forget", "0002", "--json"]);
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain("No migration 0002 of the app is applied to this database");
});

test("--forget removes a lost migration that was only begun", async () => {
  write("0002_halves", "-- @transaction\ncreate table half ();\n-- @transaction\nselec;");
  await service(root, ["migrate"]);
  rmSync(join(root, "migrations/0002_halves.sql"));
  expect((await service(root, ["migrate"])).exitCode).toBe(1);
  const { exitCode, stdout } = await service(root, ["migrate", "--forget", "2", "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ forgotten: { source: "app", name: "0002_halves" } });
  expect((await status()).exitCode).toBe(0);
});

test("reports why a read-only database cannot be migrated", async () => {
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
  writeFileSync(join(root, "migrations", `${name}.sql`), `${text}\n`);
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
