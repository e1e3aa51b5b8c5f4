import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { execa, type Options } from "execa";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../../bin/embedded/port.js";
import { openDatabase } from "../../runtime/db/index.js";
import { plain, repository } from "../cli/service.js";
import { ask } from "../runtime/dashboard/support/ask.js";
import { addAccount, newSession } from "../support/accounts/accounts.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase } from "../support/database/database.js";
import { buildImage } from "../support/deploy/build-image.js";
import { type Listened, listen } from "../support/processes/listened.js";
import { diskFolder } from "../support/processes/temporary.js";
import { atTerminal, hasTerminal } from "../support/processes/terminal.js";
import { block } from "./pages.js";

// npm installs the package three times, from its cache where it can: the clone's once, for both blocks that begin with
// it.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** Milliseconds: npm says nothing while it installs and builds, which takes minutes on a busy machine. */
const installMs = 400_000;

const password = "your password";
const env = {
  ...plain,
  // Nothing is asked of the public list of stolen passwords; one that is out of reach refuses nothing.
  SERVICE_BREACH_URL: "http://127.0.0.1:9",
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
};

/** Holds the clone, and the app that is made next to it. */
let folder: string;
let clone: string;
let app: string;
let dev: Listened;
/** Where `dev` serves, which is 3000 only where nothing else does. */
let address: string;

const own = "0.5.0.tgz";

/** Types a block into a shell of that folder, which ends at its first failure as a reader would. */
function typed(cwd: string, text: string, options: Options = {}) {
  return execa("bash", ["-ec", text], { cwd, env, stdin: "ignore", ...options });
}

/** Types one that runs until it is stopped, and then signals whatever runs as Ctrl+C does. */
function typedOn(cwd: string, text: string, more: Readonly<Record<string, string>> = {}) {
  // In one pipe, so that the lines come in the order in which they were written.
  const child = execa("bash", ["-ec", `exec 2>&1\n${text}`], {
    cwd,
    env: { ...env, ...more },
    stdin: "ignore",
    detached: true,
    buffer: false,
    reject: false,
  });
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
  };
  return {
    ...listen({ output: child.stdout, ended: child, end }),
    ended: child,
    group: child.pid ?? 0,
  };
}

/** The process of that group which serves. */
async function serverOf(group: number): Promise<number> {
  const { stdout } = await execa("ps", ["-A", "-o", "pid=,pgid=,args="]);
  const processes = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  const found = processes.find(
    ([, of, program]) => Number(of) === group && /(?:^|\/)node$/.test(program ?? ""),
  );
  return Number(found?.[0]);
}

beforeAll(async () => {
  folder = makeAppFolder(diskFolder);
  clone = join(folder, "service");
  app = join(folder, "shop");
  const left =
    /^(?:node_modules|(?:runtime\/)?dist|\.git|\.demo)(?:\/|$)|^fixtures\/.*\/(?:dist|storage|\.service)(?:\/|$)|\.tgz$/;
  cpSync(repository, clone, {
    recursive: true,
    filter: (source) => !left.test(relative(repository, source)),
  });
});
afterAll(async () => {
  await dev?.stop();
  removeAppFolder(app);
  removeAppFolder(join(clone, ".demo"));
  rmSync(folder, { recursive: true, force: true });
});

test("the demo runs in a fresh clone", async () => {
  const demo = typedOn(clone, block("README", "Try it"));
  await demo.sees(
    /\d+ records loaded\.\s+Dashboard: +http:\S+\s+Sign in: +admin@example\.com[\s\S]+Ctrl\+C ends/,
    installMs,
  );
  await demo.stop();
  expect(demo.all()).toMatch(/Stopped\s*$/);
});

test("a new app starts from a fresh clone", async () => {
  // The demo has installed what this would install again.
  const commands = block("README", "Start your own app");
  dev = typedOn(clone, commands.replace("npm ci && ", ""));
  address = (await dev.sees(/answers on (http:\S+)\/api/, installMs))[1] ?? "";
  // npm asks about install scripts that the app's package.json says nothing of.
  expect(dev.all()).not.toMatch(/allow-?scripts|install-scripts/i);
  expect(existsSync(join(app, "node_modules/service-cli/dist/bundle/service.js"))).toBe(true);
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(app, "package.json"), "utf8"),
  );
  expect(dependencies).toEqual({
    express: expect.any(String),
    "service-runtime": `file:vendor/service-runtime-${own}`,
  });
  expect(devDependencies["service-cli"]).toBe(`file:vendor/service-cli-${own}`);
});

test.skipIf(!hasTerminal)("an account is created and signed in while it runs", async () => {
  const home = join(folder, "home");
  mkdirSync(home);
  const port = new URL(address).port;
  const mapping = `connect-to = "127.0.0.1:3000:127.0.0.1:${port}"\nnoproxy = "*"\n`;
  writeFileSync(join(home, ".curlrc"), mapping);
  writeFileSync(join(home, "block.sh"), block("README", "Start your own app", 2));
  const { exitCode, output } = await atTerminal(
    `bash -e '${join(home, "block.sh")}'`,
    [password, password],
    { cwd: app, env: { ...env, CURL_HOME: home } },
  );
  expect(exitCode, output).toBe(0);
  expect(output).toMatch(/you@example\.com can sign in as admin[\s\S]*\{"token":"[\w-]{43}",/);
});

let starterServer = "";

test("the README's code compiles in the starter app, and runs", async () => {
  starterServer = readFileSync(join(app, "server.ts"), "utf8");
  writeFileSync(join(app, "server.ts"), block("README", "App code"));
  await dev.sees(/Changed: server\.ts/);
  const [between, newAddress = ""] = await dev.sees(/[\s\S]*?answers on (http:\S+)\/api/);
  expect(between).not.toMatch(/error TS/);
  expect((await fetch(`${newAddress}/api/whoami`)).status).toBe(401);
});

test("the examples of the starter's server.ts compile when they are uncommented", async () => {
  const commented = /^( *)\/\/ (?!Your own code)/gm;
  expect(starterServer.match(commented)).toHaveLength(18);
  writeFileSync(join(app, "server.ts"), starterServer.replace(commented, "$1"));
  await dev.sees(/Changed: server\.ts/);
  const [between, newAddress = ""] = await dev.sees(/[\s\S]*?answers on (http:\S+)\/api/);
  expect(between).not.toMatch(/error TS/);
  expect((await fetch(`${newAddress}/api/open-tasks`)).status).toBe(401);
});

test("the hooks of the page on app code compile", async () => {
  writeFileSync(join(app, "server.ts"), block("docs/own-code", "Hooks"));
  await dev.sees(/Changed: server\.ts/);
  const [between] = await dev.sees(/[\s\S]*?answers on (http:\S+)\/api/);
  expect(between).not.toMatch(/error TS/);
});

test("the server that serves the dashboard compiles, and its page and API respond", async () => {
  writeFileSync(join(app, "server.ts"), block("docs/dashboard", "In your server"));
  await dev.sees(/Changed: server\.ts/);
  const [between, newAddress = ""] = await dev.sees(/[\s\S]*?answers on (http:\S+)\/api/);
  expect(between).not.toMatch(/error TS/);
  // Not by `fetch`, which says that no page is wanted.
  const page = await ask(newAddress, "GET", "/account/devices", {
    headers: { accept: "text/html" },
  });
  expect(page.text).toContain('<div id="root">');
  const headers = { accept: "application/json", "service-dashboard": "1" };
  expect((await ask(newAddress, "GET", "/api/auth/config", { headers })).status).toBe(200);
});

test("the server of the page on app code compiles", async () => {
  writeFileSync(
    join(app, "server.ts"),
    block("docs/own-code", "App code: hooks, policies, routes"),
  );
  await dev.sees(/Changed: server\.ts/);
  const [between, newAddress = ""] = await dev.sees(/[\s\S]*?answers on (http:\S+)\/api/);
  expect(between).not.toMatch(/error TS/);
  const answer = await fetch(`${newAddress}/api/hello`);
  expect(await answer.json()).toEqual({ hello: "world" });
  expect((await fetch(`${newAddress}/api/whoami`)).status).toBe(401);
  await dev.sees(/^GET \/api\/hello$/m);
  await dev.stop();
});

test("code with a mistake is not compiled", async () => {
  const server = readFileSync(join(app, "server.ts"), "utf8");
  writeFileSync(join(app, "server.ts"), `${server}export const one: string = 1;\n`);
  const { exitCode, stdout } = await typed(app, "npm run build", { reject: false });
  expect(exitCode).not.toBe(0);
  expect(stdout).toMatch(/server\.ts\(\d+,\d+\): error TS2322/);
  // The compiler keeps what it knows of the files there.
  expect(readdirSync(join(app, "dist"))).toEqual(["tsconfig.tsbuildinfo"]);
  writeFileSync(join(app, "server.ts"), server);
});

test("production compiles every kind of field and app code in any folder, migrates and serves, and ends at SIGTERM", async () => {
  cpSync(join(repository, "fixtures/apps/shop/resources"), join(app, "resources"), {
    recursive: true,
  });
  await typed(app, "npm run generate");
  mkdirSync(join(app, "rules/deep"), { recursive: true });
  writeFileSync(join(app, "rules/deep/prices.ts"), 'console.log("prices are loaded");\n');
  const own = readFileSync(join(app, "server.ts"), "utf8");
  writeFileSync(join(app, "server.ts"), `import "./rules/deep/prices.js";\n${own}`);
  // A newer version is put into `vendor/` and installed; the app's own test then passes.
  const { stdout: upgraded } = await typed(app, block("docs/upgrading", "Steps"));
  expect(upgraded).toMatch(/pass 1\b/);
  const database = await emptyDatabase();
  const production = {
    NODE_ENV: "production",
    DATABASE_URL: database.url,
    SERVICE_SECRET: "a secret of the tests, long enough",
    SERVICE_WEB_URL: "https://shop.example",
    PORT: "0",
  };
  const server = typedOn(app, block("docs/deployment", "3. Build, migrate, start"), production);
  await server.sees(/^prices are loaded$/m);
  const [, origin = ""] = await server.sees(/"address":"(http:[^"]+)"/);
  expect((await fetch(`${origin}/api/hello`)).status).toBe(200);
  process.kill(await serverOf(server.group), "SIGTERM");
  expect(await server.ended).toMatchObject({ exitCode: 0 });

  // What the page copies is enough for the server, and for what it says of itself, without what it removes.
  const deployed = join(folder, "deployed");
  const copied = block("docs/deployment", "3. Build, migrate, start", 2);
  await typed(app, copied.replaceAll("/srv/shop", deployed));
  expect(existsSync(join(deployed, "node_modules/typescript"))).toBe(false);
  const { stdout } = await typed(deployed, "npx service doctor", {
    env: { ...env, ...production },
  });
  expect(stdout).toMatch(/^ok +database: /m);
  const copy = typedOn(deployed, "npx service migrate\nnode dist/server.js", production);
  const [, address = ""] = await copy.sees(/"address":"(http:[^"]+)"/);
  const db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  const person = { email: "ada@example.com", role: null, name: "Ada", password: "a password" };
  const authorization = `Bearer ${await newSession(db, await addAccount(db, person))}`;
  await db.close();
  const path = `${address}/api/_service/openapi.json`;
  const answer = await fetch(path, { headers: { authorization } });
  expect(answer.status).toBe(200);
  const document = JSON.parse(readFileSync(join(app, "generated/openapi.json"), "utf8"));
  expect(await answer.json()).toEqual({ ...document, servers: [{ url: `${address}/api` }] });
  process.kill(await serverOf(copy.group), "SIGTERM");
  expect(await copy.ended).toMatchObject({ exitCode: 0 });
  await database.drop();
});

test("the image that `init --deploy docker` describes serves from its own files, as an ordinary account", async () => {
  await typed(app, "npx service init . --deploy docker");
  // What must not be in it.
  writeFileSync(join(app, ".env"), "SERVICE_SECRET=a secret that no image holds, of course\n");
  const isRoot = process.getuid?.() === 0;
  const into = join(folder, "image");
  const image = await buildImage({
    dockerfile: readFileSync(join(app, "Dockerfile"), "utf8"),
    ignored: readFileSync(join(app, ".dockerignore"), "utf8"),
    ...{ context: app, into, env, account: isRoot ? "nobody:nogroup" : `${process.getuid?.()}` },
  });
  const { root } = image;
  expect([".env", ".service", "deploy"].filter((name) => existsSync(join(root, name)))).toEqual([]);
  const { stdout: size } = await execa("du", ["-sm", join(root, "node_modules")]);
  const { stdout: largest } = await execa(
    "sh",
    ["-c", "du -sm node_modules/* node_modules/@*/* | sort -rn | head -12"],
    { cwd: root },
  );
  process.stderr.write(`node_modules of the image, in MB: ${size}\n${largest}\n`);
  expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(95);

  for (const path of [folder, into, join(into, "last")]) chmodSync(path, 0o755);
  const database = await emptyDatabase();
  const port = await freePort("127.0.0.1");
  const account = {
    cwd: root,
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
    env: {
      ...{ PATH: process.env.PATH, HOME: "/nonexistent", ...image.env },
      ...{ HOST: "127.0.0.1", PORT: String(port), DATABASE_URL: database.url },
      ...{ SERVICE_SECRET: "a secret of the tests, long enough" },
      SERVICE_WEB_URL: "https://shop.example",
    },
    extendEnv: false,
    stdin: "ignore",
    reject: false,
  } as const;
  const own = "node_modules/.bin/service";
  const migrated = await execa(own, ["migrate"], account);
  expect(migrated.exitCode, migrated.stderr).toBe(0);
  for (const command of [["doctor"], ["user", "list"], ["routes"], ["token", "list"], ["--help"]]) {
    const { exitCode, stderr } = await execa(own, command, account);
    expect(exitCode, `${command}: ${stderr}`).toBe(0);
  }
  const [program = "", ...args] = image.command;
  const server = execa(program, args, account);
  await listen({ output: server.stdout, ended: server, end: () => server.kill() }).sees(
    /"address":"http:/,
  );
  const ready = await fetch(`http://127.0.0.1:${port}/api/_service/ready`);
  expect(await ready.json()).toMatchObject({
    status: "ok",
    checks: { database: "ok", migrations: "ok", storage: "ok" },
  });
  const [asks = "", ...question] = image.health;
  expect((await execa(asks, question, account)).exitCode).toBe(0);
  server.kill("SIGTERM");
  expect((await server).exitCode).toBe(0);
  expect((await execa(asks, question, account)).exitCode).toBe(1);
  await database.drop();
});

test("editors find the schemas that the starter's files name", () => {
  for (const file of ["service.yaml", "resources/tasks.yaml"]) {
    const [, path = ""] =
      /^# yaml-language-server: \$schema=(.+)$/m.exec(readFileSync(join(app, file), "utf8")) ?? [];
    expect(existsSync(join(app, file, "..", path)), path).toBe(true);
  }
});
