import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setAside } from "../../bin/commands/dev/set-aside.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";

const name = "0002_unwanted";
const files = [`${name}.sql`, `${name}.json`, `down/${name}.sql`];

let repository: string;
/** The app is a folder of it. */
let root: string;
beforeEach(() => {
  repository = makeAppFolder();
  root = join(repository, "app");
  mkdirSync(join(root, "migrations/down"), { recursive: true });
  for (const file of files) writeFileSync(join(root, "migrations", file), "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  removeAppFolder(repository);
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, stdio: "ignore" });
const left = () => files.filter((file) => existsSync(join(root, "migrations", file)));

test("outside of a repository the files are moved", async () => {
  expect(await setAside(root, [name])).toBeNull();
  expect(left()).toEqual([]);
  expect(files.filter((file) => existsSync(join(root, ".service/set-aside", file)))).toEqual(files);
});

test("untracked files are moved", async () => {
  git("init", "-q");
  expect(await setAside(root, [name])).toBeNull();
  expect(left()).toEqual([]);
});

test("nothing is moved if Git tracks one of the files", async () => {
  git("init", "-q");
  git("add", `app/migrations/down/${name}.sql`);
  expect(await setAside(root, [name])).toBe("is in version control");
  expect(left()).toEqual(files);
});

test("nothing is moved if Git fails in a repository", async () => {
  git("init", "-q");
  git("add", ".");
  writeFileSync(join(repository, ".git/config"), "[");
  expect(await setAside(root, [name])).toMatch(
    /^may be in version control \(git ls-files: fatal: bad config line \d .*\)$/,
  );
  expect(left()).toEqual(files);
});

test("nothing is moved if .git is broken", async () => {
  writeFileSync(join(repository, ".git"), "gitdir: nowhere\n");
  expect(await setAside(root, [name])).toMatch(/not a git repository/);
  expect(left()).toEqual(files);
});

test("without Git the files are moved outside of a repository only", async () => {
  git("init", "-q");
  vi.stubEnv("PATH", root);
  expect(await setAside(root, [name])).toBe("may be in version control (git is not installed)");
  expect(left()).toEqual(files);
  const elsewhere = makeAppFolder();
  try {
    expect(await setAside(elsewhere, [name])).toBeNull();
  } finally {
    removeAppFolder(elsewhere);
  }
});
