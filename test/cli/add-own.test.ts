import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { service, starterApp } from "./service.js";

let root: string;
beforeEach(async () => {
  root = await starterApp();
});
afterEach(() => removeAppFolder(root));

test("the commands of the page write what it shows, and keep the starter's comments", async () => {
  const former = readFileSync(join(root, "server.ts"), "utf8").trim().split("\n");
  for (const line of block("docs/commands", "Generate code").trim().split("\n")) {
    const args = line.replace("npx service ", "").split(" ");
    const { exitCode, stderr } = await service(root, args);
    expect([line, stderr, exitCode]).toEqual([line, "", 0]);
  }
  const now = readFileSync(join(root, "server.ts"), "utf8").split("\n");
  expect(former.filter((line) => !now.includes(line))).toEqual([]);
});
