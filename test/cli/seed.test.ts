import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { service, starterApp } from "./service.js";

let root: string;
beforeAll(async () => {
  root = await starterApp();
});
afterAll(() => removeAppFolder(root));

test("without a folder it does nothing; a name without a file and an app that is not built are refused", async () => {
  const nothing = await service(root, ["seed", "--json"]);
  expect(nothing).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(nothing.stdout)).toEqual({ resources: {}, files: 0 });
  mkdirSync(join(root, "seed"));
  writeFileSync(join(root, "seed/tasks.yaml"), "key: id\nrecords: []\n");
  const unknown = await service(root, ["seed", "task", "--json"]);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unknown.stderr).toContain("There is no seed/task.yaml");
  const unbuilt = await service(root, ["seed", "--json"]);
  expect(unbuilt).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unbuilt.stderr).toContain("npm run build");
  rmSync(join(root, "seed"), { recursive: true });
});
