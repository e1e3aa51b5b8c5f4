import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { fullDisk, service, serviceToFullDisk } from "./service.js";

let root: string;

beforeAll(() => {
  root = makeAppFolder();
});
afterAll(() => removeAppFolder(root));

test("prints its version", async () => {
  const { exitCode, stdout } = await service(root, ["--version"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "0.5.0" });
});

test.each([
  [[]],
  [["init"]],
  [["generate"]],
  [["migrate"]],
  [["dev"]],
  [["user"]],
  [["user", "create"]],
])("prints help for %j", async (command) => {
  const { exitCode, stdout, stderr } = await service(root, [...command, "--help"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(`Usage: ${["service", ...command].join(" ")}`);
});

test.each([
  ["no command", [], "Usage: service"],
  ["an unknown command", ["generte"], "Did you mean generate?"],
  ["an unknown option", ["generate", "--chek"], "Did you mean --check?"],
  ["a missing argument", ["init"], "missing required argument 'dir'"],
  ["an empty argument", ["init", ""], "Name a folder"],
  ["a missing option", ["user", "create", "--name", "Ann"], "--email <address>' not specified"],
  ["a bad migration name", ["generate", "--name", "../up"], "Use up to 60 letters"],
  ["two ways to apply nothing", ["migrate", "--status", "--dry-run"], "cannot be used with"],
  ["a bad target", ["generate", "--allow-destructive", "a.b.c"], 'Write "products"'],
])("exits with 2 on %s", async (_, args, words) => {
  const { exitCode, stdout, stderr } = await service(root, args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(words);
});

test.each([[["--help"]], [["--version"]], [["completion", "bash"]]])(
  "exits with 1 on %j if the disk behind standard output is full",
  async (args) => {
    expect(await serviceToFullDisk(root, args)).toEqual({ exitCode: 1, stderr: fullDisk });
  },
);

test("finishes its work if the disk behind standard output is full", async () => {
  const app = makeAppFolder();
  try {
    expect(await serviceToFullDisk(app, ["init", app])).toEqual({ exitCode: 1, stderr: fullDisk });
    expect((await service(app, ["init", app])).stdout).toContain("is already a complete app");
  } finally {
    removeAppFolder(app);
  }
});

test("exits with 2 on a folder that does not exist", async () => {
  const folder = join(root, "nowhere");
  const { exitCode, stderr } = await service(folder, ["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `There is no folder ${folder}` });
});

test.each([
  [["migrate"]],
  [["dev"]],
  [["user", "create", "--email", "a@example.com", "--name", "Ann"]],
])(
  "exits with 1 on %j in a folder that is not an app, and leaves the folder empty",
  async (args) => {
    const { exitCode, stderr } = await service(root, args);
    expect(exitCode).toBe(1);
    expect(readdirSync(root)).toEqual([]);
    expect(stderr).toBe(
      `There is no service.yaml in ${root}\n` +
        "  hint: run the command in the app's folder, or name the folder with -C; npx service init <dir> creates a new app",
    );
  },
);
