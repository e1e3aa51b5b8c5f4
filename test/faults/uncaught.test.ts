import { readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newName } from "../support/apps/shop.js";
import { openWire } from "../support/http/wire.js";
import { isRunning } from "../support/processes/processes.js";
import {
  openHost,
  type ServerProcess,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";
import { instances, workersOf } from "../support/processes/workers.js";

/** Its requests to `/slow` last until the file `go` exists, and each writes a file `slow-…` when it begins. */
const program = `
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Router } from "express";
import { z } from "zod";
import { createApp } from "./generated/app.js";
const later = async (message) => { await sleep(1); throw new Error(message); };
const routes = Router();
let begun = 0;
routes.get("/slow", async (_request, response) => {
  begun += 1;
  writeFileSync(\`slow-\${process.pid}-\${begun}\`, "");
  while (!existsSync("go")) await sleep(10);
  response.json({ slow: true });
});
routes.get("/promise", (_request, response) => { void later("of a route"); response.json({}); });
routes.get("/timer", (_request, response) => {
  setTimeout(() => { throw new Error("of a timer"); }, 1);
  setInterval(() => { throw new Error("again and again"); }, 2);
  response.json({});
});
routes.get("/anything", (_request, response) => {
  setTimeout(() => { throw Object.create(null); }, 1);
  response.json({});
});
routes.get("/unreadable", (_request, response) => {
  const error = new Error();
  Object.defineProperty(error, "message", { get() { throw new Error("no message"); } });
  setTimeout(() => { throw error; }, 1);
  response.json({});
});
const app = await createApp({
  routes,
  hooks: {
    categories: {
      beforeCreate: ({ name }) => { if (name.startsWith("Before")) void later("of a hook"); },
      afterCreate: ({ name }, { jobs }) => {
        if (name.startsWith("After")) void later("of an after hook");
        if (name.startsWith("Job")) return jobs.add("forget", {});
      },
    },
  },
  jobs: { forget: { input: z.object({}), run: () => { void later("of a job"); } } },
});
process.emitWarning("A library\\nwarns", { type: "LibraryWarning", code: "LIB1" });
await app.listen();
`;

let host: ShopHost;
let go: string;
beforeAll(async () => {
  host = await openHost(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an interpolation of service.yaml
    "server: { workers: '${WORKERS:-1}', drain_seconds: 60 }\n",
  );
  for (const name of ["zod", "express"]) {
    const source = resolve(import.meta.dirname, "../../node_modules", name);
    symlinkSync(source, join(host.root, "node_modules", name));
  }
  writeFileSync(join(host.root, "dist/server.js"), program);
  go = join(host.root, "go");
});
beforeEach(() => {
  for (const name of readdirSync(host.root)) {
    if (/^(?:go|slow-.*)$/.test(name)) rmSync(join(host.root, name));
  }
});
afterAll(() => host.close());

/** How many requests to `/slow` have begun. */
const begun = () => readdirSync(host.root).filter((name) => name.startsWith("slow-")).length;

const category = (name: string) => (server: ShopServer) =>
  server.admin.post("/categories", { name: newName(name) });
const route = (path: string) => (server: ShopServer) => server.admin.get(path);

test.each<[string, (server: ShopServer) => Promise<unknown>, object, string]>([
  ["a route's promise", route("/promise"), { route: "/api/promise" }, "of a route"],
  ["a route's timer", route("/timer"), { route: "/api/timer" }, "of a timer"],
  ["a route that throws no error", route("/anything"), {}, "A value without a text was thrown"],
  ["an unreadable error", route("/unreadable"), {}, "A value without a text was thrown"],
  ["a hook's promise", category("Before"), { hook: "categories.beforeCreate" }, "of a hook"],
  ["a later hook's", category("After"), { hook: "categories.afterCreate" }, "of an after hook"],
  ["a job's", category("Job"), { job: "forget", attempt: 1 }, "of a job"],
])(
  "%s error that nothing catches is logged once, and running requests finish",
  async (...given) => {
    const [, provoke, origin, message] = given;
    const server = await host.serve();
    const slow = server.admin.get("/slow");
    await expect.poll(begun).toBe(1);
    await provoke(server);
    await expect.poll(() => listens(server.url)).toBe(false);
    writeFileSync(go, "");
    expect((await slow).body).toEqual({ slow: true });
    const { exitCode, stdout, stderr } = await server.process;
    expect([exitCode, stderr]).toEqual([1, ""]);
    const fatal = linesOf(stdout).filter(({ level }) => level === 60);
    expect(fatal).toEqual([expect.objectContaining(origin)]);
    expect(fatal[0]?.err).toMatchObject({ message });
  },
);

test("the primary replaces a worker at once, while its requests still run", async () => {
  const server = await host.serve({ WORKERS: "2" });
  const before = workersOf(server.process);
  const slow = [1, 2, 3, 4].map(() =>
    server.admin.send("GET", "/slow", { headers: { connection: "close" } }),
  );
  await expect.poll(begun).toBe(4);
  await server.anonymous.send("GET", "/auth/config", { headers: { connection: "close" } });
  await server.admin.get("/promise");
  await expect.poll(() => workersOf(server.process).length, { timeout: 60_000 }).toBe(3);
  // Both that do not end take new requests.
  await expect.poll(async () => (await instances(server)).size, { timeout: 60_000 }).toBe(2);
  expect(before.filter(isRunning)).toHaveLength(2);
  writeFileSync(go, "");
  const replies = await Promise.all(slow);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await expect.poll(() => before.filter(isRunning).length).toBe(1);
  server.process.kill("SIGTERM");
  const { exitCode, stdout } = await server.process;
  expect(exitCode).toBe(0);
  const lines = linesOf(stdout);
  expect(lines.filter(({ level }) => level === 60)).toHaveLength(1);
  expect(lines.find(({ msg }) => msg === "A server process is replaced")).toMatchObject({
    reason: "an uncaught error",
    wait: 0,
  });
});

test("a process that only runs jobs exits too", async () => {
  const server = await host.serve({ WORKERS: "1" });
  server.process.kill("SIGTERM");
  await server.process;
  const worker = host.run({ SERVICE_WORK_CONCURRENCY: "1" });
  await said(worker, "is running jobs");
  await addJob();
  const { exitCode, stdout } = await worker;
  expect(exitCode).toBe(1);
  expect(linesOf(stdout).filter(({ level }) => level === 60)).toMatchObject([{ job: "forget" }]);
});

test("an error that a request leaves behind is logged after its response", async () => {
  const server = await host.serve();
  await server.admin.get("/promise");
  const { exitCode, stdout } = await server.process;
  expect(exitCode).toBe(1);
  expect(linesOf(stdout).filter(({ level }) => level === 60)).toMatchObject([
    { route: "/api/promise", requestId: expect.any(String) },
  ]);
});

test("warnings of Node and of libraries are lines of the log", async () => {
  const server = await host.serve();
  server.process.kill("SIGTERM");
  const { stdout, stderr } = await server.process;
  expect(stderr).toBe("");
  expect(linesOf(stdout).filter(({ warning }) => warning !== undefined)).toMatchObject([
    { level: 40, warning: "LibraryWarning", code: "LIB1", msg: "A library\nwarns" },
  ]);
});

async function addJob(): Promise<void> {
  const db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
  await db.query(`
    insert into service.jobs (id, name, input, tries, due_at, scheduled_at)
    values (gen_random_uuid(), 'forget', '{}', 1, now(), now())`);
  await db.end();
}

function said(started: ServerProcess, text: string): Promise<void> {
  let output = "";
  return new Promise((resolve) => {
    started.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes(text)) resolve();
    });
  });
}

function linesOf(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

async function listens(url: string): Promise<boolean> {
  try {
    (await openWire(url)).destroy();
    return true;
  } catch {
    return false;
  }
}
