import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startEmbedded } from "../../bin/embedded/load.js";
import { freePort } from "../../bin/port.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { createDatabase, type TestDatabase } from "../support/database/database.js";
import { client } from "../support/http/client.js";
import { getAnew, instanceOf } from "../support/processes/workers.js";
import { answersOf, type Dev, startDevIn } from "./dev-process.js";
import { service, starterApp } from "./service.js";

// Compiling, PostgreSQL and the server start anew many times, and may share the machine with much else: a
// test waits for what `dev` prints, and only for that.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let root: string;
let database: TestDatabase;
let dev: Dev;

beforeEach(async () => {
  root = await starterApp();
  database = await createDatabase();
  // What is tested here is the same with the embedded database, which takes seconds to make.
  write(".env", `DATABASE_URL=${database.url}\n`);
});
afterEach(async () => {
  await dev.stop();
  await database.drop();
  removeAppFolder(root);
});

/** For tests of that database. */
function useEmbedded(): void {
  rmSync(join(root, ".env"));
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

async function status(address: string, path: string): Promise<number> {
  return (await fetch(`${address}${path}`)).status;
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
  writeFileSync(join(root, path), text);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Besides the running app, as any other command would. */
async function insertTask(url = database.url): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("insert into tasks (id, title) values (gen_random_uuid(), 'One')");
  await client.end();
}

/** Whether the embedded database's lock file is there. */
function databaseRuns(): boolean {
  const { data } = JSON.parse(read(".service/database.json"));
  return existsSync(join(resolve(root, data), "postmaster.pid"));
}

test("runs the app, stops everything at Ctrl+C, and finds the database again", async () => {
  useEmbedded();
  dev = startDev();
  const address = await answers();
  const first = await ping(address);
  expect(first).toEqual({ service: "0.4.0", app: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(await status(address, "/tasks")).toBe(401);
  expect((await service(root, ["migrate", "--status"])).exitCode).toBe(0);
  expect(databaseRuns()).toBe(true);

  dev.kill("SIGINT");
  expect(await dev.ended).toBe(0);
  await expectRefused(address);
  expect(databaseRuns()).toBe(false);

  dev = startDev();
  expect(await ping(await answers())).toEqual(first);
});

test("generates, migrates and starts again on a change", async () => {
  dev = startDev();
  const address = await answers();
  write("resources/people.yaml", "fields:\n  name: { type: string }\n");
  await dev.sees(/New migration: migrations\/0002_create_people\.sql/);
  expect(await answers()).toBe(address);
  expect(await status(address, "/people")).toBe(401);

  write(
    "resources/tasks.yaml",
    read("resources/tasks.yaml").replace("label: Tasks", "label: Jobs"),
  );
  expect(await answers()).toBe(address);
  expect(read("generated/descriptors.json")).toContain("Jobs");

  write(
    "server.ts",
    read("server.ts").replace("await app.listen", 'console.log("mine");\nawait app.listen'),
  );
  await dev.sees(/^mine$/m);
  expect(await answers()).toBe(address);
});

test("sees an image profile that service.yaml gets", async () => {
  dev = startDev();
  await answers();
  write("resources/sights.yaml", "fields:\n  view: { type: image, profile: panorama }\n");
  await dev.sees(/resources\/sights\.yaml:2:33: there is no image profile "panorama"/);
  write(
    "service.yaml",
    `${read("service.yaml")}uploads: { profiles: { panorama: { width: 3000, height: 800 } } }\n`,
  );
  await dev.sees(/New migration: migrations\/0002_create_sights\.sql/);
  await answers();
});

test("takes back a migration that the rows forbid, so that the mended one finds its place", async () => {
  dev = startDev();
  await answers();
  await insertTask();
  const tasks = read("resources/tasks.yaml");
  write("resources/tasks.yaml", `${tasks}  points: { type: number, required: true }\n`);
  await dev.sees(
    /^migrations\/0002_change_tasks_points\.sql:\d+: 1 row of tasks would have no .*\n {2}this query shows them: select .*;\n {2}hint: change the descriptor, or change those rows and save it again; the migration that was just written is removed\nThe server continues unchanged$/m,
  );
  expect(existsSync(join(root, "migrations/0002_change_tasks_points.sql"))).toBe(false);

  write("resources/tasks.yaml", `${tasks}  points: { type: number, required: true, default: 1 }\n`);
  await dev.sees(/New migration: migrations\/0002_change_tasks_points\.sql/);
  await answers();
  expect((await service(root, ["migrate", "--status"])).exitCode).toBe(0);
});

test.each([
  ["a new field", (tasks: string) => `${tasks}  points: { type: number, required: true }\n`],
  [
    "a requirement",
    (tasks: string) => tasks.replace("type: text }", "type: text, required: true }"),
  ],
])(
  "sets aside a pending migration of %s that the rows refuse and nobody wants any more",
  async (_, change) => {
    dev = startDev();
    await answers();
    await insertTask();
    await dev.stop();
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

test("goes on after a reset of its database", async () => {
  useEmbedded();
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
  expect(stdout).toMatch(/^It is in use, so \d+ migrations applied again$/m);
  expect(await signIn()).toBe(401);
  const embedded = await startEmbedded({ root });
  await insertTask(embedded.url);
  await embedded.stop();
});

test("continues with the previous schema until somebody agrees to lose data", async () => {
  dev = startDev();
  const address = await answers();
  const tasks = read("resources/tasks.yaml");
  write("resources/tasks.yaml", tasks.replace(/^.*dueOn.*\n/m, ""));
  const [, command = ""] = await dev.sees(
    /run in another terminal: npx service (?:-C \S+ )?(generate --allow-destructive tasks\.dueOn)\n/,
  );
  await dev.sees(/the app continues with the previous schema/);
  await answers();
  write("server.ts", `console.log("mine");\n${read("server.ts")}`);
  await dev.sees(/^mine$/m);
  await answers();

  expect((await service(root, command.split(" "))).exitCode).toBe(0);
  await dev.sees(/1 migration applied/);
  expect(await answers()).toBe(address);
});

test("runs the server in development, and passes on what it prints", async () => {
  const print = 'console.log("runs in", process.env.NODE_ENV);\n';
  write("server.ts", print + read("server.ts"));
  dev = startDev({ PORT: "0", NODE_ENV: "" });
  await dev.sees(/^runs in development$/m);
  await answers();
});

test("runs code with names that are not used yet", async () => {
  const own = `import { join } from "node:path";\nconst later = (unused: string) => "";\n`;
  write("server.ts", own + read("server.ts"));
  dev = startDev();
  await dev.sees(/answers on|TS\d+/);
  expect(dev.all()).not.toMatch(/TS\d+/);
});

test("runs one process, however many the settings ask for", async () => {
  write("service.yaml", "server: { workers: 3 }\n");
  dev = startDev();
  const { origin } = new URL(await answers());
  const found = new Set<string>();
  for (let sent = 0; sent < 9; sent += 1) {
    found.add(instanceOf(await getAnew(client(origin, null), "/auth/config")));
  }
  expect(found.size).toBe(1);
});

test("goes on with the last good server while something is wrong", async () => {
  dev = startDev();
  const address = await answers();
  const [tasks, server, settings] = [
    read("resources/tasks.yaml"),
    read("server.ts"),
    read("service.yaml"),
  ];

  write("resources/tasks.yaml", tasks.replace("type: text", "type: txt"));
  await dev.sees(/resources\/tasks\.yaml:\d+:\d+: .*\n.*did you mean "text"/);
  await dev.sees(/The server continues unchanged/);
  write("resources/tasks.yaml", tasks);
  await answers();

  write("server.ts", `${server}const (`);
  await dev.sees(/server\.ts:\d+:\d+: error TS1/);
  await dev.sees(/The server continues unchanged/);
  expect(await status(address, "/tasks")).toBe(401);

  write("server.ts", `${server}export const one: string = 1;\n`);
  await dev.sees(/server\.ts:\d+:\d+: error TS2322/);
  await dev.sees(/The app does not compile\nThe server continues unchanged/);
  expect(await status(address, "/tasks")).toBe(401);

  write("server.ts", `${server}process.exit(3);\n`);
  await dev.sees(/The server ended \(exit status 3\); waiting for a change/);
  write("server.ts", server);
  await answers();

  write("service.yaml", "sever: {}\n");
  await dev.sees(/service\.yaml:1:1: sever is not a setting\n {2}hint: did you mean "server"\?/);
  await dev.sees(/The server continues unchanged/);
  write("service.yaml", settings);
  expect(await answers()).toBe(address);
});

test("names the package to install for an import that is missing", async () => {
  const own = read("server.ts");
  dev = startDev();
  await answers();
  write("server.ts", `import "left-pad/index.js";\n${own}`);
  await dev.sees(
    /^server\.ts:1:8: error TS2882: the package left-pad is not installed\n {2}hint: npm install left-pad$/m,
  );
  await dev.sees(/The server continues unchanged/);
  write("server.ts", `import { one } from "@some/where";\nconsole.log(one);\n${own}`);
  await dev.sees(
    /: the package @some\/where is not installed\n {2}hint: npm install @some\/where$/m,
  );
  write("server.ts", `import "service/runtime/nowhere";\n${own}`);
  await dev.sees(/error TS2882: Cannot find module .+ 'service\/runtime\/nowhere'/);
  write("server.ts", own);
  await answers();
});

async function occupyPort() {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const bound = squatter.address();
  return { squatter, port: typeof bound === "object" && bound !== null ? bound.port : 0 };
}

test("uses the next free port when its own is taken", async () => {
  const { squatter, port } = await occupyPort();
  try {
    dev = startDev({ PORT: String(port) });
    const [, used] = await dev.sees(new RegExp(`Port ${port} is taken; using (\\d+)`));
    expect(await answers()).toBe(`http://127.0.0.1:${used}/api`);
  } finally {
    squatter.close();
  }
});

test("takes another port when somebody was faster, and announces its own server only", async () => {
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

test("does not start again for data that the app writes, but for its settings and own code", async () => {
  dev = startDev();
  await answers();
  for (const path of ["last-start.json", "cache.yaml", "dump.sql"]) write(path, "");
  write("own.ts", "export const own = 1;\n");
  await answers();
  write("service.yaml", `${read("service.yaml")}\n`);
  await answers();
  expect(dev.all().match(/^Changed: .*$/gm)).toEqual(["Changed: own.ts", "Changed: service.yaml"]);
});

test("leaves no server behind when it is killed, and comes up again on the same database", async () => {
  useEmbedded();
  dev = startDev();
  const address = await answers();
  const first = await ping(address);
  dev.kill("SIGKILL");
  await dev.ended;
  await expectRefused(address);

  dev = startDev();
  expect(await ping(await answers())).toEqual(first);
});
