import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { program, service } from "./service.js";

let root: string;
let script: string;

beforeAll(async () => {
  root = makeAppFolder();
  mkdirSync(join(root, "app/resources"), { recursive: true });
  for (const name of ["products.yaml", "order-items.json", "notes.txt", "$(touch broken).yaml"]) {
    writeFileSync(join(root, "app/resources", name), "");
  }
  ({ stdout: script } = await service(root, ["completion", "bash"]));
  writeFileSync(join(root, "completion.bash"), script);
});
afterAll(() => removeAppFolder(root));

/** What bash offers for the last word. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const program = [
    'source "$1"; shift',
    'COMP_WORDS=("$@")',
    "COMP_CWORD=$(($# - 1))",
    "_service",
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join("\n");
  const args = ["--norc", "-c", program, "bash", join(root, "completion.bash"), ...words];
  const { stdout, stderr } = await execa("bash", args, { cwd: join(root, "app") });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

test("bash completes commands, subcommands, and options", async () => {
  const commands = await offered("service", "");
  expect(commands).toEqual(expect.arrayContaining(["init", "add", "generate", "db", "completion"]));
  expect(await offered("service", "mig")).toEqual(["migrate"]);
  expect(await offered("service", "db", "")).toEqual(["url", "psql", "reset"]);
  expect(await offered("service", "generate", "--c")).toEqual(["--check", "--client"]);
  expect(await offered("service", "--v")).toEqual(["--version"]);
  expect(await offered("service", "add", "hook", "--")).toEqual(["--help"]);
});

test("bash completes values: choices, resources of the app, files", async () => {
  expect(await offered("service", "jobs", "list", "--state", "w")).toEqual(["waiting"]);
  expect(await offered("service", "jobs", "list", "--state", "=", "f")).toEqual(["failed"]);
  expect(await offered("service", "init", "x", "--template", "")).toEqual([
    "shop",
    "notes",
    "blank",
  ]);
  const resources = ["order-items", "products"];
  expect((await offered("service", "add", "hook", "")).toSorted()).toEqual(resources);
  expect(await offered("service", "add", "hook", "products", "after")).toEqual([
    "afterCreate",
    "afterUpdate",
    "afterDelete",
  ]);
  expect(await offered("service", "generate", "--allow-destructive", "pro")).toEqual(["products"]);
  expect(await offered("service", "-C", "..", "add", "hook", "")).toEqual([]);
  expect(await offered("service", "-C", join(root, "app"), "add", "policy", "p")).toEqual([
    "products",
  ]);
  expect(await offered("service", "init", "reso")).toEqual(["resources"]);
  expect(await offered("service", "user", "create", "--email", "")).toEqual([]);
  expect(await offered("service", "completion", "")).toEqual(["bash", "zsh", "fish"]);
});

test("bash completes it after npx, and leaves other commands of npx alone", async () => {
  expect(await offered("npx", "service", "add", "ho")).toEqual(["hook"]);
  expect(await offered("npx", "")).toEqual([]);
  expect(await offered("npx", "cowsay", "")).toEqual([]);
});

test("bash accepts the line of the page", async () => {
  const line = block("docs/commands", "Shell completion").replace(
    "npx service",
    `"${process.execPath}" "${program}"`,
  );
  const { stdout } = await execa("bash", ["--norc", "-c", `${line}complete -p service npx`]);
  expect(stdout).toBe("complete -F _service service\ncomplete -o default -F _service npx");
});

test.each([["zsh"], ["fish"]])("%s reads its script, if it is installed", async (shell) => {
  const { exitCode, stdout } = await service(root, ["completion", shell]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("add hook|1");
  const found = await execa("sh", ["-c", `command -v ${shell}`], { reject: false });
  if (found.exitCode !== 0) return;
  const checked = await execa(shell, ["-n"], { input: stdout, reject: false });
  expect([checked.exitCode, checked.stderr]).toEqual([0, ""]);
});

test("another shell is a usage error", async () => {
  const { exitCode, stderr } = await service(root, ["completion", "tcsh"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish");
});
