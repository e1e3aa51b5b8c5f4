import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Embedded, startEmbedded } from "../../runtime/db/index.js";
import { makeAppFolder, removeAppFolder } from "../support/app-folder.js";
import { plain, repository } from "./service.js";

const email = "ann@example.com";
const password = "a long enough pass phrase";
/** Nothing is asked of the public list of stolen passwords; one that is out of reach refuses nothing. */
const env = { ...plain, SERVICE_BREACH_URL: "http://127.0.0.1:9" };
const quiet = ["--prefer-offline", "--no-audit", "--no-fund"];

let folder: string;
let app: string;

/** What a user types, in that folder. */
function type(cwd: string, command: string, args: readonly string[], input = "") {
  return execa(command, args, { cwd, input, env });
}

beforeAll(async () => {
  folder = makeAppFolder();
  const elsewhere = join(folder, "elsewhere");
  app = join(elsewhere, "app");
  mkdirSync(elsewhere);
  // What is tested is the build that `npm test` has just made; other tests run on it meanwhile.
  await type(repository, "npm", ["pack", "--ignore-scripts", "--pack-destination", folder]);
  await type(elsewhere, "npm", ["init", "-y"]);
  await type(elsewhere, "npm", ["install", ...quiet, join(folder, "service-0.4.0.tgz")]);
  await type(elsewhere, "npx", ["service", "init", "app"]);
}, 240_000);
afterAll(() => {
  removeAppFolder(app);
  rmSync(folder, { recursive: true, force: true });
});

test("a starter app installs the package as the folder around it did", async () => {
  const { dependencies } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
  expect(dependencies).toEqual({
    express: expect.any(String),
    service: "file:../../service-0.4.0.tgz",
  });
  await type(app, "npm", ["install", ...quiet]);
  expect(existsSync(join(app, "node_modules/service/dist/bin/service.js"))).toBe(true);
}, 240_000);

test("editors find the schemas that the starter's files name", () => {
  for (const file of ["service.yaml", "resources/tasks.yaml"]) {
    const [, path = ""] =
      /^# yaml-language-server: \$schema=(.+)$/m.exec(readFileSync(join(app, file), "utf8")) ?? [];
    expect(existsSync(join(app, file, "..", path)), path).toBe(true);
  }
});

test("the code of every field kind compiles there without a complaint", async () => {
  cpSync(join(repository, "fixtures/apps/shop/resources"), join(app, "resources"), {
    recursive: true,
  });
  await type(app, "npm", ["run", "generate"]);
  const { stdout } = await type(app, "npm", ["run", "build", "--silent"]);
  expect(stdout).toBe("");
  expect(existsSync(join(app, "dist/server.js"))).toBe(true);
});

test("the commands use the embedded database, and npm start serves it", async () => {
  await type(app, "npm", ["run", "migrate"]);
  const account = ["--email", email, "--name", "Ann", "--role", "admin", "--password-stdin"];
  await type(app, "npx", ["service", "user", "create", ...account], password);
  const database = await startEmbedded({ root: app });
  try {
    const { server, address } = await start(database);
    try {
      const token = await signIn(address);
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = JSON.stringify({ title: "Try it" });
      const created = await fetch(`${address}/api/tasks`, { method: "POST", headers, body });
      expect(created.status).toBe(201);
      const listed = await fetch(`${address}/api/tasks`, { headers });
      expect(await listed.json()).toMatchObject({ data: [{ title: "Try it", status: "open" }] });
    } finally {
      await stop(server);
    }
  } finally {
    await database.stop();
  }
});

/** The process that `npm start` runs in; resolves when it has ended. */
type Server = PromiseLike<unknown> & { readonly pid?: number | undefined };

async function start({ url }: Embedded): Promise<{ server: Server; address: string }> {
  // In a group of its own: npm does not always pass a signal on.
  const server = execa("npm", ["start"], {
    cwd: app,
    env: { ...env, DATABASE_URL: url, PORT: "0" },
    detached: true,
    reject: false,
  });
  let output = "";
  server.stdout.on("data", (chunk) => {
    output += chunk;
  });
  for (let tries = 0; tries < 200; tries += 1) {
    const found = /"address":"(http:[^"]+)"/.exec(output);
    if (found !== null) return { server, address: found[1] ?? "" };
    await sleep(100);
  }
  await stop(server);
  throw new Error(`npm start did not say where it listens:\n${output}`);
}

async function stop(server: Server): Promise<void> {
  if (server.pid !== undefined) process.kill(-server.pid, "SIGTERM");
  await server;
}

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(201);
  const { token } = (await answer.json()) as { token: string };
  return token;
}
