import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../bin/embedded/port.js";
import { newName } from "../../support/apps/shop.js";
import { client, type Reply } from "../../support/http/client.js";
import { openWire } from "../../support/http/wire.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../../support/processes/shop-process.js";

let host: ShopHost;
let server: ShopServer;
let said = "";

/** Own code that logs, and that tells what it has of a trace. */
const program = `
import { Router } from "express";
import { z } from "zod";
import { createApp } from "./generated/app.js";
const routes = Router();
const input = z.object({});
const fail = () => {
  throw Object.defineProperty(new Error(), "message", { get: () => { throw new Error("no message"); } });
};
routes.post("/jobs/:name", async (request, response) => {
  response.json({ id: await app.jobs.add(request.params.name, {}) });
});
routes.get("/unreadable", fail);
routes.get("/traced/:word", (_request, response) => response.json({ traceparent: response.locals.traceparent }));
const app = await createApp({
  routes,
  hooks: {
    categories: {
      beforeCreate: async (_values, context) => {
        context.log.info({ traceparent: context.traceparent }, "before");
        await context.db.query("select pg_sleep(0.12), $1::text", ["a value of a statement"]);
      },
      afterCreate: (_record, context) => context.log.info("after"),
      afterDelete: fail,
    },
  },
  jobs: {
    write: {
      input,
      run: async (_input, { log, resources }) => {
        const { id } = await resources.categories.create({ name: "Of a job" });
        log.info({ id }, "written");
        await resources.categories.delete(id);
      },
    },
    unreadable: { input, maxAttempts: 1, run: fail },
    unreadableInTransaction: { input, maxAttempts: 1, transaction: true, run: fail },
  },
});
await app.listen();
`;

const trace = { id: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };
const traceparent = `00-${trace.id}-${trace.span}-01`;

beforeAll(async () => {
  host = await openHost();
  writeFileSync(
    join(host.root, "service.yaml"),
    "auth: { check_breached_passwords: false, operators: [admin] }\ndatabase: { slow_ms: 100 }\n",
  );
  writeFileSync(join(host.root, "dist/server.js"), program);
  for (const name of ["express", "zod"]) {
    const source = join(import.meta.dirname, "../../../node_modules", name);
    symlinkSync(source, join(host.root, "node_modules", name));
  }
  server = await host.serve({
    NODE_ENV: "production",
    SERVICE_WEB_URL: "https://shop.example.com",
    SERVICE_LOG_LEVEL: "trace",
  });
  server.process.stdout.on("data", (chunk) => {
    said += chunk;
  });
});
afterAll(() => host.close());

function linesOf(requestId: string): readonly Record<string, unknown>[] {
  return said
    .split("\n")
    .filter((line) => line.includes(`"requestId":"${requestId}"`))
    .map((line) => JSON.parse(line));
}

/** The line about a request. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  const found = () => linesOf(requestId).find(({ msg }) => msg === "request");
  await expect.poll(found).toBeDefined();
  return found() ?? {};
}

const ask = (method: string, path: string, id: string, headers = {}) =>
  server.admin.send(method, path, { headers: { "x-request-id": id, ...headers } });

test("a request is one line with the route, and none of its contents", async () => {
  const reply = await ask("GET", "/products/a-private-word?q=another", "one");
  expect([reply.status, reply.headers["x-request-id"]]).toEqual([404, "one"]);
  const { time: _time, ms, accountId, ...line } = await lineOf("one");
  expect(line).toEqual({
    level: 30,
    requestId: "one",
    method: "GET",
    route: "/api/products/{id}",
    status: 404,
    msg: "request",
  });
  expect([typeof ms, typeof accountId]).toEqual(["number", "string"]);
  expect(said).not.toContain("a-private-word");
  expect(reply.headers["server-timing"]).toBeUndefined();
});

test.each([
  ["a path without a route", "GET", "/nothing/at/all", { route: null, status: 404 }],
  [
    "a method that a path has not",
    "PUT",
    "/auth/config",
    { route: "/api/auth/config", status: 405 },
  ],
  ["an own route", "GET", "/traced/x", { route: "/api/traced/{word}", status: 200 }],
])("the route of %s", async (what, method, path, expected) => {
  const id = what.replaceAll(" ", "-");
  await ask(method, path, id);
  expect(await lineOf(id)).toMatchObject(expected);
});

test("the line of an operator who views the app as an account has both", async () => {
  const db = await connected();
  const { rows } = await db.query<{ id: string }>(
    `insert into service.users (id, name, email)
     values (gen_random_uuid(), 'Ann', gen_random_uuid() || '@example.com')
     returning id`,
  );
  await db.end();
  const accountId = rows[0]?.id;
  const path = `/_service/accounts/${accountId}/view`;
  const view = await server.admin.post<{ token: string }>(path, { reason: "Ticket 1" });
  expect(view.status, view.text).toBe(201);
  const viewer = client(server.url, view.body.token);
  const me = await viewer.get<{ viewer: { id: string } }>("/auth/me");
  const line = await lineOf(String(me.headers["x-request-id"]));
  expect(line).toMatchObject({ accountId, viewer: me.body.viewer.id });
  const read = await viewer.get("/products");
  const ofRead = await lineOf(String(read.headers["x-request-id"]));
  expect(ofRead).toMatchObject({ accountId, viewer: me.body.viewer.id });
});

test("without a token the line has no account", async () => {
  const reply = await server.anonymous.get("/products");
  expect(await lineOf(String(reply.headers["x-request-id"]))).toMatchObject({
    status: 401,
    accountId: null,
  });
});

test.each([
  ["Az-09_.", true],
  ["x".repeat(128), true],
  ["x".repeat(129), false],
  ["a b", false],
  ["a/b", false],
  ["é", false],
])("the id %s of a request is kept: %s", async (id, isKept) => {
  const headers = { "x-request-id": id };
  const sent = await server.anonymous.send("GET", "/auth/config", { headers }).catch(() => null);
  // A client may refuse to send it at all.
  if (sent === null) return expect(isKept).toBe(false);
  const kept = sent.headers["x-request-id"];
  expect(kept === id).toBe(isKept);
  expect(kept).toMatch(/^[\w.-]{1,128}$/);
});

test("every line that a request causes has its id and its trace", async () => {
  const id = newName("traced").replace(" ", "-");
  const reply = await server.admin.send("POST", "/categories", {
    text: JSON.stringify({ name: id }),
    headers: { "x-request-id": id, traceparent },
  });
  expect(reply.status, reply.text).toBe(201);
  await lineOf(id);
  await expect.poll(() => linesOf(id).map(({ msg }) => msg)).toContain("after");
  // Others are slow as well on a machine that is busy with other tests.
  const lines = linesOf(id).filter(
    ({ msg, statement }) => msg !== "A slow statement" || String(statement).includes("pg_sleep"),
  );
  expect(lines.map(({ msg }) => msg).toSorted()).toEqual([
    "A slow statement",
    "after",
    "before",
    "request",
  ]);
  for (const line of lines) expect(line).toMatchObject({ trace_id: trace.id, span_id: trace.span });
  expect(lines.find(({ msg }) => msg === "before")).toMatchObject({ traceparent });
  expect(lines.find(({ msg }) => msg === "A slow statement")).toMatchObject({
    level: 40,
    statement: "select pg_sleep(0.12), $1::text",
    milliseconds: expect.any(Number),
  });
  expect(said).not.toContain("a value of a statement");
});

/** Adds the job; the lines that have its id. */
async function addJob(name: string): Promise<() => readonly Record<string, unknown>[]> {
  const { status, body } = await server.admin.post<{ id: string }>(`/jobs/${name}`, {});
  expect(status).toBe(200);
  return () =>
    said
      .split("\n")
      .filter((line) => line.includes(body.id))
      .map((line) => JSON.parse(line));
}

test("every line that a job causes has its name, its id and the attempt", async () => {
  const lines = await addJob("write");
  const failure = "A hook after a write failed";
  await expect.poll(() => lines().map(({ msg }) => msg)).toContain(failure);
  const messages = ["A slow statement", "after", "before", "written", failure];
  expect(new Set(lines().map(({ msg }) => msg))).toEqual(new Set(messages));
  for (const line of lines()) expect(line).toMatchObject({ job: "write", attempt: 1 });
});

test.each(["unreadable", "unreadableInTransaction"])(
  "a job (%s) whose error cannot be read has still failed",
  async (name) => {
    const lines = await addJob(name);
    await expect
      .poll(lines)
      .toMatchObject([{ level: 50, name, attempt: 1, msg: "A job has failed and is not retried" }]);
    const db = await connected();
    const states = async () =>
      (await db.query("select state, error from service.jobs where name = $1", [name])).rows;
    const error = "A value without a text was thrown";
    await expect.poll(states).toEqual([{ state: "failed", error }]);
    await db.end();
  },
);

test("a route whose error cannot be read is a 500, and a line", async () => {
  expect((await ask("GET", "/unreadable", "unreadable")).status).toBe(500);
  await lineOf("unreadable");
  expect(linesOf("unreadable")).toMatchObject([
    { level: 50, msg: "request failed" },
    { level: 30, msg: "request" },
  ]);
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: host.databaseUrl });
  await client.connect();
  return client;
}

/** The status of what is answered when a statement has waited for that table, longer than `slow_ms`. */
async function statusAfterWait(table: string, ask: () => Promise<Reply>): Promise<number> {
  const [holder, watcher] = await Promise.all([connected(), connected()]);
  const waiting = `
    select from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%${table}%'
      and clock_timestamp() - query_start > interval '150 milliseconds'`;
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    const asked = ask();
    // Shorter than a read waits for a lock.
    await expect.poll(async () => (await watcher.query(waiting)).rowCount).toBeGreaterThan(0);
    await holder.query("rollback");
    return (await asked).status;
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}

/** Expects the line of a slow statement among those of the request, all of them with its trace. */
async function expectSlowLine(requestId: string): Promise<void> {
  await lineOf(requestId);
  const lines = linesOf(requestId);
  expect(lines.map(({ msg }) => msg)).toContain("A slow statement");
  for (const line of lines) expect(line).toMatchObject({ trace_id: trace.id, span_id: trace.span });
}

test.each([
  ["/categories/00000000-0000-4000-8000-000000000000", 404],
  ["/categories?perPage=1", 200],
  ["/categories?q=waits", 200],
  ["/categories?fields=name", 200],
])("a slow read of %s is a line with the request's id", async (path, status) => {
  const id = path.replaceAll(/[^a-z]/g, "");
  const read = () => ask("GET", path, id, { traceparent });
  expect(await statusAfterWait("categories", read)).toBe(status);
  await expectSlowLine(id);
});

test.each<[string, string, string, object | undefined, number]>([
  ["an update", "PATCH", "customers/:id", { name: "Slow" }, 200],
  ["an update of what is gone", "PATCH", "customers/:gone", { name: "Slow" }, 404],
  ["a create", "POST", "customers", { name: "Slow", email: "slow@example.com" }, 201],
  [
    "a create that repeats a value",
    "POST",
    "customers",
    { name: "Same", email: "known@x.test" },
    422,
  ],
  ["a delete", "DELETE", "customers/:id", undefined, 204],
])("%s that is slow, without app code, is a line with the request's id", async (id, ...sent) => {
  const [method, path, body, status] = sent;
  const requestId = id.replaceAll(" ", "-");
  const known = await knownCustomer();
  const gone = "00000000-0000-4000-8000-000000000000";
  const write = () =>
    server.admin.send(method, `/${path.replace(":id", known).replace(":gone", gone)}`, {
      ...(body && { text: JSON.stringify(body) }),
      headers: { "x-request-id": requestId, traceparent },
    });
  expect(await statusAfterWait("customers", write)).toBe(status);
  await expectSlowLine(requestId);
});

/** The id of the only customer there is then. */
async function knownCustomer(): Promise<string> {
  const client = await connected();
  try {
    await client.query("delete from customers");
    const { rows } = await client.query(
      "insert into customers (id, name, email) values (service.uuid_v7(), 'Known', 'known@x.test') returning id",
    );
    return rows[0].id;
  } finally {
    await client.end();
  }
}

test.each([
  ["attempts", "admin", 201],
  ["attempts", "nobody", 401],
  ["account_events", "admin", 201],
])(
  "a sign-in that waits for %s, as %s, is a line with the request's id",
  async (table, who, status) => {
    const email = who === "admin" ? account.email : "nobody@example.com";
    const requestId = `sign-in-${table}-${who}`;
    const signIn = () =>
      server.anonymous.send("POST", "/auth/token", {
        text: JSON.stringify({ email, password: account.password }),
        headers: { "x-request-id": requestId, traceparent },
      });
    expect(await statusAfterWait(`service.${table}`, signIn)).toBe(status);
    await expectSlowLine(requestId);
  },
);

test.each([
  [traceparent, traceparent],
  [`cc-${trace.id}-${trace.span}-01-more`, `cc-${trace.id}-${trace.span}-01-more`],
  [`ff-${trace.id}-${trace.span}-01`, null],
  [`00-${"0".repeat(32)}-${trace.span}-01`, null],
  [`00-${trace.id}-${"0".repeat(16)}-01`, null],
  [`00-${trace.id}-${trace.span}-01-more`, null],
  [`00-${trace.id.toUpperCase()}-${trace.span}-01`, null],
  ["nonsense", null],
])("app routes have the trace of %s", async (sent, expected) => {
  const reply = await ask("GET", "/traced/x", "own", { traceparent: sent });
  expect(reply.body).toEqual({ traceparent: expected });
});

test("a client that disconnects first is a line with 499", async () => {
  const id = newName("left").replace(" ", "-");
  const wire = await openWire(server.url);
  const body = JSON.stringify({ name: id });
  await wire.send(
    `POST /api/categories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nX-Request-Id: ${id}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => linesOf(id).length).toBeGreaterThan(0);
  wire.destroy();
  expect(await lineOf(id)).toMatchObject({ status: 499, route: "/api/categories" });
});

test("a server continues when its log is no longer read", async () => {
  const other = await host.serve();
  other.process.stdout.destroy();
  for (let asked = 0; asked < 20; asked += 1) {
    expect((await other.admin.get("/categories")).status).toBe(200);
  }
  other.process.kill("SIGTERM");
  expect((await other.process).exitCode).toBe(0);
});

test("a server continues when the disk of its log is full", async () => {
  const port = await freePort("127.0.0.1");
  const env = { DATABASE_URL: host.databaseUrl, PORT: `${port}`, SERVICE_LOG_LEVEL: "info" };
  const command = 'exec "$0" dist/server.js > /dev/full';
  const started = execa("sh", ["-c", command, process.execPath], {
    ...{ cwd: host.root, env, reject: false },
  });
  const { get } = client(`http://127.0.0.1:${port}`, null);
  const status = () => get("/auth/config").then((reply) => reply.status, String);
  await expect.poll(status).toBe(200);
  for (let asked = 0; asked < 20; asked += 1) expect(await status()).toBe(200);
  started.kill("SIGTERM");
  expect((await started).exitCode).toBe(0);
});

test("an untrusted proxy is logged once, and a remark for doctor", async () => {
  const from = { "x-forwarded-for": "192.0.2.1" };
  await ask("GET", "/auth/config", "proxied-1", from);
  await ask("GET", "/auth/config", "proxied-2", from);
  await lineOf("proxied-2");
  const sentence = "Requests arrive with X-Forwarded-For, but no proxy is trusted";
  expect(said.split(sentence)).toHaveLength(2);
  const db = await connected();
  const remarks = async () => (await db.query("select name from service.remarks")).rows;
  await expect.poll(remarks).toEqual([{ name: "untrusted-proxy" }]);
  await db.end();
});

test("in development the path is logged, and every response has its duration", async () => {
  const other = await host.serve({ NODE_ENV: "development" });
  let lines = "";
  other.process.stdout.on("data", (chunk) => {
    lines += chunk;
  });
  const read = await other.admin.get("/categories");
  expect(read.headers["server-timing"]).toMatch(/^db;dur=\d+(\.\d)?, total;dur=\d+(\.\d)?$/);
  const created = await other.admin.post("/categories", { name: "Timed" });
  const [, db = "", total = ""] =
    /^db;dur=([\d.]+), total;dur=([\d.]+)$/.exec(String(created.headers["server-timing"])) ?? [];
  // Its hook asks the database for 120 ms.
  expect(Number(db)).toBeGreaterThan(110);
  expect(Number(total)).toBeGreaterThanOrEqual(Number(db));
  const missing = await other.anonymous.get("/nowhere?q=1");
  expect(missing.headers["server-timing"]).toBeDefined();
  await expect.poll(() => lines).toContain('"path":"/api/nowhere"');
});
