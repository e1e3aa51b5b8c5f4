import type { AddressInfo } from "node:net";
import { Router } from "express";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newDashboardServer } from "../../runtime/dashboard/serve.js";
import type { Caller } from "../../runtime/own-code/index.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type Client, client } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";

const descriptors = new Map([
  [
    "notes.yaml",
    `
changes: true
owner: userId
access: { read: [admin, owner], create: signed-in, write: [admin, owner] }
fields:
  userId: { type: belongsTo, resource: users, required: true }
  text: { type: string }
  secret: { type: string, access: { read: [admin] } }
  scan: { type: file }
`,
  ],
]);

let app: WrittenApp;
let web: string;
let closeDashboard: () => Promise<void>;
let operator: { readonly id: string; readonly client: Client };
let ann: { readonly id: string; readonly client: Client };
let token: string;
let viewer: Client;
/** The callers that app code got. */
let callers: (Caller | null)[] = [];

beforeAll(async () => {
  let api = "";
  const dashboard = newDashboardServer({
    ...{ apiUrl: () => api, webUrl: null, proxySecret: null, trustProxy: 0 },
    ...{ look: { name: "Shop", logo: null, colour: null }, root: "/" },
  });
  await new Promise<void>((resolve) => dashboard.listen(0, "127.0.0.1", resolve));
  web = `http://127.0.0.1:${(dashboard.address() as AddressInfo).port}`;
  closeDashboard = () =>
    new Promise((resolve) => {
      dashboard.closeAllConnections();
      dashboard.close(() => resolve());
    });
  const routes = Router();
  routes.get("/mine", (_request, response) => {
    const { caller } = response.locals;
    response.json(caller);
  });
  routes.post("/mine", (_request, response) => response.json({}));
  app = await startWrittenApp({
    descriptors,
    options: { routes, policies: { notes: { list: (caller: Caller) => noted(caller) } } },
    settings: `auth: { check_breached_passwords: false, operators: [admin] }
server: { host: 127.0.0.1, mcp: true }
limits: { per_token: 1000/min }
`,
    variables: { SERVICE_WEB_URL: web },
  });
  api = app.url;
  operator = await app.caller("admin");
});
beforeEach(async () => {
  callers = [];
  ann = await app.caller(null);
  const { status, text, body } = await operator.client.post<{ token: string }>(
    `/_service/accounts/${ann.id}/view`,
    { reason: "Ticket 1" },
  );
  expect(status, text).toBe(201);
  token = body.token;
  viewer = client(app.url, token);
});
afterAll(async () => {
  await app.close();
  await closeDashboard();
});

function noted(caller: Caller): boolean {
  callers.push(caller);
  return true;
}

const noteOfAnn = async (): Promise<string> => {
  const { status, text, body } = await ann.client.post("/notes", { userId: ann.id, text: "Mine" });
  expect(status, text).toBe(201);
  return body.id;
};

test("a viewer reads what the account reads, and nothing else", async () => {
  const id = await noteOfAnn();
  const other = await operator.client.post("/notes", { userId: operator.id, text: "Not hers" });
  for (const read of ["/notes", "/notes?include=user", "/notes/_stats", `/notes/${id}`]) {
    const [seen, own] = await Promise.all([viewer.get(read), ann.client.get(read)]);
    expect([read, seen.status, seen.body]).toEqual([read, 200, own.body]);
  }
  expect((await viewer.get(`/notes/${other.body.id}`)).status).toBe(404);
  expect((await viewer.send("HEAD", `/notes/${id}`)).status).toBe(200);
  expect((await viewer.post("/notes/_query", {})).body).toMatchObject({ data: [{ id }] });
  expect((await viewer.post("/notes/_aggregate", {})).status).toBe(200);
  expect((await viewer.get(`/notes/${id}`)).text).not.toContain("secret");
});

test("a viewer cannot write by any route", async () => {
  const id = await noteOfAnn();
  const body = { userId: ann.id, text: "Changed" };
  const batch = { operations: [{ method: "DELETE", path: `/notes/${id}` }] };
  const asTool = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "find" } };
  const attempts = [
    viewer.post("/notes", body),
    viewer.send("POST", "/notes", {
      text: JSON.stringify(body),
      headers: { "idempotency-key": "a-key-of-the-test" },
    }),
    viewer.patch(`/notes/${id}`, body),
    viewer.put(`/notes/${id}`, body),
    viewer.delete(`/notes/${id}`),
    viewer.post(`/notes/${id}/_revert`, { version: 1 }),
    viewer.post("/_service/batch", { operations: [] }),
    viewer.post("/_service/batch", batch),
    viewer.post("/_service/mcp", asTool),
    viewer.post("/_service/views", { resource: "notes", name: "x", query: "" }),
    viewer.put("/_service/home", { own: [] }),
    viewer.post("/_service/uploads/notes/scan?name=a.txt", "text"),
    viewer.post("/mine", {}),
    ...["GET", "HEAD"].flatMap((method) =>
      ["x-http-method-override", "x-method-override", "x-http-method"].map((name) =>
        viewer.send("POST", `/notes/${id}`, { headers: { [name]: method } }),
      ),
    ),
  ];
  for (const attempt of await Promise.all(attempts)) {
    expect([403, 404, 405]).toContain(attempt.status);
  }
  for (const name of ["x-http-method-override", "x-method-override"]) {
    const { status } = await viewer.send("GET", `/notes/${id}`, { headers: { [name]: "DELETE" } });
    expect(status).toBe(200);
  }
  expect((await ann.client.get(`/notes/${id}`)).body).toMatchObject({ text: "Mine" });
});

test("other spellings of a path do not lead below /auth", async () => {
  for (const path of [
    "/auth//sessions",
    "//auth/sessions",
    "/AUTH/sessions",
    "/%61uth/sessions",
    "/auth/me/../sessions",
    "/auth/me%2f..%2fsessions",
    "/x/../auth/sessions",
    "/auth/sessions/",
    "/auth/sessions?x=/api/auth/me",
    "/auth/sessions#/api/auth/me",
  ]) {
    const { status } = await viewer.send("GET", path);
    expect([path, [403, 404].includes(status)]).toEqual([path, true]);
  }
  const absolute = await viewer.send("GET", "/auth/me/");
  expect(absolute.status).toBe(200);
});

test("app code gets the operator's id beside the account", async () => {
  const seen = {
    accountId: ann.id,
    role: null,
    sessionId: expect.any(String),
    viewer: operator.id,
  };
  expect((await viewer.get("/mine")).body).toEqual(seen);
  expect((await viewer.get("/notes")).status).toBe(200);
  expect(callers).toEqual([seen]);
  const own = await ann.client.get("/mine");
  expect(Object.keys(own.body)).toEqual(["accountId", "role", "sessionId"]);
});

const watching = `/_service/changes?watch=${encodeURIComponent('{"notes":true}')}`;

test("a viewer's stream has the account's changes, and ends with the operator's role", async () => {
  const stream = await openEvents(app.url, token, watching);
  expect(stream.status).toBe(200);
  expect(await stream.next()).toMatchObject({ event: "ready" });
  await operator.client.post("/notes", { userId: operator.id, text: "Not hers" });
  const id = await noteOfAnn();
  expect(await stream.next()).toMatchObject({ event: "change", data: { id } });
  await app.db.query("update service.users set role = null where id = $1", [operator.id]);
  try {
    expect(await stream.next()).toMatchObject({ event: "end", data: { status: 401 } });
    expect((await viewer.get("/notes")).status).toBe(401);
  } finally {
    await app.db.query("update service.users set role = 'admin' where id = $1", [operator.id]);
  }
  await stream.ended;
});

test("a viewer's stream ends when the operator's account is deleted", async () => {
  const other = await app.caller("admin");
  const made = await other.client.post<{ token: string }>(`/_service/accounts/${ann.id}/view`, {
    reason: "Ticket 2",
  });
  const stream = await openEvents(app.url, made.body.token, watching);
  expect(await stream.next()).toMatchObject({ event: "ready" });
  await app.db.query("delete from service.users where id = $1", [other.id]);
  expect(await stream.next()).toMatchObject({ event: "end", data: { status: 401 } });
  await stream.ended;
});

test("no shared cache may store a response to a viewer", async () => {
  const id = await noteOfAnn();
  for (const path of ["/auth/me", "/notes", `/notes/${id}`, "/mine"]) {
    const { headers } = await viewer.get(path);
    expect([path, headers["cache-control"] ?? "none"]).toEqual([
      path,
      expect.stringMatching(/^(?:no-store|private, no-cache|none)$/),
    ]);
  }
  const { headers } = await viewer.get(`/notes/${id}`);
  const again = { headers: { "if-none-match": String(headers.etag) } };
  expect((await viewer.send("GET", `/notes/${id}`, again)).status).toBe(304);
  await app.db.query("delete from service.account_views where viewer_id = $1", [operator.id]);
  expect((await viewer.send("GET", `/notes/${id}`, again)).status).toBe(401);
});

test("the dashboard passes the token on and keeps its cookie", async () => {
  const id = await noteOfAnn();
  const through = (method: string, path: string, headers = {}) =>
    fetch(`${web}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const list = await (await through("GET", "/notes")).json();
  expect(list).toMatchObject({ data: [{ id }] });
  const cookie = { cookie: `service_token=${"x".repeat(43)}` };
  const me = await through("GET", "/auth/me", cookie);
  expect(await me.json()).toMatchObject({ user: { id: ann.id }, viewer: { id: operator.id } });
  expect(me.headers.get("set-cookie")).toBeNull();
  const signOut = await through("DELETE", "/auth/token", cookie);
  expect([signOut.status, signOut.headers.get("set-cookie")]).toEqual([403, null]);
});
