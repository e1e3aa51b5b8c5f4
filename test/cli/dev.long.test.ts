import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { freePort } from "../../bin/embedded/port.js";
import { putEmbeddedData } from "../support/database/embedded-data.js";
import {
  answersOf,
  type Dev,
  type DevApp,
  openDevApp,
  startDevIn,
  statusOf,
} from "./dev-process.js";
import { service } from "./service.js";

// Compiling, PostgreSQL and the server start again many times, and may share the machine with much else: a
// test waits for what `dev` prints, and only for that.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let app: DevApp;
let root: string;
let dev: Dev;

beforeEach(async () => {
  app = await openDevApp();
  root = app.root;
});
afterEach(async () => {
  await dev.stop();
  await app.close();
});

/** For tests of that database, which has run before. */
async function useEmbedded(): Promise<void> {
  rmSync(join(root, ".env"));
  await putEmbeddedData(root);
}

function startDev(env?: Readonly<Record<string, string>>): Dev {
  return startDevIn(root, env);
}

function answers(): Promise<string> {
  return answersOf(dev);
}

async function ping(address: string): Promise<unknown> {
  return (await fetch(`${address}/_service/ping`)).json();
}

/** Waits until nothing listens there any more. */
async function expectRefused(address: string): Promise<void> {
  const isRefused = () =>
    fetch(address).then(
      () => false,
      () => true,
    );
  while (!(await isRefused())) await sleep(100);
}

function write(path: string, text: string): void {
  app.write(path, text);
}

function read(path: string): string {
  return app.read(path);
}

/** Whether the embedded database's lock file is there. */
function databaseRuns(): boolean {
  const { data } = JSON.parse(read(".service/database.json"));
  return existsSync(join(resolve(root, data), "postmaster.pid"));
}

test("runs the app, stops everything at Ctrl+C, and finds the database again", async () => {
  await useEmbedded();
  dev = startDev();
  const address = await answers();
  const first = await ping(address);
  expect(first).toEqual({ service: "0.5.0", app: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(await statusOf(address, "/tasks")).toBe(401);
  expect((await service(root, ["migrate", "--status"])).exitCode).toBe(0);
  expect(databaseRuns()).toBe(true);

  // One that no test waits for.
  const forgotten = "setTimeout(() => void Promise.reject(new Error('forgotten')), 50);";
  write("server.ts", `${read("server.ts")}${forgotten}\n`);
  await dev.sees(/^.*Uncaught error at server\.ts:\d+:\d+: Error: forgotten$/m);
  await dev.sees(/The server restarts/);
  await answers();
  write("server.ts", read("server.ts").replace(forgotten, ""));
  await answers();

  dev.kill("SIGINT");
  expect(await dev.ended).toBe(0);
  await expectRefused(address);
  expect(databaseRuns()).toBe(false);

  dev = startDev();
  expect(await ping(await answers())).toEqual(first);
});

const changes: readonly (readonly [string, (tasks: string) => string])[] = [
  ["a new field", (tasks: string) => `${tasks}  points: { type: number, required: true }\n`],
  [
    "a requirement",
    (tasks: string) => tasks.replace("type: text }", "type: text, required: true }"),
  ],
];

test.for(changes)(
  "sets aside a pending migration of %s that the rows refuse and the descriptors no longer need",
  async ([_, change]) => {
    expect((await service(root, ["generate"])).exitCode).toBe(0);
    expect((await service(root, ["migrate"])).exitCode).toBe(0);
    await app.insertTask();
    const tasks = read("resources/tasks.yaml");
    write("resources/tasks.yaml", change(tasks));
    await service(root, ["generate", "--name", "unwanted", "--allow-destructive", "tasks"]);
    expect(existsSync(join(root, "migrations/0002_unwanted.sql"))).toBe(true);

    write("resources/tasks.yaml", tasks);
    dev = startDev();
    await dev.sees(/^migrations\/0002_unwanted\.sql:\d+: 1 row of tasks /m);
    await dev.sees(
      /migrations\/0002_unwanted\.sql: refused and not applied, so it is generated again/,
    );
    await answers();
    const names = readdirSync(join(root, "migrations"));
    expect(names.filter((name) => /^000[23]/.test(name))).toEqual([]);
    expect(existsSync(join(root, ".service/set-aside/0002_unwanted.sql"))).toBe(true);
    expect((await service(root, ["migrate", "--status"])).exitCode).toBe(0);
  },
);

test("continues after a reset of its database", async () => {
  await useEmbedded();
  dev = startDev();
  const address = await answers();
  const signIn = async () => {
    const answer = await fetch(`${address}/auth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "nobody@example.com", password: "a lantern in the orchard" }),
    });
    return answer.status;
  };
  expect(await signIn()).toBe(401);
  const { exitCode, stdout } = await service(root, ["db", "reset", "--yes"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Applied \d+ migrations again, because the database is in use$/m);
  expect(await signIn()).toBe(401);
  const embedded = await startEmbedded({ root });
  await app.insertTask(embedded.url);
  await embedded.stop();
});

async function occupyPort() {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const bound = squatter.address();
  return { squatter, port: typeof bound === "object" && bound !== null ? bound.port : 0 };
}

test("uses the next free port when its own is taken, and seeds an app without records", async () => {
  const { squatter, port } = await occupyPort();
  mkdirSync(join(root, "seed"));
  const id = "018f0000-0000-7000-8000-000000000001";
  write("seed/tasks.yaml", `key: id\nrecords: [{ id: ${id}, title: One }, { id: Two }]\n`);
  try {
    dev = startDev({ PORT: String(port) });
    await dev.sees(/^seed\/tasks\.yaml:2:\d+: id: A value is required/m);
    const [, used] = await dev.sees(new RegExp(`Port ${port} is taken; using (\\d+)`));
    const address = await answers();
    expect(address).toBe(`http://127.0.0.1:${used}/api`);
    write("seed/tasks.yaml", `key: id\nrecords: [{ id: ${id}, title: One }]\n`);
    await dev.sees(/tasks: 1 created, 0 updated, 0 unchanged/);
    write("seed/tasks.yaml", `key: id\nrecords: [{ id: ${id}, title: Two }]\n`);
    await dev.sees(/Changed: seed/);
    // No change of seed files starts it again.
    expect(await statusOf(address, "/tasks")).toBe(401);
    expect(dev.all().match(/listening/g)).toHaveLength(1);
  } finally {
    squatter.close();
  }
});

test("takes another port if its own was taken meanwhile, and announces only its own server", async () => {
  const port = await freePort("127.0.0.1");
  const faster = `if (process.env.PORT === "${port}") {
    await new Promise<void>((resolve) => createServer().listen(${port}, "127.0.0.1", resolve));
  }`;
  const [imported, ...rest] = read("server.ts").split("\n");
  write(
    "server.ts",
    [imported, 'import { createServer } from "node:net";', faster, ...rest].join("\n"),
  );
  dev = startDev({ PORT: String(port) });
  const [, used] = await dev.sees(new RegExp(`Port ${port} is taken; using (\\d+)`));
  expect(await answers()).toBe(`http://127.0.0.1:${used}/api`);
  expect(dev.all().match(/listening/g)).toHaveLength(1);
});

test("leaves no server behind when it is killed, and starts again on the same database", async () => {
  await useEmbedded();
  dev = startDev();
  const address = await answers();
  const first = await ping(address);
  dev.kill("SIGKILL");
  await dev.ended;
  await expectRefused(address);

  dev = startDev();
  expect(await ping(await answers())).toEqual(first);
});
