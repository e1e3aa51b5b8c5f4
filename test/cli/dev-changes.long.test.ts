import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { client } from "../support/http/client.js";
import { getAnew, instanceOf } from "../support/processes/workers.js";
import { answersOf, type Dev, type DevApp, openDevApp, startDevIn } from "./dev-process.js";
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
  dev = startDevIn(root, { PORT: "0", NODE_ENV: "" });
  address = await answers();
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

test("runs one process, whatever number the settings name", async () => {
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

test("does not restart for data that the app writes, but for its settings and app code", async () => {
  const before = dev.all().length;
  for (const path of ["last-start.json", "cache.yaml", "dump.sql"]) write(path, "");
  write("own.ts", "export const own = 1;\n");
  await answers();
  write("service.yaml", `${read("service.yaml")}\n`);
  await answers();
  const said = dev.all().slice(before);
  expect(said.match(/^Changed: .*$/gm)).toEqual(["Changed: own.ts", "Changed: service.yaml"]);
});

test("builds app code in any folder of the app, and restarts when it changes", async () => {
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
  write("server.ts", `import "service-runtime/nowhere";\n${own}`);
  await dev.sees(/error TS2882: Cannot find module .+ 'service-runtime\/nowhere'/);
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
    /^migrations\/(\d{4}_change_tasks_points)\.sql:\d+: 1 row of tasks would have no .*\n {2}this statement shows them: select .*;\n {2}hint: change the descriptor, or change those rows and save it again; the migration that was just written is removed\nThe server continues unchanged$/m,
  );
  expect(existsSync(join(root, `migrations/${name}.sql`))).toBe(false);

  write("resources/tasks.yaml", `${tasks}  points: { type: number, required: true, default: 1 }\n`);
  await dev.sees(new RegExp(`New migration: migrations/${name}\\.sql`));
  await answers();
  expect((await service(root, ["migrate", "--status"])).exitCode).toBe(0);
});

test("continues with the previous schema until the user agrees to lose data", async () => {
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
