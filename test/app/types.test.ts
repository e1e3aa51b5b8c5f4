import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { execa } from "execa";
import { expect } from "vitest";
import { validFixtures } from "../../fixtures/folders.js";
import { localTools } from "../support/processes/tools.js";
import { rare, test } from "../support/rare.js";

const repository = resolve(import.meta.dirname, "../..");

test.each([
  "apps/shop",
  "apps/northwind",
  "apps/stock",
  "apps/market",
  "apps/outbox",
  "apps/teams",
  "names",
  "cases",
])("the strict compiler has no word to say of fixtures/%s", async (name) => {
  expect(await compile(`fixtures/${name}`)).toEqual([0, "", ""]);
});

// Each is a project of its own: an app says what `response.locals` of all own routes holds.
rare("nor of what puts the resources of each case together", async () => {
  const folder = mkdtempSync(join(tmpdir(), "types-"));
  const cases = validFixtures.filter((path) => path.includes("/cases/"));
  expect(cases.length).toBeGreaterThan(10);
  try {
    const projects = cases.map((path) => {
      const project = join(folder, basename(path));
      const config = {
        extends: join(repository, "fixtures/names/tsconfig.json"),
        compilerOptions: { noEmit: true, rootDir: repository, typeRoots: [typeRoots] },
        include: [join(path, "generated/app.ts")],
      };
      mkdirSync(project);
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
      return project;
    });
    // One process, which reads what they share once.
    expect(await run(["--build", ...projects])).toEqual([0, "", ""]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const typeRoots = join(repository, "node_modules/@types");

function compile(project: string) {
  return run(["-p", project, "--noEmit"]);
}

async function run(args: readonly string[]) {
  const options = { ...localTools, cwd: repository, reject: false } as const;
  // More threads would check parts of such small programs twice.
  const { exitCode, stdout, stderr } = await execa("tsc", [...args, "--singleThreaded"], options);
  return [exitCode, stdout, stderr];
}
