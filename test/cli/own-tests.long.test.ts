import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { block } from "../docs/pages.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { generatedApp, plain, repository } from "./service.js";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let root: string;
/** Of this file alone, so that the databases of the tests that run beside it are not counted. */
const role = `own_tests_${randomBytes(6).toString("hex")}`;

beforeAll(async () => {
  await asAdmin((admin) => admin.query(`create role ${role} login createdb password 'own'`));
  root = await generatedApp();
  symlinkSync(join(repository, "node_modules/.bin"), join(root, "node_modules/.bin"));
});
afterAll(() => removeAppFolder(root));

async function asAdmin<Result>(work: (admin: pg.Client) => Promise<Result>): Promise<Result> {
  const admin = new pg.Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

const ofRole = () =>
  Object.assign(new URL(inject("postgresUrl")), { username: role, password: "own" }).href;

function npmTest(env: Readonly<Record<string, string>> = { DATABASE_URL: ofRole() }) {
  return execa("npm", ["test"], { cwd: root, env: { ...plain, ...env }, all: true, reject: false });
}

async function testDatabases(): Promise<number> {
  const { rowCount } = await asAdmin((admin) =>
    admin.query("select from pg_database where pg_get_userbyid(datdba) = $1", [role]),
  );
  return rowCount ?? 0;
}

test("the test of a new app passes beside the configured database, and leaves nothing there", async () => {
  const before = await testDatabases();
  const { exitCode, all } = await npmTest();
  expect(all).toMatch(/pass 1\n/);
  expect(exitCode).toBe(0);
  expect(await testDatabases()).toBe(before);
  // The next one compiles only what has changed since.
  expect(existsSync(join(root, "dist/tsconfig.tsbuildinfo"))).toBe(true);
});

test("the test of the page on app code passes in the embedded server, which stops again", async () => {
  writeFileSync(join(root, "server.test.ts"), block("docs/own-code", "Tests"));
  const { exitCode, all } = await npmTest({});
  expect(all).toMatch(/pass 1\n/);
  expect(exitCode).toBe(0);
  const { data } = JSON.parse(readFileSync(join(root, ".service/database.json"), "utf8"));
  const folder = data.startsWith("/") ? data : join(root, data);
  expect(existsSync(join(folder, "postmaster.pid"))).toBe(false);
});

test("a hook of the page sends its mail, which a test reads", async () => {
  writeFileSync(join(root, "server.ts"), block("docs/own-code", "Mail and files"));
  const code = block("docs/own-code", "Tests").replace(
    "assert.deepEqual(await app.mails(), []);",
    `const { id } = JSON.parse(await (await fetch(\`\${app.url}/api/tasks\`, {
    method: "POST",
    headers: { authorization: \`Bearer \${ada.token}\`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Mop" }),
  })).text());
  await fetch(\`\${app.url}/api/tasks/\${id}\`, {
    method: "PATCH",
    headers: { authorization: \`Bearer \${ada.token}\`, "content-type": "application/json" },
    body: JSON.stringify({ status: "done" }),
  });
  assert.deepEqual(await app.mails(), [
    { to: ["team@example.com"], subject: "Done: Mop", text: "1 tasks are left." },
  ]);`,
  );
  writeFileSync(join(root, "server.test.ts"), code);
  const { exitCode, all } = await npmTest();
  expect(all).toMatch(/pass 1\n/);
  expect(exitCode).toBe(0);
});

test("a type error fails the command until it is corrected", async () => {
  const path = join(root, "server.ts");
  const code = readFileSync(path, "utf8");
  writeFileSync(path, `${code}export const wrong: number = "text";\n`);
  for (let times = 0; times < 2; times += 1) {
    const { exitCode, all } = await npmTest();
    expect(all).toMatch(/server\.ts\(\d+,14\): error TS2322/);
    expect(exitCode).not.toBe(0);
  }
  writeFileSync(path, code);
  expect((await npmTest()).exitCode).toBe(0);
});

test("a test that fails fails the command, and leaves no database", async () => {
  const before = await testDatabases();
  const code = block("docs/own-code", "Tests").replace("201", "418");
  writeFileSync(join(root, "server.test.ts"), code);
  expect((await npmTest()).exitCode).not.toBe(0);
  expect(await testDatabases()).toBe(before);
});
