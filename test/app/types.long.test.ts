import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { validFixtures } from "../../fixtures/folders.js";
import { localTools } from "../support/processes/tools.js";

const repository = resolve(import.meta.dirname, "../..");

const apps = ["shop", "northwind", "stock", "market", "outbox", "teams"].map(
  (name) => `apps/${name}`,
);

test("the strict compiler finds nothing wrong in apps, difficult names and cases", async () => {
  const folders = [...apps, "names", "cases"].map((name) => join(repository, "fixtures", name));
  await expectSilence(folders, (folder) => ({ extends: join(folder, "tsconfig.json") }));
});

// Each is a project of its own: an app says what `response.locals` of all own routes holds.
test("the strict compiler finds nothing wrong in the code that assembles the resources of each case", async () => {
  const cases = validFixtures.filter((path) => path.includes("/cases/"));
  expect(cases.length).toBeGreaterThan(10);
  const config = join(repository, "fixtures/names/tsconfig.json");
  await expectSilence(cases, (path) => ({
    extends: config,
    include: [join(path, "generated/app.ts")],
  }));
});

/** Compiles them all in one process, which reads what they share once. */
async function expectSilence(
  paths: readonly string[],
  settings: (path: string) => object,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "types-"));
  try {
    const projects = paths.map((path) => {
      const project = join(root, basename(path));
      mkdirSync(project);
      const compilerOptions = {
        noEmit: true,
        rootDir: repository,
        typeRoots: [typeRoots],
        // By default it is written beside the app, at the project's own path below `fixtures/`.
        tsBuildInfoFile: join(project, "tsconfig.tsbuildinfo"),
      };
      const config = { ...settings(path), compilerOptions };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
      return project;
    });
    const options = { ...localTools, cwd: repository, reject: false } as const;
    // More threads would check parts of such small programs twice.
    const args = ["--build", ...projects, "--singleThreaded"];
    const { exitCode, stdout, stderr } = await execa("tsc", args, options);
    expect([exitCode, stdout, stderr]).toEqual([0, "", ""]);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const typeRoots = join(repository, "node_modules/@types");
