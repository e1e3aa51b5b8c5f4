import { existsSync, readdirSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { generate } from "../generator/generate.js";
import { readCurrent } from "../generator/output/current.js";
import { writePlan } from "../generator/output/write.js";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));

/** Every fixture whose descriptors are sound: what the tool makes of them is committed next to them. */
const cases = [
  ...below("cases").filter((path) => !existsSync(join(path, "problems.txt"))),
  ...below("apps"),
  join(fixtures, "names"),
];

function below(folder: string): string[] {
  return readdirSync(join(fixtures, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(fixtures, folder, name));
}

describe("golden cases", () => {
  test.each(cases)("%s is what the tool makes from nothing", async (path) => {
    const root = await mkdtemp(join(tmpdir(), "service-golden-"));
    try {
      await cp(join(path, "resources"), join(root, "resources"), { recursive: true });
      const { problems, plan } = await generate({ root, name: null });
      expect(problems).toEqual([]);
      writePlan(root, plan);
      expect(readCurrent(root)).toEqual(readCurrent(path));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  test.each(cases)("%s has nothing left to do", async (root) => {
    const { problems, plan, migration } = await generate({ root, name: null });
    expect({ problems, plan, migration }).toEqual({
      problems: [],
      plan: { writes: [], removals: [], edited: [] },
      migration: null,
    });
  });
});
