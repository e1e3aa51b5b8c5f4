import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { validFixtures } from "../fixtures/folders.js";
import { generate } from "../generator/generate.js";
import { readCurrent } from "../generator/output/current.js";
import { writePlan } from "../generator/output/write.js";

describe("golden cases", () => {
  test.each(validFixtures)("%s is what the tool makes from nothing", async (path) => {
    const root = await mkdtemp(join(tmpdir(), "service-golden-"));
    try {
      await cp(join(path, "resources"), join(root, "resources"), { recursive: true });
      const { problems, plan } = await generate({ root, name: null });
      expect(problems).toEqual([]);
      writePlan(root, plan);
      expect(committed(root, path)).toEqual(readCurrent(path));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  test.each(validFixtures)("%s has nothing left to do", async (root) => {
    const { problems, plan, migration } = await generate({ root, name: null });
    const writes = plan.writes.filter(({ path }) => !(isBrief(root) && described.has(path)));
    expect({ problems, plan: { ...plan, writes }, migration }).toEqual({
      problems: [],
      plan: { writes: [], removals: [], edited: [] },
      migration: null,
    });
  });
});

/** Files that all apps have much of in common: a small case's manifest alone says that they changed. */
const described = new Set(["generated/openapi.json", "generated/client.ts", "generated/live.ts"]);

function isBrief(path: string): boolean {
  return dirname(path).endsWith("cases");
}

function committed(root: string, path: string): ReadonlyMap<string, string> {
  const files = [...readCurrent(root)];
  return new Map(files.filter(([name]) => !(isBrief(path) && described.has(name))));
}
