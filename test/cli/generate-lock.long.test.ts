import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { service, starterApp, startService } from "./service.js";

let root: string;
let lock: string;

beforeEach(async () => {
  root = await starterApp();
  lock = join(root, ".service/generate.lock");
});
afterEach(() => removeAppFolder(root));

function holdLock(pid: number): void {
  mkdirSync(join(root, ".service"));
  writeFileSync(lock, `${hostname()} ${pid} another`);
}

function migrations(): readonly string[] {
  return readdirSync(join(root, "migrations")).filter((name) => name.endsWith(".sql"));
}

test("a generate waits for another in the same folder", async () => {
  holdLock(process.pid);
  const second = startService(root, ["generate"]);
  await new Promise<void>((resolve) => {
    second.stdout.on("data", (chunk) => {
      if (String(chunk).includes("Another generate is running in this folder")) resolve();
    });
  });
  expect(existsSync(join(root, "generated"))).toBe(false);
  rmSync(lock);
  expect((await second).exitCode).toBe(0);
  expect(migrations()).toEqual(["0001_create_tasks.sql"]);
  expect(existsSync(lock)).toBe(false);
});

test("the first of several concurrent runs writes the migration, and the others have nothing to do", async () => {
  const outcomes = await Promise.all([1, 2, 3].map(() => service(root, ["generate"])));
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  const wrote = outcomes.filter(({ stdout }) => stdout.includes("New migration"));
  expect(wrote).toHaveLength(1);
  expect(migrations()).toEqual(["0001_create_tasks.sql"]);
});

test("a lock that a killed generate left behind blocks no other run", async () => {
  // Beyond the greatest number that Linux gives a process.
  holdLock(4_194_305);
  expect((await service(root, ["generate"])).exitCode).toBe(0);
  expect(existsSync(lock)).toBe(false);
});
