import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EmittedFile } from "../../generator/emit/file.js";
import { readCurrent } from "../../generator/output/current.js";
import { planOutput } from "../../generator/output/plan.js";
import { writePlan } from "../../generator/output/write.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

let root: string;

beforeEach(() => {
  root = makeAppFolder();
  writePlan(root, plan([app, tasks]));
});
afterEach(() => removeAppFolder(root));

const app = { path: "generated/app.ts", text: "app\n" };
const tasks = { path: "generated/tasks/types.ts", text: "tasks\n" };
const manifest = "generated/manifest.json";
const unchanged = { writes: [], removals: [], edited: [] };

test("removes the files that the tool no longer makes, and their folder", () => {
  const next = plan([app]);
  expect(next).toMatchObject({ removals: [tasks.path], edited: [] });
  writePlan(root, next);
  expect(readdirSync(join(root, "generated"))).toEqual(["app.ts", "manifest.json"]);
});

test("leaves files alone that the tool never wrote", () => {
  write("generated/tasks/notes.md", "mine\n");
  expect(plan([app, tasks])).toEqual(unchanged);
  writePlan(root, plan([app]));
  expect(readdirSync(join(root, "generated/tasks"))).toEqual(["notes.md"]);
});

test.each(["<<<<<<< ours", "null", "[]", '{ "generated/app.ts": 1 }'])(
  "removes nothing if the manifest is broken: %s",
  (text) => {
    write(manifest, text);
    const { writes, removals, edited } = plan([app]);
    expect(writes.map(({ path }) => path)).toEqual([manifest]);
    expect({ removals, edited }).toEqual({ removals: [], edited: [] });
  },
);

test("removes nothing outside of generated/, whatever the manifest says", () => {
  write("migrations/0001_a.sql", "");
  write(manifest, JSON.stringify({ "migrations/0001_a.sql": "", "../a": "", [manifest]: "" }));
  expect(plan([app]).removals).toEqual([]);
});

test("reports files as edited if it overwrites or removes them and did not write their contents", () => {
  write(tasks.path, "edited\n");
  write("generated/new.ts", "foreign\n");
  expect(plan([app, { path: "generated/new.ts", text: "new\n" }])).toMatchObject({
    removals: [tasks.path],
    edited: ["generated/new.ts", tasks.path],
  });
});

test("a file that cannot be moved into place leaves nothing behind", () => {
  mkdirSync(join(root, "generated/folder"));
  const file = { path: "generated/folder", text: "" };
  expect(() => writePlan(root, { ...unchanged, writes: [file] })).toThrow("EISDIR");
  expect(readdirSync(join(root, "generated")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("if a write fails halfway, the next run still removes stale files", () => {
  mkdirSync(join(root, "generated/folder"));
  const next = plan([{ path: "generated/folder", text: "" }]);
  expect(() => writePlan(root, next)).toThrow("EISDIR");
  writePlan(root, plan([]));
  expect(existsSync(join(root, app.path))).toBe(false);
  expect(readFileSync(join(root, manifest), "utf8")).toBe("{}\n");
});

function plan(generated: readonly EmittedFile[]) {
  return planOutput({ generated, migrations: [] }, readCurrent(root));
}

function write(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}
