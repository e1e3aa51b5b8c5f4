import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isNode, isScalar, parseDocument, visit } from "yaml";
import { fixturesWithProblems } from "../../fixtures/folders.js";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { formatProblem, type Problem } from "../../runtime/values/problem.js";

test.each(fixturesWithProblems)("reports every mistake of %s", async (folder) => {
  const { model, problems } = resolveModel(readDescriptors(findDescriptors(folder)), []);
  const text = problems.map((problem) => `${formatProblem(problem)}\n`).join("");
  expect(text).toBe(await readFile(join(folder, "problems.txt"), "utf8"));
  expect(model).toBeNull();
});

/** Mistakes of a whole file, of its name or of its notation: there is no key to name. */
const ofNotation =
  /not valid (?:YAML|JSON)|tags|alias|merge conflict|UTF-8|single document|a descriptor must be a map|descriptor is empty|too deeply|plain word|resource's name|resource cannot have|table (?:name .* )?of this resource|resource ".*" is already/;

/** The key whose value, or which itself, is at a place of a descriptor; null where there is none. */
function keyAt(text: string, { line, column }: Problem): string | null {
  const before = text.split("\n").slice(0, line - 1);
  const place = before.join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  let found: string | null = null;
  visit(parseDocument(text, { uniqueKeys: false }), {
    Pair(_, { key, value }) {
      if (!isScalar(key)) return;
      const end = (isNode(value) ? value : key).range?.[1] ?? -1;
      if (place >= (key.range?.[0] ?? Number.POSITIVE_INFINITY) && place <= end)
        found = String(key.value);
    },
  });
  return found;
}

test.each(fixturesWithProblems)("names the key to change in %s", (folder) => {
  const { problems } = resolveModel(readDescriptors(findDescriptors(folder)), []);
  const unnamed = problems.filter((problem) => {
    const { file, message } = problem;
    if (ofNotation.test(message)) return false;
    const key = keyAt(readFileSync(join(folder, file), "utf8"), problem) ?? '"singular"';
    return !message.includes(key) && !/ needs "\w+"$/.test(message);
  });
  expect(unnamed.map(formatProblem)).toEqual([]);
});
