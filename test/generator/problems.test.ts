import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixturesWithProblems } from "../../fixtures/folders.js";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { formatProblem } from "../../runtime/values/problem.js";

test.each(fixturesWithProblems)("reports every mistake of %s", async (folder) => {
  const { model, problems } = resolveModel(readDescriptors(findDescriptors(folder)), []);
  const text = problems.map((problem) => `${formatProblem(problem)}\n`).join("");
  expect(text).toBe(await readFile(join(folder, "problems.txt"), "utf8"));
  expect(model).toBeNull();
});
