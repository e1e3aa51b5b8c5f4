import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { generatedApp, repository, service } from "../cli/service.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { localTools } from "../support/processes/tools.js";
import { block } from "./pages.js";

const recipes = [
  "A receipt after an order",
  "A nightly report, once across all machines",
  "An import in the background, with progress in a record",
  "Retry a payment provider that returns 429",
  "A cleanup",
];

const orders = `
fields:
  email: { type: string, required: true, format: email }
  total: { type: number, required: true, decimals: 2 }
  paid: { type: boolean, default: false }
`;
const imports = `
fields:
  lines: { type: text, required: true }
  done: { type: number, integer: true, default: 0 }
`;

/** What is done with each of them, and what it says at the end. */
const runner = `
import { createServer } from "node:http";
import { startTestApp } from "service-cli/testing";

const order = { email: "ada@example.com", total: 3.5 };
const day = 86_400_000;
const uses = [
  async ({ app, jobs, mails }) => {
    await app.resources.orders.create(order);
    await jobs.run();
    return (await mails()).map(({ to, subject }) => [to, subject]);
  },
  async ({ app, jobs, mails }) => {
    await app.resources.orders.create(order);
    await jobs.run({ until: new Date(Date.now() + day) });
    return (await mails()).map(({ text }) => text);
  },
  async ({ app, jobs }) => {
    const lines = Array.from({ length: 250 }, (_, n) => "a" + n + "@example.com," + n).join("\\n");
    const { id } = await app.resources.imports.create({ lines });
    const runs = await jobs.run();
    const { done } = await app.resources.imports.get(id);
    return [runs.length, done, await app.resources.orders.count()];
  },
  async ({ app, jobs }) => {
    const statuses = [429, 200, 402];
    const keys = [];
    const provider = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"]);
      response.writeHead(statuses.shift()).end();
    }).listen(0);
    process.env.PAYMENTS_URL = "http://127.0.0.1:" + provider.address().port;
    const { id } = await app.resources.orders.create(order);
    await app.jobs.add("charge", { orderId: id });
    const runs = await jobs.run({ until: new Date(Date.now() + day) });
    const { paid } = await app.resources.orders.get(id);
    const other = await app.resources.orders.create(order);
    await app.jobs.add("charge", { orderId: other.id });
    const [declined] = await jobs.run();
    provider.close();
    const errors = [...runs, declined].map(({ error }) => error?.message ?? null);
    return [errors, paid, keys.map((key) => key === id)];
  },
  async ({ app, jobs }) => {
    const { id } = await app.resources.imports.create({ lines: "x" });
    await app.db.query("update imports set created_at = now() - interval '31 days' where id = $1", [id]);
    await app.resources.imports.create({ lines: "y" });
    const runs = await jobs.run({ until: new Date(Date.now() + 7 * day) });
    return [runs.map(({ name, input, result }) => [name, input, result]), await app.resources.imports.count()];
  },
];
const said = [];
for (const [at, use] of uses.entries()) {
  const running = await startTestApp(() => import("./dist/server-" + at + ".js").then(() => undefined));
  try {
    said.push(await use(running));
  } finally {
    await running.stop();
  }
}
console.log(JSON.stringify(said));
`;

let root: string;
beforeAll(async () => {
  root = await generatedApp();
  symlinkSync(join(repository, "node_modules/zod"), join(root, "node_modules/zod"));
  writeFileSync(join(root, "resources/orders.yaml"), orders);
  writeFileSync(join(root, "resources/imports.yaml"), imports);
  expect(await service(root, ["generate"])).toMatchObject({ exitCode: 0 });
  for (const [at, recipe] of recipes.entries()) {
    writeFileSync(join(root, `server-${at}.ts`), block("docs/jobs", recipe));
  }
  writeFileSync(
    join(root, "tsconfig.recipes.json"),
    JSON.stringify({ extends: "./tsconfig.json", include: ["*.ts", "generated/**/*.ts"] }),
  );
  writeFileSync(join(root, "run.js"), runner);
  await execa("tsc", ["-p", "tsconfig.recipes.json"], { ...localTools, cwd: root });
});
afterAll(() => removeAppFolder(root));

test("the five recipes compile, and do what they say", async () => {
  const env = { DATABASE_URL: inject("postgresUrl"), SERVICE_LOG_LEVEL: "silent" };
  const { stdout } = await execa(process.execPath, ["run.js"], { cwd: root, env });
  expect(JSON.parse(stdout)).toEqual([
    [[["ada@example.com"], "Your receipt"]],
    ["There were 1."],
    [3, 250, 250],
    [["The provider answered 429", null, "The card was declined"], true, [true, true, false]],
    [[["cleanUp", { days: 30 }, 1]], 1],
  ]);
});
