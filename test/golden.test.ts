import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { validFixtures } from "../fixtures/folders.js";
import { generate } from "../generator/generate.js";
import { readCurrent } from "../generator/output/current.js";
import { writePlan } from "../generator/output/write.js";
import { columns } from "../generator/text/columns.js";
import { readRecord, recordText } from "../runtime/values/schema/history/record.js";

/** The part of the client that is the same in every app, which the fixtures hold once. */
const runtime = readFileSync(
  join(import.meta.dirname, "../fixtures/apps/shop/generated/client/runtime.ts"),
  "utf8",
);

describe("golden cases", () => {
  test.each(validFixtures)("%s equals the output of a first run", async (path) => {
    const root = await mkdtemp(join(tmpdir(), "service-golden-"));
    try {
      await cp(join(path, "resources"), join(root, "resources"), { recursive: true });
      const { problems, plan } = await generate({ root, name: null });
      expect(problems).toEqual([]);
      writePlan(root, plan);
      expect(committed(root, path)).toEqual(readCurrent(path));
      const made = readFileSync(join(root, "generated/client/runtime.ts"), "utf8");
      expect(made).toBe(runtime);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  test("records of migrations have the keys in the order in which they are parsed again", () => {
    const records = validFixtures
      .flatMap((path) => [...readCurrent(path)])
      .filter(([path]) => /^migrations\/\d.*\.json$/.test(path))
      .map(([, text]) => text);
    expect(records.length).toBeGreaterThan(30);
    const parsed = records.map((text) => recordText(readRecord("", text)?.changes ?? []));
    expect(parsed).toEqual(records);
  });

  test("no line is wider than 100 columns, except for SQL, paths and long names", () => {
    const wide = validFixtures
      .flatMap((path) => [...readCurrent(path)])
      .filter(([path]) => /(?<!queries|accounts)\.ts$/.test(path))
      .flatMap(([, text]) => text.split("\n"))
      .filter(
        (line) => columns(line) > 100 && !/ from "|^[^*]*`|very|^ +name: ".*[( ]/i.test(line),
      );
    expect(wide).toEqual([]);
  });

  test.each(validFixtures)("%s has nothing left to do", async (root) => {
    const { problems, plan, migration } = await generate({ root, name: null });
    const writes = plan.writes.filter(({ path }) => !(isBrief(root) && described.test(path)));
    expect({ problems, plan: { ...plan, writes }, migration }).toEqual({
      problems: [],
      plan: { writes: [], removals: [], edited: [] },
      migration: null,
    });
  });
});

/** Files that all apps have much of in common: a small case's manifest alone says that they changed. */
const described = /^generated\/(?:openapi\.json|client\.ts|live\.ts|client\/.*)$/;

function isBrief(path: string): boolean {
  return dirname(path).endsWith("cases");
}

function committed(root: string, path: string): ReadonlyMap<string, string> {
  const files = [...readCurrent(root)];
  return new Map(files.filter(([name]) => !(isBrief(path) && described.test(name))));
}
