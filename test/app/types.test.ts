import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { validFixtures } from "../../fixtures/folders.js";
import { localTools } from "../support/processes/tools.js";

const repository = resolve(import.meta.dirname, "../..");

test.each(["apps/shop", "apps/northwind", "apps/stock", "apps/outbox", "names", "cases"])(
  "the strict compiler has no word to say of fixtures/%s",
  async (name) => {
    expect(await compile(`fixtures/${name}`)).toEqual([0, "", ""]);
  },
);

// Each alone: an app says what `response.locals` of all own routes holds.
test("nor of what puts the resources of each case together", async () => {
  const folder = mkdtempSync(join(tmpdir(), "types-"));
  const cases = validFixtures.filter((path) => path.includes("/cases/"));
  expect(cases.length).toBeGreaterThan(10);
  try {
    for (const path of cases) {
      const config = {
        extends: join(repository, "fixtures/names/tsconfig.json"),
        compilerOptions: { noEmit: true, rootDir: repository, typeRoots: [typeRoots] },
        include: [join(path, "generated/app.ts")],
      };
      const file = join(folder, "tsconfig.json");
      writeFileSync(file, JSON.stringify(config));
      expect([relative(repository, path), await compile(file)]).toEqual([
        relative(repository, path),
        [0, "", ""],
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const typeRoots = join(repository, "node_modules/@types");

async function compile(project: string) {
  const options = { ...localTools, cwd: repository, reject: false } as const;
  const { exitCode, stdout, stderr } = await execa("tsc", ["-p", project, "--noEmit"], options);
  return [exitCode, stdout, stderr];
}
