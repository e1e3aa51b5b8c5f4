import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Changes, watchApp } from "../../bin/commands/dev/watch.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { newName } from "../support/apps/shop.js";

let root: string;
let changes: Changes;
beforeEach(() => {
  root = makeAppFolder();
});
afterEach(async () => {
  await changes.close();
  removeAppFolder(root);
});

/** What changed, until it is as many files as these, or nothing is watched any more. */
async function seen(files: readonly string[]): Promise<readonly string[]> {
  const all = new Set<string>();
  while (all.size < files.length) {
    const paths = await changes.next();
    if (paths.length === 0) break;
    for (const path of paths) all.add(path);
  }
  return [...all].sort();
}

/** Another process makes the folders, while this one looks: the inner ones a little later each time. */
const make = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  const { dirname } = require("node:path");
  process.argv.slice(1).forEach((path, at) => {
    mkdirSync(dirname(dirname(path)), { recursive: true });
    for (const until = performance.now() + at / 20; performance.now() < until; );
    mkdirSync(dirname(path));
    writeFileSync(path, "one");
  });`;

test("files in folders created at the same time are detected, and so are their changes", async () => {
  changes = await watchApp(root, () => false);
  // In another try these are other folders again.
  const rules = newName("rules").replace(" ", "-");
  const files = Array.from({ length: 200 }, (_, at) => `${rules}-${100 + at}/deep/rule.ts`);
  const made = seen(files);
  await execa(process.execPath, ["-e", make, ...files.map((path) => join(root, path))]);
  expect(await made).toEqual(files);
  const changed = seen(files);
  for (const path of files) writeFileSync(join(root, path), "other");
  expect(await changed).toEqual(files);
});
