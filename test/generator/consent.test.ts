import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

let root: string;

beforeEach(async () => {
  root = makeAppFolder();
  mkdirSync(join(root, "resources"));
  describe("{ type: string }");
  writePlan(root, (await generate({ root, name: null })).plan);
});
afterEach(() => removeAppFolder(root));

function describe(title: string): void {
  writeFileSync(join(root, "resources/tasks.yaml"), `fields: { title: ${title} }\n`);
}

test.each([
  ["taks.title", 'there is no resource taks; did you mean "tasks"?'],
  ["people", "there is no resource people"],
  ["tasks.titel", 'there is no field titel in tasks; did you mean "title"?'],
  ["tasks.title", "not needed: no destructive change affects it"],
  ["tasks", "not needed: no destructive change affects it"],
])("reports why %s needed no consent", async (target, reason) => {
  const { problems, remarks } = await generate({ root, name: null, consent: [target] });
  expect(problems).toEqual([]);
  expect(remarks).toEqual([`--allow-destructive ${target}: ${reason}`]);
});

test("reports a misspelt target next to the change that it was meant for", async () => {
  describe("{ type: string, required: true }");
  const { problems, remarks } = await generate({ root, name: null, consent: ["tasks.titel"] });
  expect(problems).toEqual([
    {
      file: "resources/tasks.yaml",
      line: 1,
      column: 11,
      message: 'tasks: "title" becomes required, but may be empty in some rows',
      hint: "if that is intended, run: npx service generate --allow-destructive tasks.title",
    },
  ]);
  expect(remarks).toEqual([
    '--allow-destructive tasks.titel: there is no field titel in tasks; did you mean "title"?',
  ]);
});
