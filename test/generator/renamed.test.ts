import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { formatProblem } from "../../runtime/values/problem.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

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
  const messages = problems.map((problem) => formatProblem(problem).split("\n")[0]);
  const changed = migration === null ? null : (recordOf(plan.writes) as object[]).map(brief);
  return { problems: messages, changed, remarks: remarks.filter((line) => line.includes("was:")) };
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

test("a new field with the former name is another one, and the rename is not repeated", async () => {
  await release({ title: null });
  await release({ name: "title" });
  const back = await release({ name: "title", title: null });
  expect(back.problems).toEqual([]);
  expect(renames(back.changed)).toEqual(["addColumn title"]);
  expect(back.remarks).toEqual(["resources/items.yaml:2:30: remove was: the rename is done"]);
  expect(await release({ name: "title", title: null })).toEqual({ ...back, changed: null });
  expect(await release({ name: null, title: null })).toEqual({
    problems: [],
    changed: null,
    remarks: [],
  });
});

test("a former name that still exists is refused while nothing was renamed from it", async () => {
  await release({ title: null });
  expect(await release({ title: null, name: "title" })).toMatchObject({
    problems: ['resources/items.yaml:3:30: "was" is "title", which still exists'],
  });
  expect(await release({ title: "heading", name: "title" })).toMatchObject({
    problems: ['resources/items.yaml:3:30: "was" is "title", which still exists'],
  });
});

test("a renamed field can be renamed back, and again", async () => {
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

test("a circle of three uses one temporary name", async () => {
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

test("reassigned names leave the first one free for a new field", async () => {
  await release({ a: null, b: null });
  const shifted = await release({ b: "a", c: "b" });
  expect(renames(shifted.changed)).toEqual(["renameColumn b to c", "renameColumn a to b"]);
  expect(await release({ b: "a", c: "b" })).toMatchObject({ problems: [], changed: null });
  const added = await release({ a: null, b: "a", c: "b" });
  expect(renames(added.changed)).toEqual(["addColumn a"]);
  expect(added.remarks).toHaveLength(2);
});

test("a `was` that is written again counts as a new rename", async () => {
  await release({ a: null, b: null });
  await release({ a: "b", b: "a" });
  expect(await release({ a: null, b: null })).toMatchObject({ problems: [], changed: null });
  const joined = await release({ b: "a" });
  expect(joined.problems).toEqual([]);
  expect(renames(joined.changed)).toEqual(["dropColumn b", "renameColumn a to b"]);
  expect(await release({ b: "a" })).toEqual({
    problems: [],
    changed: null,
    remarks: expect.any(Array),
  });
});

test("a `was` that is not removed drops the other field, and renames nothing", async () => {
  await release({ a: null, b: null });
  await release({ a: "b", b: "a" });
  expect(renames((await release({ b: "a" })).changed)).toEqual(["dropColumn a"]);
});

test("the same two fields can be swapped again once was is removed", async () => {
  const swap = { a: "b", b: "a" };
  const swapped = [
    "renameColumn b to b__moving",
    "renameColumn a to b",
    "renameColumn b__moving to a",
  ];
  await release({ a: null, b: null });
  for (let time = 0; time < 3; time++) {
    expect(renames((await release(swap)).changed)).toEqual(swapped);
    expect((await generate({ root, name: null })).plan.writes).toEqual([]);
    expect((await release(swap)).changed).toBeNull();
    expect((await release({ a: null, b: null })).changed).toBeNull();
  }
});

test("generated/ that is older than the last rename does not make a rename twice", async () => {
  const manifest = join(root, "generated/manifest.json");
  await release({ a: null, b: null });
  const first = readFileSync(manifest, "utf8");
  await release({ a: "b", b: "a" });
  writeFileSync(manifest, first);
  expect((await release({ a: "b", b: "a" })).changed).toBeNull();
  await release({ a: null, b: null });
  const second = readFileSync(manifest, "utf8");
  await release({ a: "b", b: "a" });
  writeFileSync(manifest, second);
  expect((await release({ a: "b", b: "a" })).changed).toBeNull();
  rmSync(join(root, "generated"), { recursive: true });
  expect((await release({ a: "b", b: "a" })).changed).toBeNull();
});

test("the same two resources can be swapped again once was is removed", async () => {
  const both = async (a: string, b: string) => {
    mkdirSync(join(root, "resources"), { recursive: true });
    writeFileSync(join(root, "resources/apples.yaml"), `${a}fields: { x: { type: string } }\n`);
    writeFileSync(join(root, "resources/pears.yaml"), `${b}fields: { y: { type: string } }\n`);
    const { problems, migration, plan } = await generate({
      root,
      name: null,
      consent: ["apples", "pears"],
    });
    expect(problems).toEqual([]);
    writePlan(root, plan);
    const kinds = (recordOf(plan.writes) as { kind: string }[] | undefined)?.map(
      ({ kind }) => kind,
    );
    return migration === null ? null : (kinds ?? []).filter((kind) => kind === "renameTable");
  };
  await both("", "");
  for (let time = 0; time < 2; time++) {
    expect(await both("was: pears\n", "was: apples\n")).toHaveLength(3);
    expect(await both("was: pears\n", "was: apples\n")).toBeNull();
    await both("", "");
  }
});
