import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("npm run test:long runs each file with a search that npm test cuts short", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const named = String(scripts["test:long"]).match(/test\/\S+\.test\.ts/g) ?? [];
  const searching = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name}`)
    .filter((path) => path.endsWith(".test.ts") && imports(path));
  expect(searching.length).toBeGreaterThan(5);
  expect(named.toSorted()).toEqual(searching.toSorted());
});

function imports(path: string): boolean {
  return /from "[./]+\/support\/searches\.js"/.test(readFileSync(join(root, path), "utf8"));
}
