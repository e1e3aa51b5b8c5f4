import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { client } from "../support/http/client.js";
import { getAnew, instanceOf } from "../support/processes/workers.js";
import {
  answersOf,
  type Dev,
  type DevApp,
  openDevApp,
  startDevIn,
  statusOf,
} from "./dev-process.js";
import { service } from "./service.js";

// A test waits for what `dev` prints, and only for that. All change the same app, one after the other.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let app: DevApp;
let root: string;
let dev: Dev;
/** Where the server answers, each time that it is started again. */
let address: string;

beforeAll(async () => {
  app = await openDevApp();
  root = app.root;
  const print = 'console.log("runs in", process.env.NODE_ENV);\n';
  const unused = `import { join } from "node:path";\nconst later = (unused: string) => "";\n`;
  write("server.ts", unused + print + read("server.ts"));
  dev = startDevIn(root, { PORT: "0", NODE_ENV: "" });
});
afterAll(async () => {
  await dev.stop();
  await app.close();
});

function answers(): Promise<string> {
  return answersOf(dev);
}

function write(path: string, text: string): void {
  app.write(path, text);
}

function read(path: string): string {
  return app.read(path);
}

test("runs the server in development, and passes on what it prints", async () => {
  await dev.sees(/^runs in development$/m);
});

test("runs code with names that are not used yet", async () => {
  address = await answers();
  expect(dev.all()).not.toMatch(/TS\d+/);
});

test("leaves no compiled tests where a runner would find them beside their sources", () => {
  expect(existsSync(join(root, "server.test.ts"))).toBe(true);
  const built = readdirSync(join(root, ".service/build"), { recursive: true, encoding: "utf8" });
  expect(built).toContain("server.js");
  expect(built.filter((name) => /\.(?:test|spec)\./.test(name))).toEqual([]);
});

test("runs one process, however many the settings name", async () => {
  const settings = read("service.yaml");
  write("service.yaml", "server: { workers: 3 }\n");
  const { origin } = new URL(await answers());
  const found = new Set<string>();
  for (let sent = 0; sent < 9; sent += 1) {
    found.add(instanceOf(await getAnew(client(origin, null), "/auth/config")));
  }
  expect(found.size).toBe(1);
  write("service.yaml", settings);
  await answers();
});

test("generates, migrates and starts again on a change", async () => {
  write("resources/people.yaml", "fields:\n  name: { type: string }\n");
  await dev.sees(/New migration: migrations\/\d{4}_create_people\.sql/);
  expect(await answers()).toBe(address);
  expect(await statusOf(address, "/people")).toBe(401);

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

test("does not start again for data that the app writes, but for its settings and own code", async () => {
  const before = dev.all().length;
  for (const path of ["last-start.json", "cache.yaml", "dump.sql"]) write(path, "");
  write("own.ts", "export const own = 1;\n");
  await answers();
  write("service.yaml", `${read("service.yaml")}\n`);
  await answers();
  const said = dev.all().slice(before);
  expect(said.match(/^Changed: .*$/gm)).toEqual(["Changed: own.ts", "Changed: service.yaml"]);
});

test("builds own code in any folder of the app, and starts again when it changes", async () => {
  const starter = read("server.ts");
  const hooks = (text: string) => `import type { Hooks } from "../../generated/app.js";

export const hooks: Hooks = { tasks: { beforeDelete: () => console.log("never") } };
console.log("hooks are ${text}");
`;
  mkdirSync(join(root, "rules/deep"), { recursive: true });
  write("rules/deep/hooks.ts", hooks("new"));
  write(
    "server.ts",
    `import { hooks } from "./rules/deep/hooks.js";\n${starter.replace("createApp({", "createApp({ hooks,")}`,
  );
  await dev.sees(/^hooks are new$/m);
  await answers();
  write("rules/deep/hooks.ts", hooks("changed"));
  await dev.sees(/^Changed: rules\/deep\/hooks\.ts$/m);
  await dev.sees(/^hooks are changed$/m);
  await answers();
  write("server.ts", starter);
  address = await answers();
});

test("continues with the last good server while something is wrong", async () => {
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
  expect(await statusOf(address, "/tasks")).toBe(401);

  write("server.ts", `${server}export const one: string = 1;\n`);
  await dev.sees(/server\.ts:\d+:\d+: error TS2322/);
  await dev.sees(/The app does not compile\nThe server continues unchanged/);
  expect(await statusOf(address, "/tasks")).toBe(401);

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

test("sees an image profile that is added to service.yaml", async () => {
  write("resources/sights.yaml", "fields:\n  view: { type: image, profile: panorama }\n");
  await dev.sees(/resources\/sights\.yaml:2:33: there is no image profile "panorama"/);
  write(
    "service.yaml",
    `${read("service.yaml")}uploads: { profiles: { panorama: { width: 3000, height: 800 } } }\n`,
  );
  await dev.sees(/New migration: migrations\/\d{4}_create_sights\.sql/);
  await answers();
});

test("removes a migration that the rows refuse, so that the corrected one replaces it", async () => {
  await app.insertTask();
  const tasks = read("resources/tasks.yaml");
  write("resources/tasks.yaml", `${tasks}  points: { type: number, required: true }\n`);
  const [, name = ""] = await dev.sees(
    /^migrations\/(\d{4}_change_tasks_points)\.sql:\d+: 1 row of tasks would have no .*\n {2}this query shows them: select .*;\n {2}hint: change the descriptor, or change those rows and save it again; the migration that was just written is removed\nThe server continues unchanged$/m,
  );
  expect(existsSync(join(root, `migrations/${name}.sql`))).toBe(false);

  write("resources/tasks.yaml", `${tasks}  points: { type: number, required: true, default: 1 }\n`);
  await dev.sees(new RegExp(`New migration: migrations/${name}\\.sql`));
  await answers();
  expect((await service(root, ["migrate", "--status"])).exitCode).toBe(0);
});

test("continues with the previous schema until somebody agrees to lose data", async () => {
  const tasks = read("resources/tasks.yaml");
  write("resources/tasks.yaml", tasks.replace(/^.*dueOn.*\n/m, ""));
  const [, command = ""] = await dev.sees(
    /run in another terminal: npx service (?:-C \S+ )?(generate --allow-destructive tasks\.dueOn)\n/,
  );
  await dev.sees(/the app continues with the previous schema/);
  await answers();
  write("server.ts", `console.log("still mine");\n${read("server.ts")}`);
  await dev.sees(/^still mine$/m);
  await answers();

  expect((await service(root, command.split(" "))).exitCode).toBe(0);
  await dev.sees(/1 migration applied/);
  expect(await answers()).toBe(address);
});
