import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { repository, service } from "./service.js";

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
  "server.test.ts",
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
  const version = `^${JSON.parse(readFileSync(join(repository, "package.json"), "utf8")).version}`;
  expect(manifest.dependencies).toEqual({
    express: expect.any(String),
    "service-runtime": version,
  });
  expect(manifest.devDependencies["service-cli"]).toBe(version);
});

test("an app allows only the install scripts that the package needs", async () => {
  await service(folder, ["init", 'a "b"/app']);
  const root = join(folder, 'a "b"/app');
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { allowScripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  const allowed = Object.entries(allowScripts).filter(([, mayRun]) => mayRun);
  expect(manifest.allowScripts).toEqual(Object.fromEntries(allowed));
});

test("a starter app can add Express routes with the package's version of Express", async () => {
  await service(folder, ["init", "app"]);
  const starter = JSON.parse(readFileSync(join(folder, "app/package.json"), "utf8"));
  const manifestOf = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8"));
  const { dependencies } = manifestOf("runtime/package.json");
  const { devDependencies } = manifestOf("package.json");
  expect(starter.dependencies.express).toBe(dependencies.express);
  expect(starter.devDependencies["@types/express"]).toBe(devDependencies["@types/express"]);
});

test("shows the path of the folder quoted for a shell", async () => {
  const { stdout } = await service(folder, ["init", "it's mine; $HOME"]);
  const [, word = ""] = /^ {2}cd (.+)$/m.exec(stdout) ?? [];
  const { stdout: reached } = await execa("sh", ["-c", `cd ${word} && pwd -P`]);
  expect(reached).toBe(join(folder, "it's mine; $HOME"));
});

test.each(["taken", "taken/deep"])("refuses %s if a file is in the way", async (dir) => {
  writeFileSync(join(folder, "taken"), "");
  const { exitCode, stderr } = await service(folder, ["init", dir]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/\n {2}hint: there is a file where a folder is expected$/);
});

test("keeps every existing file, and lists it", async () => {
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

test("a complete app stays unchanged, with its own resources instead of the example too", async () => {
  await service(folder, ["init", "app"]);
  const root = join(folder, "app");
  rmSync(join(root, "resources/tasks.yaml"));
  writeFileSync(join(root, "resources/notes.yaml"), "fields: {}\n");
  const before = filesIn(root);
  const { exitCode, stdout, stderr } = await service(folder, ["init", "app"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(`${root} is already a complete app; nothing was changed`);
  expect(stdout).not.toContain("wrote");
  expect(filesIn(root)).toEqual(before);
});

test.runIf(existsSync("/proc/self"))("fails where no folder can be created", async () => {
  const { exitCode, stderr } = await service(folder, ["init", "/proc/x/y"]);
  expect([exitCode, stderr]).toEqual([
    1,
    "Cannot create a folder in /proc\n  hint: choose another folder",
  ]);
});
