import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Age, connectAgent } from "../support/agents/agent.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Reply, Sent } from "../support/http/client.js";

const page = "https://shop.example.com";
const descriptors = new Map([["tasks.yaml", "fields: { title: { type: string } }\n"]]);

let app: WrittenApp;
let closed: WrittenApp;
let caller: Client;
let token: string;

beforeAll(async () => {
  const settings = (mcp: string) =>
    `auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1, ${mcp} }\n`;
  app = await startWrittenApp({
    descriptors,
    settings: settings(`mcp: read, max_json_bytes: 1000000, cors_origins: ["${page}"]`),
    variables: { SERVICE_WEB_URL: "http://localhost:3001" },
  });
  closed = await startWrittenApp({
    descriptors,
    settings: settings(`cors_origins: ["${page}"]`),
  });
  caller = (await app.caller(null)).client;
  token = (await caller.post<{ token: string }>("/auth/service-tokens", { name: "agent" })).body
    .token;
});
afterAll(() => Promise.all([app.close(), closed.close()]));

const path = "/_service/mcp";
const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

function send(message: unknown, headers: Sent["headers"] = {}): Promise<Reply<Message>> {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return caller.send("POST", path, {
    text,
    headers: { accept: "application/json, text/event-stream", ...headers },
  });
}

interface Message {
  readonly id?: unknown;
  readonly result?: { readonly tools?: readonly { readonly name: string }[] };
  readonly error?: { readonly code: number } | string;
}

const reading = ["list_resources", "describe_resource", "find", "get", "aggregate"];

test.each([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
] satisfies [Age, string][])(
  "the official client connects in its mode %s",
  async (age, revision) => {
    const agent = await connectAgent(app.url, token, { age });
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(agent.client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
    });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(reading);
    const found = await agent.call("find", { resource: "tasks" });
    expect(found).toMatchObject({ isError: false, result: { data: [], meta: { total: 0 } } });
    await expect(agent.call("create", { resource: "tasks", values: {} })).rejects.toThrow(
      "There is no tool with that name",
    );
    await agent.close();
  },
);

test("one message is answered in JSON, without a session", async () => {
  const reply = await send(list);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
  expect(reply.headers).not.toHaveProperty("mcp-session-id");
  expect(reply.body.result?.tools?.map(({ name }) => name)).toEqual(reading);
  // A client that accepts nothing but JSON gets it too.
  expect((await send(list, { accept: "application/json" })).status).toBe(200);
  const told = await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  expect(told).toMatchObject({ status: 202, text: "" });
});

test("the protocol version is negotiated, and an unknown one is refused", async () => {
  const params = { capabilities: {}, clientInfo: { name: "old", version: "1" } };
  const hello = (protocolVersion: string) =>
    send({ ...list, method: "initialize", params: { ...params, protocolVersion } });
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    expect((await hello(version)).body.result).toMatchObject({ protocolVersion: version });
  }
  // Old clients decide by the answer whether they speak it.
  expect((await hello("1999-01-01")).body.result).toMatchObject({ protocolVersion: "2025-11-25" });
  for (const version of ["1999-01-01", "2099-01-01", "latest", "é"]) {
    const { status, body } = await send(list, { "mcp-protocol-version": version });
    expect({ version, status, body }).toMatchObject({
      status: 400,
      body: { jsonrpc: "2.0", error: { code: expect.any(Number) } },
    });
  }
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2099-01-01",
    "io.modelcontextprotocol/clientInfo": params.clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { status, body } = await send({ ...list, params: { _meta: meta } });
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: -32022 } } });
});

describe("a body that is not a message of the protocol is refused", () => {
  test.each([
    ["an empty body", ""],
    ["no JSON", "{"],
    ["a list", [list]],
    ["an empty list", []],
    ["a text", '"tools/list"'],
    ["null", "null"],
    ["an empty object", {}],
    ["another version", { ...list, jsonrpc: "1.0" }],
    ["no version", { id: 1, method: "tools/list" }],
    ["a method that is not text", { ...list, method: 5 }],
    ["an id that is an object", { ...list, id: {} }],
    ["params that are a list", { ...list, params: [] }],
  ])("%s", async (_, message) => {
    const reply = await send(message);
    expect(reply.status, reply.text).toBe(400);
  });

  test("an unknown method or tool, and malformed calls", async () => {
    for (const [method, params] of [
      ["tools/nothing", {}],
      ["tools/call", {}],
      ["tools/call", { name: "create", arguments: {} }],
      ["tools/call", { name: "find", arguments: "all" }],
      ["tools/call", { name: "__proto__" }],
      ["resources/list", {}],
      ["prompts/get", { name: "x" }],
      ["subscriptions/listen", {}],
      ["logging/setLevel", { level: "debug" }],
    ] as const) {
      const { status, body } = await send({ ...list, method, params });
      expect({ method, status, body }).toMatchObject({
        status: 200,
        body: { id: 1, error: { code: expect.any(Number) } },
      });
    }
  });

  test("a body of over 1 MB, compressed, or of another type", async () => {
    const large = { ...list, params: { cursor: "x".repeat(1_000_001) } };
    expect((await send(large)).status).toBe(413);
    expect((await send(list, { "content-encoding": "gzip" })).status).toBe(415);
    expect((await send(list, { "content-type": "text/plain" })).status).toBe(415);
    const deep = `${'{"a":'.repeat(200)}1${"}".repeat(200)}`;
    expect(
      (await send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${deep}}`)).status,
    ).toBe(400);
  });
});

test("only POST exists, only for signed-in callers, and only if the app enables it", async () => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
    const reply = await caller.send(method, path);
    expect({ method, status: reply.status, allow: reply.headers.allow }).toEqual({
      method,
      status: 405,
      allow: "POST, OPTIONS",
    });
  }
  const reply = await send(list, { authorization: undefined });
  expect(reply).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
  expect((await send(list, { accept: "text/event-stream" })).status).toBe(406);
  const { client } = await closed.caller(null);
  for (const method of ["GET", "POST", "DELETE"]) {
    expect((await client.send(method, path, { text: JSON.stringify(list) })).status).toBe(404);
  }
});

test("pages of other origins are refused, even if their host name resolves to this server", async () => {
  const { host } = new URL(app.url);
  for (const origin of [
    "https://evil.example",
    `http://${host}`,
    "null",
    "http://localhost:3002",
  ]) {
    const reply = await send(list, { origin });
    expect({ origin, status: reply.status, body: reply.body }).toEqual({
      origin,
      status: 403,
      body: { error: "You may not do this" },
    });
  }
  for (const origin of [page, "http://localhost:3001"]) {
    expect((await send(list, { origin })).status).toBe(200);
  }
});

test("a configured origin may send the headers of the protocol", async () => {
  const asked = (client: Client) =>
    client.send("OPTIONS", path, {
      headers: { origin: page, "access-control-request-method": "POST" },
    });
  const allowed = "access-control-allow-headers";
  expect((await asked(caller)).headers[allowed]).toMatch(
    /,MCP-Protocol-Version,Mcp-Method,Mcp-Name$/,
  );
  const { client } = await closed.caller(null);
  expect((await asked(client)).headers[allowed]).toMatch(/,traceparent$/);
});
