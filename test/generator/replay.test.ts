import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import {
  describeResource,
  generateInto,
  makeTasksApp,
  problem,
  problemsOf,
  writeMigration,
} from "../support/apps/tasks-app.js";

let root: string;

beforeEach(async () => {
  root = await makeTasksApp();
});
afterEach(() => removeAppFolder(root));

test("a table that two merged branches create is a problem that names both", async () => {
  const other = makeAppFolder();
  cpSync(root, other, { recursive: true });
  describeResource(root, "notes");
  await generateInto(root);
  describeResource(other, "notes");
  describeResource(other, "labels");
  await generateInto(other);
  cpSync(join(other, "migrations"), join(root, "migrations"), { recursive: true });
  removeAppFolder(other);
  expect(await problemsOf(root)).toEqual([
    problem(
      "migrations/0002_create_notes.json",
      'This migration creates the table "notes", which migrations/0002_create_labels_and_1_more.json already creates',
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
  writeMigration(root, "0002_ours", [ours]);
  writeMigration(root, "0002_theirs", [theirs]);
  const [found, ...others] = await problemsOf(root);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ file: "migrations/0002_theirs.json" });
  expect(found?.message).toContain(what);
  expect(found?.message).toContain(`which migrations/0002_ours.json already ${verb}`);
});

test("an index that two branches create is a problem", async () => {
  const index = { unique: true, keys: [title] };
  writeMigration(root, "0002_ours", [{ kind: "createIndex", table: "tasks", index }]);
  writeMigration(root, "0002_theirs", [{ kind: "createIndex", table: "tasks", index }]);
  expect(await problemsOf(root)).toEqual([
    problem(
      "migrations/0002_theirs.json",
      'This migration creates the index of "tasks" on (title), which already exists',
      "keep one of the two",
    ),
  ]);
});

test("an index that two branches drop is a problem", async () => {
  const index = { unique: true, keys: [title] };
  writeMigration(root, "0002_made", [{ kind: "createIndex", table: "tasks", index }]);
  writeMigration(root, "0003_ours", [{ kind: "dropIndex", table: "tasks", index }]);
  writeMigration(root, "0003_theirs", [{ kind: "dropIndex", table: "tasks", index }]);
  expect(await problemsOf(root)).toEqual([
    problem(
      "migrations/0003_theirs.json",
      'This migration drops the index of "tasks" on (title), which does not exist',
      "keep one of the two",
    ),
  ]);
});

test("branches that change different things are both applied", async () => {
  writeMigration(root, "0002_ours", [addSku]);
  writeMigration(root, "0002_theirs", [
    { kind: "setDefault", table: "tasks", column: "title", from: null, to: "'a'" },
  ]);
  const { problems, migration } = await generate({ root, name: null, consent: ["tasks"] });
  expect({ problems, migration }).toEqual({ problems: [], migration: "0003_change_tasks" });
});

test("an index of a table that no migration creates is a problem", async () => {
  const index = { unique: false, keys: [{ column: "title", order: "asc" }] };
  writeMigration(root, "0002_index", [{ kind: "createIndex", table: "nowhere", index }]);
  expect(await problemsOf(root)).toEqual([
    problem(
      "migrations/0002_index.json",
      'This migration changes the table "nowhere", which no earlier migration creates',
      "version control",
    ),
  ]);
});
