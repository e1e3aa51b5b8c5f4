import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeAppFolder } from "../support/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database.js";
import { service, starterApp } from "./service.js";

let root: string;
let database: TestDatabase;

beforeEach(async () => {
  root = await starterApp();
  database = await emptyDatabase();
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
  await service(root, ["generate"]);
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
});

const ofPackage = { source: "package", name: "0001_foundation" };
const ofApp = { source: "app", name: "0001_create_tasks" };

test("applies the package's migrations, then the app's, once", async () => {
  const first = await service(root, ["migrate", "--json"]);
  expect(first.exitCode).toBe(0);
  const { applied, pending } = JSON.parse(first.stdout);
  expect(pending).toEqual([]);
  expect(applied).toContainEqual(ofPackage);
  expect(applied.at(-1)).toEqual(ofApp);
  const second = await service(root, ["migrate"]);
  expect(second.stdout).toBe("The database is up to date");
});

test("--status tells what is pending by its exit status", async () => {
  const before = await service(root, ["migrate", "--status"]);
  expect(before.exitCode).toBe(1);
  expect(before.stdout).toContain("pending  migrations/0001_create_tasks.sql");
  await service(root, ["migrate"]);
  const after = await service(root, ["migrate", "--status", "--json"]);
  expect(after.exitCode).toBe(0);
  expect(JSON.parse(after.stdout).pending).toEqual([]);
});

test("--dry-run applies nothing", async () => {
  const { exitCode, stdout } = await service(root, ["migrate", "--dry-run"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("would apply  migrations/0001_create_tasks.sql");
  expect((await service(root, ["migrate", "--status"])).exitCode).toBe(1);
});

test("refuses a file that was changed after it had been applied", async () => {
  await service(root, ["migrate"]);
  appendFileSync(join(root, "migrations/0001_create_tasks.sql"), "-- afterthought\n");
  const { exitCode, stderr } = await service(root, ["migrate"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "migrations/0001_create_tasks.sql was changed after it had been applied",
  );
});

test("needs DATABASE_URL only, also in production, and makes no secret", async () => {
  writeFileSync(join(root, "service.yaml"), "mailer: { driver: smtp }\n");
  const env = { NODE_ENV: "production" };
  expect((await service(root, ["migrate"], { env })).exitCode).toBe(0);
  expect(existsSync(join(root, ".service"))).toBe(false);
});

test("says so when the database cannot be reached or named", async () => {
  const env = { DATABASE_URL: "postgres://nobody:none@127.0.0.1:9/none" };
  const unreachable = await service(root, ["migrate"], { env });
  expect(unreachable.exitCode).toBe(1);
  expect(unreachable.stderr).toContain("The database cannot be reached");
  const wrong = await service(root, ["migrate"], { env: { DATABASE_URL: "mysql://x" } });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toContain("DATABASE_URL must be an address that begins with postgres://");
});
