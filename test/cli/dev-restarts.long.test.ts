import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  answersOf,
  type Dev,
  type DevApp,
  openDevApp,
  startDevIn,
  statusOf,
} from "./dev-process.js";

// A test waits for what `dev` prints, and only for that. All change the same app, one after the other.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let app: DevApp;
let root: string;
let dev: Dev;
/** Where the server answers, each time that it is started again. */
let address = "";

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

test("runs the server in development, and passes on its output", async () => {
  await dev.sees(/^runs in development$/m);
});

test("runs code with names that are not used yet", async () => {
  address ||= await answers();
  expect(dev.all()).not.toMatch(/TS\d+/);
});

test("leaves no compiled tests where a runner would find them beside their sources", () => {
  expect(existsSync(join(root, "server.test.ts"))).toBe(true);
  const built = readdirSync(join(root, ".service/build"), { recursive: true, encoding: "utf8" });
  expect(built).toContain("server.js");
  expect(built.filter((name) => /\.(?:test|spec)\./.test(name))).toEqual([]);
});

/** Asks for a page again and again until it is stopped; then resolves with the statuses that came. */
function askAgainAndAgain(page: string, isKept: boolean): () => Promise<readonly number[]> {
  const agent = isKept ? new Agent({ keepAlive: true, maxSockets: 1 }) : new Agent();
  const statuses = new Set<number>();
  let isOver = false;
  const asked = (async () => {
    while (!isOver) statuses.add(await ask(page, agent));
  })();
  // One that fails is reported when it is stopped.
  asked.catch(() => {});
  return async () => {
    isOver = true;
    await asked;
    agent.destroy();
    return [...statuses];
  };
}

function ask(page: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(page, { agent }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    request.once("error", (error) => {
      // The server may have closed a connection that said nothing for a while, on a busy machine a new one, too.
      if ("code" in error && error.code === "ECONNRESET") resolve(ask(page, agent));
      else reject(error);
    });
  });
}

test("generates, migrates and restarts on a change, and refuses no connection meanwhile", async () => {
  const clients = [false, true].map((isKept) => askAgainAndAgain(`${address}/tasks`, isKept));
  const access = "access: { create: public }\n";
  write("resources/people.yaml", `${access}fields:\n  name: { type: string }\n`);
  await dev.sees(/New migration: migrations\/\d{4}_create_people\.sql/);
  await dev.sees(/^public: people create$/m);
  await dev.sees(/^public: people\.name \(create\)$/m);
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
  for (const stop of clients) expect(await stop()).toEqual([401]);
});

test("lets a request wait for the starting server", async () => {
  const former = read("server.ts");
  const wait = `import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
console.log("about to start");
while (!existsSync("go")) await sleep(20);
app.use((_request, response) => void response.status(418).end());
`;
  write("server.ts", former.replace(/^(?=await app\.listen|console\.log\("mine"\))/m, wait));
  await dev.sees(/^about to start$/m);
  const statuses = Promise.all([statusOf(address, "/tasks"), statusOf(address, "/people")]);
  writeFileSync(join(root, "go"), "");
  expect(await statuses).toEqual([418, 418]);
  write("server.ts", former);
  await answers();
});

test("refuses no connection during repeated restarts", async () => {
  address ||= await answers();
  const clients = [false, true, false, true].map((isKept) =>
    askAgainAndAgain(`${address}/tasks`, isKept),
  );
  const former = read("server.ts");
  for (const round of ["one", "two", "three", "four", "five"]) {
    write("server.ts", former.replace("await app.listen", `console.log("${round}");\n$&`));
    await dev.sees(new RegExp(`^${round}$`, "m"));
    expect(await answers()).toBe(address);
  }
  for (const stop of clients) expect(await stop()).toEqual([401]);
});

test("continues with the last good server while there is a mistake", async () => {
  address ||= await answers();
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
  const refused = await fetch(`${address}/tasks`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({
    error: "The server is not running: the output of npx service dev has the reason",
  });
  write("server.ts", server);
  await answers();

  write("service.yaml", "sever: {}\n");
  await dev.sees(/service\.yaml:1:1: sever is not a setting\n {2}hint: did you mean "server"\?/);
  await dev.sees(/The server continues unchanged/);
  write("service.yaml", settings);
  expect(await answers()).toBe(address);

  const everywhere = settings.replace("HOST:-127.0.0.1", "HOST:-0.0.0.0");
  write("service.yaml", everywhere.replace("WORKERS:-1", "WORKERS:-3"));
  expect(await answers()).toBe(address);
  expect(await statusOf(address, "/tasks")).toBe(401);
  write("service.yaml", settings);
  expect(await answers()).toBe(address);
});
