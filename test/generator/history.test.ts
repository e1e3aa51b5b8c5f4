import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { makeAppFolder, removeAppFolder } from "../support/app-folder.js";

let root: string;

beforeEach(async () => {
  root = makeAppFolder();
  describeResource("tasks");
  await generateInto(root);
});
afterEach(() => removeAppFolder(root));

const sql = "migrations/0001_create_tasks.sql";
const record = "migrations/0001_create_tasks.json";

describe("a migration whose record is missing", () => {
  test("is a problem when its SQL is not what would be written now", async () => {
    write(sql, `${read(sql)}-- mine\n`);
    rmSync(join(root, record));
    expect(await problems()).toEqual([
      problem(sql, "The record of this migration's changes is missing", record),
    ]);
  });

  test("is completed when its SQL is just what would be written now", async () => {
    const text = read(record);
    rmSync(join(root, record));
    const { problems, plan, migration } = await generate({ root, name: "again" });
    expect({ problems, migration }).toEqual({ problems: [], migration: "0001_create_tasks" });
    expect(plan.writes).toEqual([{ path: record, text }]);
  });

  test("is left alone when it was written by hand; the next number is above its own", async () => {
    write("migrations/0007_fill.sql", "select 1;\n");
    expect(await generate({ root, name: null })).toMatchObject({
      problems: [],
      plan: { writes: [] },
    });
    describeResource("notes");
    const { plan, migration } = await generate({ root, name: null });
    expect(migration).toBe("0008_create_notes");
    expect(plan.writes.map(({ path }) => path).filter(isSql)).toEqual([
      "migrations/0008_create_notes.sql",
      "migrations/down/0008_create_notes.sql",
    ]);
  });

  test("keeps its text when the next migration would have had its name", async () => {
    write("migrations/0002_create_notes.sql", "select 1;\n");
    describeResource("notes");
    await generateInto(root);
    expect(read("migrations/0002_create_notes.sql")).toBe("select 1;\n");
    expect(readdirSync(join(root, "migrations"))).toContain("0003_create_notes.sql");
  });
});

test("a record whose SQL is missing is a problem", async () => {
  rmSync(join(root, sql));
  expect(await problems()).toEqual([
    problem(
      sql,
      `This migration is missing, though its record ${record} is there`,
      "version control",
    ),
  ]);
});

test("a table that two merged branches create is a problem that names both", async () => {
  const other = makeAppFolder();
  cpSync(root, other, { recursive: true });
  describeResource("notes");
  await generateInto(root);
  describeResource("notes", other);
  describeResource("labels", other);
  await generateInto(other);
  cpSync(join(other, "migrations"), join(root, "migrations"), { recursive: true });
  removeAppFolder(other);
  expect(await problems()).toEqual([
    problem(
      "migrations/0002_create_notes.json",
      'This migration creates the table "notes", which migrations/0002_create_labels_and_1_more.json creates already',
      "delete migrations/0002_create_notes.sql, migrations/0002_create_notes.json and migrations/down/0002_create_notes.sql",
    ),
  ]);
});

const title = { column: "title", order: "asc" };
const sku = {
  name: "sku",
  field: "sku",
  kind: "string",
  type: "text",
  required: false,
  default: null,
  check: null,
  link: null,
};
const renameTitle = {
  kind: "renameColumn",
  table: "tasks",
  column: "title",
  to: { name: "name", field: "name" },
};
const dropTitle = { kind: "dropColumn", table: "tasks", column: "title" };
const addSku = { kind: "addColumn", table: "tasks", column: sku };
const setDefault = (to: string) => ({
  kind: "setDefault",
  table: "tasks",
  column: "title",
  from: null,
  to,
});
const countTitle = { kind: "setTally", table: "tasks", to: [{ column: "title", value: "a" }] };

test.each([
  ["the same column twice", addSku, addSku, 'adds the column "sku" to "tasks", which', "adds"],
  ["a renamed column", renameTitle, dropTitle, 'changes the column "title" of "tasks"', "renames"],
  ["a dropped column", dropTitle, renameTitle, 'changes the column "title" of "tasks"', "drops"],
  ["the values of one", dropTitle, countTitle, 'changes the column "title" of "tasks"', "drops"],
  [
    "a dropped table",
    { kind: "dropTable", table: "tasks" },
    addSku,
    'changes the table "tasks"',
    "drops",
  ],
  [
    "a renamed table",
    { kind: "renameTable", table: "tasks", to: { name: "jobs", resource: "jobs" } },
    addSku,
    'changes the table "tasks"',
    "renames",
  ],
  [
    "the default of one column",
    setDefault("'a'"),
    setDefault("'b'"),
    'changes the column "title" of "tasks" (default)',
    "changes",
  ],
])("two branches that change %s contradict each other", async (_, ours, theirs, what, verb) => {
  writeMigration("0002_ours", [ours]);
  writeMigration("0002_theirs", [theirs]);
  const [found, ...others] = await problems();
  expect(others).toEqual([]);
  expect(found).toMatchObject({ file: "migrations/0002_theirs.json" });
  expect(found?.message).toContain(what);
  expect(found?.message).toContain(`which migrations/0002_ours.json ${verb} already`);
});

test("an index that two branches create is a problem", async () => {
  const index = { unique: true, keys: [title] };
  writeMigration("0002_ours", [{ kind: "createIndex", table: "tasks", index }]);
  writeMigration("0002_theirs", [{ kind: "createIndex", table: "tasks", index }]);
  expect(await problems()).toEqual([
    problem(
      "migrations/0002_theirs.json",
      'This migration creates the index of "tasks" on (title), which is there already',
      "keep one of the two",
    ),
  ]);
});

test("branches that change different things both count", async () => {
  writeMigration("0002_ours", [addSku]);
  writeMigration("0002_theirs", [
    { kind: "setDefault", table: "tasks", column: "title", from: null, to: "'a'" },
  ]);
  const { problems, migration } = await generate({ root, name: null, consent: ["tasks"] });
  expect({ problems, migration }).toEqual({ problems: [], migration: "0003_change_tasks" });
});

test.each([
  ["a record", "migrations/0001_create_tasks.json"],
  ["SQL", "migrations/0001_create_tasks.sql"],
  ["the way back", "migrations/down/0001_create_tasks.sql"],
])("marks of a merge conflict in %s are a problem with their line", async (_, path) => {
  write(path, `one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> theirs\n`);
  expect(await problems()).toContainEqual({
    ...problem(path, "This file has the marks of a merge conflict", "one of the two sides"),
    line: 2,
  });
});

test("marks in the snapshot, or edits, are mended from the records", async () => {
  const snapshot = read("migrations/schema.json");
  write("migrations/schema.json", `<<<<<<< HEAD\n${snapshot}`);
  const { problems, plan, remarks } = await generate({ root, name: null });
  expect({ problems, writes: plan.writes }).toEqual({
    problems: [],
    writes: [{ path: "migrations/schema.json", text: snapshot }],
  });
  expect(remarks).toEqual([
    "migrations/schema.json was not what the migrations lead to, and is made anew",
  ]);
});

test("an index of a table that no migration creates is a problem", async () => {
  const index = { unique: false, keys: [{ column: "title", order: "asc" }] };
  write("migrations/0002_index.sql", "");
  writeRecord({ changes: [{ kind: "createIndex", table: "nowhere", index }] });
  expect(await problems()).toEqual([
    problem(
      "migrations/0002_index.json",
      'This migration changes the table "nowhere", which no migration before it creates',
      "version control",
    ),
  ]);
});

test.each([
  ["null", null],
  ["a list", []],
  ["changes that are no list", { changes: 1 }],
  ["no change", { changes: [null] }],
  ["an unknown change", { changes: [{ kind: "explode" }] }],
  ["half a table", { changes: [{ kind: "createTable", table: { name: "notes" } }] }],
  ["no table", { changes: [{ kind: "createTable", table: null }] }],
  ["an unknown word", { changes: [], more: true }],
])("a record that holds %s is a problem", async (_, value) => {
  write("migrations/0002_index.sql", "");
  writeRecord(value);
  expect(await problems()).toEqual([
    problem(
      "migrations/0002_index.json",
      "This is not the record of a migration's changes",
      "version control",
    ),
  ]);
});

async function generateInto(folder: string): Promise<void> {
  const { problems, plan } = await generate({ root: folder, name: null });
  expect(problems).toEqual([]);
  writePlan(folder, plan);
}

async function problems() {
  const { problems, plan, migration } = await generate({ root, name: null });
  expect({ plan, migration }).toEqual({
    plan: { writes: [], removals: [], edited: [] },
    migration: null,
  });
  return problems;
}

function problem(file: string, message: string, hint: string) {
  return { file, line: 1, column: 1, message, hint: expect.stringContaining(hint) };
}

function describeResource(name: string, folder = root): void {
  mkdirSync(join(folder, "resources"), { recursive: true });
  writeFileSync(join(folder, `resources/${name}.yaml`), "fields:\n  title: { type: string }\n");
}

function writeRecord(value: unknown): void {
  write("migrations/0002_index.json", JSON.stringify(value));
}

function writeMigration(name: string, changes: readonly object[]): void {
  write(`migrations/${name}.sql`, "");
  write(`migrations/${name}.json`, JSON.stringify({ changes }));
}

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function isSql(path: string): boolean {
  return path.endsWith(".sql");
}
