import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "./support/apps/app-folder.js";
import { localTools } from "./support/processes/tools.js";

const repository = resolve(import.meta.dirname, "..");
const reporter = join(repository, "test/support/second-tries.ts");

let root: string;
beforeAll(() => {
  root = makeAppFolder();
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  mkdirSync(join(root, "test"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  const config = `import { SecondTries } from ${JSON.stringify(reporter)};
    export default { test: { retry: 1, reporters: ["default", new SecondTries()] } };`;
  writeFileSync(join(root, "vitest.config.ts"), config);
});
afterAll(() => removeAppFolder(root));

/** Runs these tests, of which each fails so many times. */
async function run(fails: Readonly<Record<string, number>>) {
  const tests = Object.entries(fails).map(
    ([title, count]) => `
      let tried${count} = 0;
      test("${title}", () => {
        tried${count} += 1;
        expect(tried${count}).toBeGreaterThan(${count});
      });`,
  );
  const text = `import { describe, expect, test } from "vitest";
    describe("a group", () => {${tests.join("")}});`;
  writeFileSync(join(root, "test/some.test.ts"), text);
  const file = join(root, "second-tries");
  writeFileSync(file, "");
  const options = { ...localTools, cwd: root, reject: false, env: { SECOND_TRIES: file } } as const;
  const { exitCode, stdout } = await execa("vitest", ["run"], options);
  return { exitCode, stdout, collected: readFileSync(file, "utf8") };
}

test("tests that passed only at the second attempt are listed at the end, and collected", async () => {
  const { exitCode, stdout, collected } = await run({ "is fine": 0, "comes late": 1 });
  expect(exitCode).toBe(0);
  const text =
    "Passed only when they were tried again:\n  test/some.test.ts > a group > comes late\n";
  expect(collected).toBe(text);
  expect(stdout.trimEnd().endsWith(text.trimEnd())).toBe(true);
});

test("tests that passed at once, or never, are not listed", async () => {
  const { exitCode, stdout, collected } = await run({ "is fine": 0, "never passes": 2 });
  expect(exitCode).toBe(1);
  expect(collected).toBe("");
  expect(stdout).not.toContain("tried again");
});
