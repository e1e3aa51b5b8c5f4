import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/app-folder.js";
import { service } from "./service.js";

let folder: string;

beforeEach(() => {
  folder = makeAppFolder();
});
afterEach(() => removeAppFolder(folder));

const files = [
  ".env.example",
  ".gitignore",
  "README.md",
  "package.json",
  "resources/tasks.yaml",
  "server.ts",
  "service.yaml",
  "tsconfig.json",
];

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name !== "resources")
    .sort();
}

test("writes a starter app", async () => {
  const { exitCode, stdout } = await service(folder, ["init", "deep/My Shop"]);
  expect(exitCode).toBe(0);
  for (const file of files) expect(stdout).toContain(`wrote  ${file}\n`);
  const root = join(folder, "deep/My Shop");
  expect(filesIn(root)).toEqual(files);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(manifest.name).toBe("my-shop");
  expect(existsSync(join(root, manifest.dependencies.service.replace(/^file:/, "")))).toBe(true);
});

test("keeps every file that is there already, and says so", async () => {
  const root = join(folder, "app");
  mkdirSync(join(root, "resources"), { recursive: true });
  const own = ["server.ts", "package.json", "resources/tasks.yaml"];
  for (const file of own) writeFileSync(join(root, file), "{}");
  const { exitCode, stdout, stderr } = await service(folder, ["init", "app"]);
  expect(exitCode).toBe(0);
  for (const file of own) {
    expect(stdout).toContain(`kept   ${file}\n`);
    expect(readFileSync(join(root, file), "utf8")).toBe("{}");
  }
  expect(stderr).toContain("npm pkg set type=module");
  expect(filesIn(root)).toEqual(files);
});

test("changes nothing the second time", async () => {
  await service(folder, ["init", "app"]);
  const { stdout } = await service(folder, ["init", "app"]);
  expect(stdout).not.toContain("wrote");
});
