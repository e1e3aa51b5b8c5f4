import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newLogPrinter } from "../../bin/commands/dev/output/log-lines.js";
import { locateHost } from "../../bin/commands/dev/this-machine.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { createDatabase } from "../support/database/database.js";
import { answersOf, type Dev, startDevIn } from "./dev-process.js";
import { repository, service, starterApp } from "./service.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let root: string;
let dev: Dev | null = null;

beforeEach(async () => {
  root = await starterApp();
});
afterEach(async () => {
  await dev?.stop();
  dev = null;
  removeAppFolder(root);
});

test("first says which database it uses, and names the line of a bug in server.ts", async () => {
  writeFileSync(
    join(root, "server.ts"),
    `import { Router } from "express";
import { publicRoute } from "service-runtime/http";
import { createApp } from "./generated/app.js";

const routes = Router();
routes.get("/broken", publicRoute, () => {
  throw new Error("broken on purpose");
});
const app = await createApp({ routes });
await app.listen();
`,
  );
  symlinkSync(join(repository, "node_modules/express"), join(root, "node_modules/express"));
  const created = await createDatabase();
  try {
    dev = startDevIn(root, { PORT: "0", DATABASE_URL: created.url });
    const { host, pathname } = new URL(created.url);
    const address = await answersOf(dev);
    expect(dev.all().split("\n")[0]).toBe(
      `Database: ${host}, database ${pathname.slice(1)}, not embedded`,
    );
    expect((await fetch(`${address}/broken`)).status).toBe(500);
    await dev.sees(/broken on purpose.*server\.ts:7:9/);
  } finally {
    await dev?.stop();
    await created.drop();
  }
});

const refused: readonly (readonly [string[], Record<string, string>, string])[] = [
  [["dev"], { NODE_ENV: "production" }, "dev does not run with NODE_ENV=production"],
  [
    ["dev", "--database-url-is-mine"],
    { NODE_ENV: "production", DATABASE_URL: "postgres://a:sesame@db.invalid/shop" },
    "dev does not run with NODE_ENV=production",
  ],
  [
    ["dev"],
    { DATABASE_URL: "postgres://a:sesame@192.0.2.1/shop" },
    "The database is on another machine: 192.0.2.1:5432, database shop, not embedded\n  hint: dev changes tables on every save; if only you use that database, run: npx service -C ",
  ],
  [
    ["dev"],
    { DATABASE_URL: "postgres://a:sesame@db.invalid/shop" },
    "The database host cannot be resolved, so it is treated as another machine: db.invalid:5432, database shop, not embedded\n  hint: correct the host in DATABASE_URL; if that database is on another machine and only you use it, run: npx service -C ",
  ],
  [
    ["dev"],
    { DATABASE_URL: "postgres://a:12@s.invalid/sesame@192.0.2.1/shop" },
    "so it is treated as another machine: the address is hidden because it contains more than one @\n  hint: ",
  ],
];

test.for(refused)("refuses service %j with %j", async ([args, env, words]) => {
  const { exitCode, stderr, stdout } = await service(root, args, { env });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(words);
  expect(stdout + stderr).not.toContain("sesame");
});

test("uses a database on another machine if the user allows it", async () => {
  const env = { DATABASE_URL: "postgres://a:sesame@db.invalid/shop" };
  dev = startDevIn(root, env, ["--database-url-is-mine"]);
  await dev.sees(/^Database: db\.invalid:5432, database shop, not embedded$/m);
  await dev.sees(/Waiting for a change/);
  expect(dev.all()).not.toContain("sesame");
});

test("knows the hosts that are this machine", async () => {
  const own = ["localhost", "127.0.0.1", "127.9.9.9", "::1", "", "/var/run/postgresql"];
  expect(await Promise.all(own.map((host) => locateHost(host)))).toEqual(own.map(() => "here"));
  const others = ["192.0.2.1", "2001:db8::1"];
  expect(await Promise.all(others.map((host) => locateHost(host)))).toEqual(
    others.map(() => "elsewhere"),
  );
  for (const host of ["db.invalid", "..", "a b", `${"x".repeat(300)}.example`]) {
    expect(await locateHost(host)).toBe("unknown");
  }
});

test("a resolver that does not answer delays nothing", async () => {
  const silent = `import dns from "node:dns/promises"; import { syncBuiltinESMExports } from "node:module";
    dns.lookup = () => new Promise((resolve) => setTimeout(resolve, 120_000));
    syncBuiltinESMExports();`;
  const env = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(silent)}`,
    DATABASE_URL: "postgres://a:sesame@db.example/shop",
  };
  const begun = performance.now();
  const { exitCode, stderr } = await service(root, ["dev"], { env });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("The database host cannot be resolved");
  // The resolver has not answered yet.
  expect(performance.now() - begun).toBeLessThan(120_000);
});

test("a name that takes too long to resolve is not this machine", async () => {
  const silent = () => new Promise<never>(() => {});
  expect(await locateHost("db.example", silent)).toBe("unknown");
  const both = async () => [{ address: "127.0.0.1" }, { address: "192.0.2.1" }];
  expect(await locateHost("db.example", both)).toBe("elsewhere");
});

test("prints log entries for people, and everything else unchanged", () => {
  const print = newLogPrinter({ colours: false });
  const entry = { level: 30, time: Date.UTC(2026, 0, 1), requestId: "a-1" };
  const request = { method: "GET", path: "/api/tasks", status: 200, ms: 3.1 };
  expect(print(JSON.stringify({ ...entry, ...request }))).toMatch(
    /^\d\d:\d\d:\d\d INFO: GET \/api\/tasks 200 3\.1 ms\n$/,
  );
  const err = { type: "Error", message: "broken", stack: "Error: broken\n    at server.ts:6:9" };
  const failed = print(JSON.stringify({ ...entry, level: 50, err, msg: "It failed" }));
  expect(failed).toMatch(/ERROR: It failed\n.*at server\.ts:6:9/s);
  for (const line of ["plain", '{"level":1}', "{not JSON"]) expect(print(line)).toBe(`${line}\n`);
  const coloured = newLogPrinter({ colours: true })(JSON.stringify({ ...entry, ...request }));
  expect(coloured).toContain("\u001b[32m200");
});
