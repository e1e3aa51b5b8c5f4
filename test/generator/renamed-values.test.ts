import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { formatProblem } from "../../runtime/values/problem.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

let root: string;
beforeEach(() => {
  root = makeAppFolder();
});
afterEach(() => removeAppFolder(root));

/** Generates from `resources/items.yaml` with that field, and what was renamed by its migration. */
async function release(field: string) {
  mkdirSync(join(root, "resources"), { recursive: true });
  writeFileSync(join(root, "resources/items.yaml"), `fields:\n  ${field}\n`);
  const generated = await generate({ root, name: null, consent: ["items"] });
  const { problems, plan } = generated;
  const remarks = generated.remarks.filter((line) => !line.startsWith("--allow-destructive"));
  if (problems.length === 0) writePlan(root, plan);
  const record = plan.writes.find(({ path }) => /^migrations\/\d+_.*\.json$/.test(path));
  const changes: Record<string, string>[] = JSON.parse(record?.text ?? "{}").changes ?? [];
  return {
    problems: problems.map(formatProblem),
    remarks,
    renamed: changes.flatMap(({ kind, column, value, to }) =>
      kind === "renameValue" ? [`${column}: ${value} → ${to}`] : [],
    ),
  };
}

const done = (column: number) => [
  `resources/items.yaml:2:${column}: remove renamed: the rename is done`,
];

test("a value is renamed once, and then a remark says to remove `renamed`", async () => {
  await release("tier: { type: enum, values: [gold, tin] }");
  const now = "tier: { type: enum, values: [platinum, tin], renamed: { gold: platinum } }";
  expect(await release(now)).toEqual({
    problems: [],
    remarks: [],
    renamed: ["tier: gold → platinum"],
  });
  expect(await release(now)).toEqual({ problems: [], remarks: done(59), renamed: [] });
  const plain = "tier: { type: enum, values: [platinum, tin] }";
  expect(await release(plain)).toEqual({ problems: [], remarks: [], renamed: [] });
});

test("a value that is added again is another one, and may be renamed again", async () => {
  await release("tier: { type: enum, values: [gold] }");
  await release("tier: { type: enum, values: [platinum], renamed: { gold: platinum } }");
  const both = "tier: { type: enum, values: [platinum, gold], renamed: { gold: platinum } }";
  expect((await release(both)).problems).toEqual([
    [
      'resources/items.yaml:2:66: "gold" is renamed, but is still among the "values"',
      "  hint: remove it from one of the two",
    ].join("\n"),
  ]);
  expect(await release("tier: { type: enum, values: [platinum, gold] }")).toMatchObject({
    problems: [],
  });
  expect(
    await release("tier: { type: enum, values: [platinum, red], renamed: { gold: red } }"),
  ).toMatchObject({ problems: [], renamed: ["tier: gold → red"] });
});

test("a value that never existed is reported, with the nearest one", async () => {
  await release("tier: { type: enum, values: [gold, tin] }");
  expect(
    (await release("tier: { type: enum, values: [platinum, tin], renamed: { glod: platinum } }"))
      .problems,
  ).toEqual([
    [
      'resources/items.yaml:2:59: "glod" is renamed, but was not among the field\'s values',
      '  hint: did you mean "gold"?',
    ].join("\n"),
  ]);
});

test("a finished rename is reported by every later run", async () => {
  await release("tier: { type: enum, values: [gold, tin] }");
  const now = "tier: { type: enum, values: [platinum, tin], renamed: { gold: platinum } }";
  await release(now);
  for (let run = 0; run < 3; run += 1) expect((await release(now)).remarks).toEqual(done(59));
  const more = "tier: { type: enum, values: [platinum, tin, lead], renamed: { gold: platinum } }";
  for (let run = 0; run < 2; run += 1) expect((await release(more)).remarks).toEqual(done(65));
});

describe("names that are reassigned", () => {
  const plain = "state: { type: enum, values: [draft, live] }";
  const chain =
    "state: { type: enum, values: [live, published], renamed: { draft: live, live: published } }";
  const swap =
    "state: { type: enum, values: [draft, live], renamed: { draft: live, live: draft } }";
  const both = (one: number, two: number) => [...done(one), ...done(two)];

  test("in a chain are freed first, once", async () => {
    await release(plain);
    expect(await release(chain)).toEqual({
      problems: [],
      remarks: [],
      renamed: ["state: live → published", "state: draft → live"],
    });
    for (let run = 0; run < 2; run += 1) {
      expect(await release(chain)).toEqual({ problems: [], remarks: both(62, 75), renamed: [] });
    }
  });

  test("in a circle use a temporary one, once", async () => {
    await release(plain);
    const renamed = ["state: draft → moving 1", "state: live → draft", "state: moving 1 → live"];
    expect(await release(swap)).toEqual({ problems: [], remarks: [], renamed });
    for (let run = 0; run < 2; run += 1) {
      expect(await release(swap)).toEqual({ problems: [], remarks: both(58, 71), renamed: [] });
    }
    // Removed and written again, it is another rename, as `was` is.
    expect(await release(plain)).toEqual({ problems: [], remarks: [], renamed: [] });
    expect(await release(swap)).toEqual({ problems: [], remarks: [], renamed });
  });

  test("keep their place beside a renamed field", async () => {
    await release(plain);
    const moved = swap.replace("state: {", "status: { was: state,");
    expect((await release(moved)).renamed).toEqual([
      "status: draft → moving 1",
      "status: live → draft",
      "status: moving 1 → live",
    ]);
    expect((await release(moved)).renamed).toEqual([]);
  });

  test("to themselves are refused", async () => {
    await release(plain);
    const own = "state: { type: enum, values: [draft, live], renamed: { draft: draft } }";
    expect((await release(own)).problems).toEqual([
      [
        'resources/items.yaml:2:65: "draft" is renamed, but is still among the "values"',
        "  hint: remove it from one of the two",
      ].join("\n"),
    ]);
  });
});

test("a new field has nothing to rename", async () => {
  const field = "grade: { type: enum, values: [a], renamed: { b: a } }";
  const nothing = { problems: [], remarks: done(48), renamed: [] };
  expect(await release(field)).toEqual(nothing);
  expect(await release(field)).toEqual(nothing);
});

test("a field and its values are renamed at once", async () => {
  await release("tier: { type: enum, values: [gold] }");
  expect(
    await release("grade: { type: enum, values: [a], was: tier, renamed: { gold: a } }"),
  ).toMatchObject({ problems: [], renamed: ["grade: gold → a"] });
});
