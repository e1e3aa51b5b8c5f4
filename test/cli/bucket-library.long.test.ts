import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { migratedDatabase, type TestDatabase } from "../support/database/database.js";
import { plain, repository } from "./service.js";

/** An app with both packages as npm installs them, without the library of buckets. */
let root: string;
let database: TestDatabase;

const names = ["client-s3", "lib-storage", "s3-request-presigner"].map(
  (name) => `@aws-sdk/${name}`,
);
const message = `uploads.storage.driver is s3, but these packages are not installed: ${names.join(", ")}`;
const hint = `npm install ${names.map((name) => `${name}@3`).join(" ")}`;

beforeAll(async () => {
  root = makeAppFolder();
  const modules = join(repository, "node_modules");
  const parts = { "service-cli": repository, "service-runtime": join(repository, "runtime") };
  for (const [name, from] of Object.entries(parts)) {
    const installed = join(root, "node_modules", name);
    mkdirSync(installed, { recursive: true });
    for (const part of ["package.json", "dist/bundle", "migrate/sql"]) {
      if (!existsSync(join(from, part))) continue;
      cpSync(join(from, part), join(installed, part), { recursive: true });
    }
  }
  for (const name of readdirSync(modules)) {
    if (name === "@aws-sdk" || name in parts || name.startsWith(".")) continue;
    symlinkSync(join(modules, name), join(root, "node_modules", name));
  }
  mkdirSync(join(root, "migrations"));
  mkdirSync(join(root, "resources"));
  const bucket = "{ driver: s3, bucket: files, access_key_id: a, secret_access_key: b }";
  writeFileSync(join(root, "service.yaml"), `uploads:\n  storage: ${bucket}\n`);
  database = await migratedDatabase(join(root, "migrations"));
});
afterAll(async () => {
  removeAppFolder(root);
  await database.drop();
});

/** Runs a program of Node in the app's folder. */
function run(args: readonly string[]) {
  const env = {
    ...{ ...plain, DATABASE_URL: database.url, NODE_ENV: "production", PORT: "0" },
    ...{ SERVICE_MAIL_URL: "smtp://127.0.0.1:9", SERVICE_MAIL_FROM: "shop@example.com" },
    ...{ SERVICE_SECRET: "a secret of the tests, long enough" },
    SERVICE_WEB_URL: "https://shop.example.com",
  };
  return execa(process.execPath, args, { cwd: root, env, reject: false });
}

test("the page on files has the command that installs them", () => {
  expect(block("docs/files", "In a bucket", 2).trim()).toBe(hint);
});

test("doctor names the packages that a bucket needs", async () => {
  const { stdout, exitCode } = await run([
    "node_modules/service-cli/dist/bundle/service.js",
    "doctor",
  ]);
  expect(stdout).toContain(`problem  storage: ${message}\n  hint: ${hint}\n`);
  expect(exitCode).toBe(1);
});

test("a server that lacks them reports it in one line, and does not start", async () => {
  const location = pathToFileURL(join(root, "generated/app.js")).href;
  const generated = { location, resources: [], descriptors: [] };
  const start = `
    const { createGeneratedApp } = await import("service-runtime/app");
    await createGeneratedApp(${JSON.stringify(generated)}, {});`;
  const { stderr, exitCode } = await run(["--input-type=module", "--eval", start]);
  expect([exitCode, stderr]).toEqual([1, `${message} (${hint})`]);
});

test("a command that reads files refuses in the same words", async () => {
  const prune = ["node_modules/service-cli/dist/bundle/service.js", "uploads", "prune"];
  const { stderr, exitCode } = await run(prune);
  expect([exitCode, stderr]).toEqual([1, `${message}\n  hint: ${hint}`]);
});
