import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { block } from "../docs/pages.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { plain, repository, service, starterApp } from "./service.js";

vi.setConfig({ testTimeout: 180_000 });

let root: string;
beforeAll(async () => {
  root = await starterApp();
  for (const name of [".bin", "express"]) {
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  }
});
afterAll(() => removeAppFolder(root));

async function add(...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await service(root, ["add", ...args]);
  expect([args, stderr, exitCode]).toEqual([args, "", 0]);
}

/** Without types at its variables: the compiler does not find out those of parameters. */
const untyped = `import { createApp } from "./generated/app.js";

const hooks = {};
const policies = { tasks: {} };
const app = await createApp({ hooks, policies });
await app.listen();
`;

const ownTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "service-cli/testing";

test("the added code runs, and changes nothing", async () => {
  const app = await startTestApp(() => import("./inline.js"));
  const { token } = await app.account({ role: "admin" });
  const ask = async (path: string, method = "GET", values?: object) => {
    const headers = { authorization: \`Bearer \${token}\`, "content-type": "application/json" };
    const body = values === undefined ? null : JSON.stringify(values);
    const answer = await fetch(\`\${app.url}/api/\${path}\`, { method, headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  assert.deepEqual(await ask("reports/daily"), { status: 200, text: '{"data":[]}' });
  const created = await ask("products", "POST", { name: "Tea", price: 4 });
  assert.equal(created.status, 201);
  const { id } = JSON.parse(created.text);
  assert.equal((await ask(\`products/\${id}\`, "PATCH", { price: 5 })).status, 200);
  await app.stop();
});
`;

test("the added code compiles with the strict settings of a new app, and does nothing yet", async () => {
  for (const line of block("docs/commands", "Generate code").trim().split("\n")) {
    await add(...line.replace("npx service add ", "").split(" "));
  }
  cpSync(join(root, "server.ts"), join(root, "inline.ts"));
  writeFileSync(join(root, "server.ts"), untyped);
  for (const name of ["beforeCreate", "beforeUpdate", "beforeDelete"]) {
    await add("hook", "tasks", name);
  }
  for (const name of ["afterCreate", "afterUpdate", "afterDelete"]) {
    await add("hook", "products", name);
  }
  for (const action of ["list", "get", "stats", "create", "update", "delete"]) {
    await add("policy", "tasks", action);
  }
  expect((await service(root, ["generate"])).exitCode).toBe(0);
  writeFileSync(join(root, "server.test.ts"), ownTest);
  const env = { ...plain, DATABASE_URL: inject("postgresUrl") };
  const { exitCode, all } = await execa("npm", ["test"], {
    cwd: root,
    env,
    all: true,
    reject: false,
  });
  expect(all).toMatch(/pass 1\n/);
  expect(exitCode).toBe(0);
});
