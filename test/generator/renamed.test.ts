import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { formatProblem } from "../../generator/problem.js";
import { makeAppFolder, removeAppFolder } from "../support/app-folder.js";

let root: string;
beforeEach(() => {
  root = makeAppFolder();
});
afterEach(() => removeAppFolder(root));

/** Generates from `resources/items.yaml` with these fields; the first line of each problem. */
async function release(fields: Readonly<Record<string, string | null>>) {
  const lines = Object.entries(fields).map(
    ([name, was]) => `  ${name}: { type: string${was === null ? "" : `, was: ${was}`} }`,
  );
  mkdirSync(join(root, "resources"), { recursive: true });
  writeFileSync(join(root, "resources/items.yaml"), `fields:\n${lines.join("\n")}\n`);
  const { problems, migration, remarks, plan } = await generate({
    root,
    name: null,
    consent: ["items"],
  });
  if (problems.length === 0) writePlan(root, plan);
  const told = problems.map((problem) => formatProblem(problem).split("\n")[0]);
  const changed = migration === null ? null : (recordOf(plan.writes) as object[]).map(brief);
  return { problems: told, changed, remarks: remarks.filter((line) => line.includes("was:")) };
}

function recordOf(writes: readonly { path: string; text: string }[]): unknown {
  const record = writes.find(({ path }) => /^migrations\/\d+_.*\.json$/.test(path));
  return JSON.parse(record?.text ?? "{}").changes;
}

function brief(change: object): string {
  const { kind, column, to } = change as { kind: string; column?: unknown; to?: { name: string } };
  const what = typeof column === "string" ? column : ((column as { name?: string })?.name ?? "");
  return `${kind} ${what}${kind === "renameColumn" ? ` to ${to?.name}` : ""}`.trim();
}

const renames = (changed: readonly string[] | null) =>
  changed?.filter((change) => /^(rename|drop|add)Column/.test(change)) ?? null;

test("a field of the former name that comes back is another one, and the rename is not repeated", async () => {
  await release({ title: null });
  await release({ name: "title" });
  const back = await release({ name: "title", title: null });
  expect(back.problems).toEqual([]);
  expect(renames(back.changed)).toEqual(["addColumn title"]);
  expect(back.remarks).toEqual(["resources/items.yaml:2:30: remove was: it has done its work"]);
  expect(await release({ name: "title", title: null })).toEqual({ ...back, changed: null });
  expect(await release({ name: null, title: null })).toEqual({
    problems: [],
    changed: null,
    remarks: [],
  });
});

test("a former name that is still there is refused while nothing was renamed from it", async () => {
  await release({ title: null });
  expect(await release({ title: null, name: "title" })).toMatchObject({
    problems: ['resources/items.yaml:3:30: "was" is "title", which is still there'],
  });
  expect(await release({ title: "heading", name: "title" })).toMatchObject({
    problems: ['resources/items.yaml:3:30: "was" is "title", which is still there'],
  });
});

test("what was renamed once can be renamed back, and again", async () => {
  await release({ title: null });
  expect(renames((await release({ name: "title" })).changed)).toEqual([
    "renameColumn title to name",
  ]);
  expect(renames((await release({ title: "name" })).changed)).toEqual([
    "renameColumn name to title",
  ]);
  expect(renames((await release({ name: "title" })).changed)).toEqual([
    "renameColumn title to name",
  ]);
  expect(await release({ name: "title" })).toEqual({ problems: [], changed: null, remarks: [] });
});

test("a circle of three goes by one name of nobody's", async () => {
  await release({ a: null, b: null, c: null });
  const turned = await release({ a: "c", b: "a", c: "b" });
  expect(renames(turned.changed)).toEqual([
    "renameColumn c to c__moving",
    "renameColumn b to c",
    "renameColumn a to b",
    "renameColumn c__moving to a",
  ]);
  expect((await release({ a: "c", b: "a", c: "b" })).changed).toBeNull();
});

test("names that are passed on leave the first one free for a new field", async () => {
  await release({ a: null, b: null });
  const shifted = await release({ b: "a", c: "b" });
  expect(renames(shifted.changed)).toEqual(["renameColumn b to c", "renameColumn a to b"]);
  expect(await release({ b: "a", c: "b" })).toMatchObject({ problems: [], changed: null });
  const added = await release({ a: null, b: "a", c: "b" });
  expect(renames(added.changed)).toEqual(["addColumn a"]);
  expect(added.remarks).toHaveLength(2);
});
