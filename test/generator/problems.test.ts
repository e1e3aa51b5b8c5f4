import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { formatProblem } from "../../runtime/values/problem.js";

const cases = join(import.meta.dirname, "../../fixtures/cases");
const refused = readdirSync(cases).filter((name) => existsSync(join(cases, name, "problems.txt")));

test.each(refused)("reports every mistake of fixtures/cases/%s", async (name) => {
  const folder = join(cases, name);
  const { model, problems } = resolveModel(readDescriptors(findDescriptors(folder)), []);
  const text = problems.map((problem) => `${formatProblem(problem)}\n`).join("");
  expect(text).toBe(await readFile(join(folder, "problems.txt"), "utf8"));
  expect(model).toBeNull();
});
