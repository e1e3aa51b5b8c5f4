import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import {
  describeResource,
  generateInto,
  makeTasksApp,
  problem,
  problemsOf,
  read,
  write,
  writeRecord,
} from "../support/apps/tasks-app.js";

let root: string;

beforeEach(async () => {
  root = await makeTasksApp();
});
afterEach(() => removeAppFolder(root));

const sql = "migrations/0001_create_tasks.sql";
const record = "migrations/0001_create_tasks.json";

describe("a migration whose record is missing", () => {
  test("is a problem if its SQL differs from what would be written now", async () => {
    write(root, sql, `${read(root, sql)}-- mine\n`);
    rmSync(join(root, record));
    expect(await problemsOf(root)).toEqual([
      problem(sql, "The record of this migration's changes is missing", record),
    ]);
  });

  test("is completed if its SQL is exactly what would be written now", async () => {
    const text = read(root, record);
    rmSync(join(root, record));
    const { problems, plan, migration } = await generate({ root, name: "again" });
    expect({ problems, migration }).toEqual({ problems: [], migration: "0001_create_tasks" });
    expect(plan.writes).toEqual([{ path: record, text }]);
  });

  test("is left alone if it is handwritten; the next number is above its own", async () => {
    write(root, "migrations/0007_fill.sql", "select 1;\n");
    const { problems, plan: added } = await generate({ root, name: null });
    expect(problems).toEqual([]);
    // What a start compares with the ledger names it as well.
    expect(added.writes.map(({ path }) => path)).toEqual([
      "generated/migrations.json",
      "generated/manifest.json",
    ]);
    describeResource(root, "notes");
    const { plan, migration } = await generate({ root, name: null });
    expect(migration).toBe("0008_create_notes");
    expect(plan.writes.map(({ path }) => path).filter(isSql)).toEqual([
      "migrations/0008_create_notes.sql",
      "migrations/down/0008_create_notes.sql",
    ]);
  });

  test("keeps its text if the next migration would have had its name", async () => {
    write(root, "migrations/0002_create_notes.sql", "select 1;\n");
    describeResource(root, "notes");
    await generateInto(root);
    expect(read(root, "migrations/0002_create_notes.sql")).toBe("select 1;\n");
    expect(readdirSync(join(root, "migrations"))).toContain("0003_create_notes.sql");
  });
});

test("a record whose SQL is missing is a problem", async () => {
  rmSync(join(root, sql));
  expect(await problemsOf(root)).toEqual([
    problem(sql, `This migration is missing, but its record ${record} exists`, "version control"),
  ]);
});

test.each([
  ["a record", "migrations/0001_create_tasks.json"],
  ["SQL", "migrations/0001_create_tasks.sql"],
  ["the way back", "migrations/down/0001_create_tasks.sql"],
])("merge conflict markers in %s are a problem with their line", async (_, path) => {
  write(root, path, `one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> theirs\n`);
  expect(await problemsOf(root)).toContainEqual({
    ...problem(
      path,
      "this file has merge conflict markers",
      "both sides and delete the marker lines",
    ),
    line: 2,
  });
});

test("conflict markers in the snapshot, or edits, are corrected from the records", async () => {
  const snapshot = read(root, "migrations/schema.json");
  write(root, "migrations/schema.json", `<<<<<<< HEAD\n${snapshot}`);
  const { problems, plan, remarks } = await generate({ root, name: null });
  expect({ problems, writes: plan.writes }).toEqual({
    problems: [],
    writes: [{ path: "migrations/schema.json", text: snapshot }],
  });
  expect(remarks).toEqual([
    "migrations/schema.json did not match the migrations, and was rewritten",
  ]);
});

test.each([
  ["null", null],
  ["a list", []],
  ["changes that are not a list", { changes: 1 }],
  ["no change", { changes: [null] }],
  ["an unknown change", { changes: [{ kind: "explode" }] }],
  ["half a table", { changes: [{ kind: "createTable", table: { name: "notes" } }] }],
  ["no table", { changes: [{ kind: "createTable", table: null }] }],
  ["an unknown word", { changes: [], more: true }],
])("a record that holds %s is a problem", async (_, value) => {
  writeRecord(root, "0002_index", value);
  expect(await problemsOf(root)).toEqual([
    problem(
      "migrations/0002_index.json",
      "This is not the record of a migration's changes",
      "version control",
    ),
  ]);
});

function isSql(path: string): boolean {
  return path.endsWith(".sql");
}
