import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { created } from "../support/apps/shop.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import { isRunning } from "../support/processes/processes.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import {
  getAnew,
  instanceOf,
  instances,
  severalWorkers,
  workersOf,
} from "../support/processes/workers.js";

let host: ShopHost;
let other: pg.Client;
beforeAll(async () => {
  host = await openHost(severalWorkers);
  other = new pg.Client({ connectionString: host.databaseUrl });
  await other.connect();
});
afterEach(async () => {
  repairWorkers();
  await other.query("rollback");
});
afterAll(async () => {
  await other.end();
  await host.close();
});

/** What a start that is refused leaves: one line, and nothing that looks like a stack. */
async function refusal(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { exitCode, stderr, stdout } = await host.run(env);
  expect([exitCode, stdout]).toEqual([1, ""]);
  expect(stderr.split("\n")).toHaveLength(1);
  return stderr;
}

test("a start that one process would refuse is refused once", async () => {
  const away = host.databaseUrl.replace(/:\d+\//, ":1/");
  expect(await refusal({ DATABASE_URL: away })).toMatch(/^The database cannot be reached/);
  const nothing = host.databaseUrl.replace(new URL(host.databaseUrl).pathname, "/nothing");
  expect(await refusal({ DATABASE_URL: nothing })).toMatch(/^The database refuses/);
  await other.query("drop database if exists empty");
  await other.query("create database empty");
  const empty = host.databaseUrl.replace(new URL(host.databaseUrl).pathname, "/empty");
  expect(await refusal({ DATABASE_URL: empty })).toMatch(/ \(run: npx service migrate\)$/);
  expect(await refusal({ SERVICE_SECRET: "short" })).toMatch(/SERVICE_SECRET/);
  expect(await refusal({ WORKERS: "0" })).toMatch(/^service\.yaml:2:\d+.* from 1 to 64/);
});

test("a start on a port that is taken is refused once, with one line", async () => {
  const server = await host.serve();
  expect(await refusal({ PORT: new URL(server.url).port })).toMatch(/EADDRINUSE.*PORT/);
  await stopped(server);
});

test("a worker that exits before it listens ends the start with 1 and one line", async () => {
  breakWorkers();
  expect(await refusal()).toBe("A server process ended before it listened: exit status 3");
});

test("replacements that never listen end the server with 1 and one line", async () => {
  const server = await host.serve();
  const [victim = 0, survivor = 0] = workersOf(server.process);
  breakWorkers();
  process.kill(victim, "SIGKILL");
  const { exitCode, stderr } = await server.process;
  expect([exitCode, stderr]).toEqual([
    1,
    "5 server processes in a row ended before they listened: exit status 3",
  ]);
  expect(isRunning(survivor)).toBe(false);
});

test.each([
  ["the primary alone, as Docker does", (server: ShopServer) => [server.process.pid ?? 0]],
  [
    "every process, as a terminal and systemd do",
    (server: ShopServer) => [...workersOf(server.process), server.process.pid ?? 0],
  ],
])("a signal to %s lets requests in progress finish", async (_, targets) => {
  const server = await host.serve();
  const workers = workersOf(server.process);
  const { changes, finish } = await changesUnderWay(server);
  for (const pid of targets(server)) process.kill(pid, "SIGTERM");
  await expect.poll(() => refuses(server)).toBe(true);
  await finish();
  const replies = await Promise.all(changes);
  expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
  expect(new Set(replies.map(instanceOf)).size).toBe(2);
  const { exitCode, stderr } = await server.process;
  expect([exitCode, stderr, workers.filter(isRunning)]).toEqual([0, "", []]);
});

test("a second signal ends requests in progress at once, with 1", async () => {
  const server = await host.serve();
  const workers = workersOf(server.process);
  const { changes, finish } = await changesUnderWay(server);
  server.process.kill("SIGTERM");
  await expect.poll(() => refuses(server)).toBe(true);
  // A signal that comes sooner is of the same key press.
  await sleep(700);
  expect(workers.filter(isRunning)).toEqual(workers);
  server.process.kill("SIGTERM");
  const cut = await Promise.all(changes.map((change) => change.catch((error) => error)));
  expect(cut).toEqual(changes.map(() => expect.any(Error)));
  expect((await server.process).exitCode).toBe(1);
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
  await finish();
});

test("a signal to one worker lets its requests finish, and another replaces it", async () => {
  const server = await host.serve();
  const before = await instances(server);
  const { changes, finish } = await changesUnderWay(server);
  const [leaving = 0] = workersOf(server.process);
  process.kill(leaving, "SIGTERM");
  await finish();
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
  await expect.poll(() => isRunning(leaving)).toBe(false);
  await expect.poll(async () => (await instances(server)).size).toBe(2);
  expect(await instances(server)).not.toEqual(before);
  await stopped(server);
});

test("a signal during the start ends every process", async () => {
  const started = host.run({ WORKERS: "4" });
  await expect.poll(() => workersOf(started).length, { interval: 5 }).toBeGreaterThan(0);
  const workers = workersOf(started);
  started.kill("SIGTERM");
  const { exitCode, stdout } = await started;
  expect([exitCode, stdout]).toEqual([0, ""]);
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
});

async function stopped(server: ShopServer): Promise<void> {
  server.process.kill("SIGTERM");
  expect((await server.process).exitCode).toBe(0);
}

/** Changes in every process that wait for a lock until `finish` lets it go. */
async function changesUnderWay(server: ShopServer) {
  const { admin, category } = server;
  const names = Array.from({ length: 6 }, (_, at) => `${server.process.pid} ${at}`);
  const rows = await Promise.all(
    names.map((name) => created(admin, "products", { name, price: 1, categoryId: category.id })),
  );
  await other.query("begin");
  await other.query("lock table products");
  const changes = rows.map(({ id }) => admin.patch(`/products/${id}`, { price: 2 }));
  await expect.poll(waiting).toBe(changes.length);
  return { changes, finish: () => other.query("rollback") };
}

/** How many statements wait for a lock. */
async function waiting(): Promise<number | null> {
  return (await other.query(lockWaiters)).rowCount;
}

function refuses({ anonymous }: ShopServer): Promise<boolean> {
  return getAnew(anonymous, "/auth/config").then(
    () => false,
    ({ code }) => code === "ECONNREFUSED",
  );
}

let whole: string | null = null;

/** Lets the app's own code end each worker that starts from here on in this test. */
function breakWorkers(): void {
  const file = join(host.root, "dist/server.js");
  whole = readFileSync(file, "utf8");
  const own = 'import cluster from "node:cluster";\nif (cluster.isWorker) process.exit(3);\n';
  writeFileSync(file, own + whole);
}

function repairWorkers(): void {
  if (whole === null) return;
  const file = join(host.root, "dist/server.js");
  rmSync(file);
  writeFileSync(file, whole);
  whole = null;
}
