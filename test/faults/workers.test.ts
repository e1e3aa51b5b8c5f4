import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newName } from "../support/apps/shop.js";
import { client } from "../support/http/client.js";
import { isRunning } from "../support/processes/processes.js";
import { account, openHost, type ShopHost } from "../support/processes/shop-process.js";
import { getAnew, instances, severalWorkers, workersOf } from "../support/processes/workers.js";
import { isLong } from "../support/searches.js";

let host: ShopHost;
let other: pg.Client;
beforeAll(async () => {
  host = await openHost(severalWorkers);
  other = await connected();
});
afterAll(async () => {
  await other.end();
  await host.close();
});

async function connected(): Promise<pg.Client> {
  const connection = new pg.Client({ connectionString: host.databaseUrl });
  connection.on("error", () => {});
  await connection.connect();
  return connection;
}

const several = isLong ? "4" : "2";

test.each([2, 4])("%i processes answer on one port, in turn, and one logs it", async (count) => {
  const server = await host.serve({ WORKERS: String(count) });
  expect(workersOf(server.process)).toHaveLength(count);
  expect((await instances(server)).size).toBe(count);
  server.process.kill("SIGTERM");
  const { exitCode, stdout } = await server.process;
  expect([exitCode, stdout.match(/is listening on/g)?.length]).toEqual([0, 1]);
});

test("the primary holds no connection to the database", async () => {
  const started = host.run();
  await new Promise((resolve) => started.stdout.once("data", resolve));
  // No worker has been asked for anything yet.
  expect(await connections()).toBe(0);
  started.kill("SIGTERM");
  await started;
});

test("a token that is revoked through one process is refused by all at the next request", async () => {
  const server = await host.serve({ WORKERS: several });
  const caller = client(server.url, await signIn(server.url));
  const answers = async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 12; sent += 1) {
      statuses.add((await getAnew(caller, "/auth/me")).status);
    }
    return [...statuses];
  };
  expect(await answers()).toEqual([200]);
  expect((await caller.delete("/auth/token")).status).toBe(204);
  expect(await answers()).toEqual([401]);
  server.process.kill("SIGTERM");
  await server.process;
});

test("password attempts are counted over all processes", async () => {
  const server = await host.serve({ WORKERS: several });
  const email = `${newName("somebody").replace(" ", "-")}@example.com`;
  const text = JSON.stringify({ email, password: "a wrong password" });
  const statuses: number[] = [];
  for (let sent = 0; sent < 12; sent += 1) {
    const headers = { connection: "close" };
    statuses.push((await server.anonymous.send("POST", "/auth/token", { text, headers })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  server.process.kill("SIGTERM");
  await server.process;
});

test("a worker killed under load is replaced, and later requests are answered", async () => {
  const server = await host.serve();
  const before = await instances(server);
  const workers = workersOf(server.process);
  const [victim = 0] = workers;
  let over = false;
  const failures: unknown[] = [];
  const load = Array.from({ length: 8 }, async () => {
    while (!over) {
      const reply = await getAnew(server.admin, "/products").catch((error) => error);
      if (reply.status !== 200) failures.push(reply);
      // Leaves some of the processors to the replacement's start.
      if (!isLong) await sleep(20);
    }
  });
  process.kill(victim, "SIGKILL");
  await expect.poll(() => workersOf(server.process).includes(victim)).toBe(false);
  await expect.poll(async () => (await instances(server)).size, { timeout: 120_000 }).toBe(2);
  over = true;
  await Promise.all(load);
  // At most what the killed process was at.
  expect(failures.length).toBeLessThanOrEqual(8);
  const after = await instances(server);
  expect([...after].filter((one) => before.has(one))).toHaveLength(1);
  server.process.kill("SIGTERM");
  const { stdout } = await server.process;
  expect(stdout).toMatch(new RegExp(`"process":${victim},"reason":"SIGKILL"`));
  // The replacement starts beside the load, which takes every processor that it gets.
}, 180_000);

test("connections are accepted while every worker is being replaced, and answered afterwards", async () => {
  const server = await host.serve();
  for (const worker of workersOf(server.process)) process.kill(worker, "SIGKILL");
  const ask = () =>
    getAnew(server.admin, "/products").then(
      ({ status }) => status,
      ({ code }) => code,
    );
  const answers = Array.from({ length: 50 }, ask);
  await expect.poll(() => workersOf(server.process).length).toBe(2);
  answers.push(...Array.from({ length: 50 }, ask));
  const failures = (await Promise.all(answers)).filter((answer) => answer !== 200);
  // A killed process had accepted a few at most; nobody was refused.
  expect(failures.filter((code) => code !== "ECONNRESET")).toEqual([]);
  expect(failures.length).toBeLessThanOrEqual(2);
  server.process.kill("SIGTERM");
  expect((await server.process).exitCode).toBe(0);
});

test("a worker is replaced while the database is down and settings are being edited", async () => {
  const server = await host.serve();
  const file = join(host.root, "service.yaml");
  const settings = readFileSync(file, "utf8");
  writeFileSync(file, "server: { port: nonsense");
  await host.stopDatabase();
  const [victim = 0] = workersOf(server.process);
  process.kill(victim, "SIGKILL");
  await expect.poll(() => isRunning(victim)).toBe(false);
  await expect.poll(async () => (await instances(server)).size).toBe(2);
  await host.startDatabase();
  writeFileSync(file, settings);
  other = await connected();
  const answers = Array.from({ length: 8 }, () => getAnew(server.admin, "/products"));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  server.process.kill("SIGTERM");
  expect((await server.process).exitCode).toBe(0);
});

test("workers exit when their primary is killed", async () => {
  const server = await host.serve({ WORKERS: several });
  const workers = workersOf(server.process);
  server.process.kill("SIGKILL");
  await server.process;
  await expect.poll(() => workers.filter(isRunning)).toEqual([]);
});

async function signIn(url: string): Promise<string> {
  const reply = await client(url, null).post<{ token: string }>("/auth/token", account);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.token;
}

async function connections(): Promise<number> {
  const { rows } = await other.query(
    `select count(*)::int as count
     from pg_stat_activity
     where datname = current_database()
       and pid <> pg_backend_pid()`,
  );
  return rows[0].count;
}
