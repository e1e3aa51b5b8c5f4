import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openWire } from "../../support/http/wire.js";
import { ask } from "./support/ask.js";
import { openPair, type Pair } from "./support/fake-api.js";

let pair: Pair;

beforeAll(async () => {
  pair = await openPair();
});
afterAll(() => pair.close());

let before = 0;
beforeEach(() => {
  before = pair.received.length;
});

function forwarded(): readonly string[] {
  return pair.received.slice(before).map(({ url }) => url);
}

test.each([
  "/api/products",
  "/api/products?filter[price][lt]=3&where=%7B%22a%22:1%7D&x=..%2f//\\",
  "/api/products/%252e%252e/x",
  "/api/_service/files/a/b/2026/11/x-t%20ea.webp",
  "/api/a..b/..c/d..",
  "/api/%zz/%4",
  "/api/",
])("forwards %s byte for byte", async (path) => {
  expect((await ask(pair.url, "GET", path)).status).toBe(200);
  expect(forwarded()).toEqual([path]);
});

test.each([
  "/api/../secret",
  "/api/..",
  "/api/..%2fsecret",
  "/api/%2e%2e/secret",
  "/api/%2E./secret",
  "/api/a/%2e%2e%2fsecret",
  "/api//products",
  "//evil.example/api/products",
  "/api/%2fproducts",
  "/api%2f/products",
  "/api/a\\b",
  "/api/a%5cb",
  "/api/a%00b",
  "/x/../api/products",
  "/..%2fapi/products",
  "http://evil.example/api/products",
  "*",
])("refuses %s with 400, and forwards nothing", async (path) => {
  const method = path === "*" ? "OPTIONS" : "GET";
  const { status, body } = await ask(pair.url, method, path);
  expect({ status, body }).toEqual({ status: 400, body: { error: "The request is malformed" } });
  expect(forwarded()).toEqual([]);
});

test.each(["/api", "/API/products", "/apix", "/other", "/api;/products"])(
  "does not forward %s",
  async (path) => {
    const { status, body } = await ask(pair.url, "GET", path);
    expect({ status, body }).toEqual({ status: 404, body: { error: "Not found" } });
    expect(forwarded()).toEqual([]);
  },
);

test.each(["websocket", "h2c", "tls/1.3"])("refuses to upgrade to %s", async (protocol) => {
  const wire = await openWire(pair.url);
  await wire.send(
    `GET /api/products HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
  );
  await wire.sees(/^HTTP\/1\.1 400 /);
  wire.destroy();
  expect(forwarded()).toEqual([]);
});

test.each(["/api/products", "/api/auth/me", "/", "/data"])(
  "refuses TRACE %s with 405, and forwards nothing",
  async (path) => {
    for (const headers of [{}, { "service-dashboard": "1", "sec-fetch-site": "same-origin" }]) {
      const answer = await ask(pair.url, "TRACE", path, { headers });
      expect(answer).toMatchObject({ status: 405, body: { error: "Method not allowed here" } });
      expect(answer.headers.allow).toBe("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    }
    expect(forwarded()).toEqual([]);
  },
);

test("refuses CONNECT with 405, and forwards nothing", async () => {
  const wire = await openWire(pair.url);
  await wire.send("CONNECT example.com:80 HTTP/1.1\r\nHost: example.com\r\n\r\n");
  await wire.sees(/^HTTP\/1\.1 405 /);
  await wire.closed;
  expect(forwarded()).toEqual([]);
});

test.each([
  ["more than a hundred header lines", 431, Array.from({ length: 101 }, (_, at) => `X-${at}: 1`)],
  ["two Hosts", 400, ["Host: other"]],
  ["two lengths", 400, ["Content-Length: 3", "Content-Length: 4"]],
  ["an invalid length", 400, ["Content-Length: +3"]],
  ["a coding that some parsers read as chunked", 400, ["Transfer-Encoding: xchunked"]],
  ["chunked under something else", 400, ["Transfer-Encoding: chunked, identity"]],
  ["a blank before the colon", 400, ["Transfer-Encoding : chunked"]],
  ["a carriage return within a value", 400, ["X-One: a\rTransfer-Encoding: chunked"]],
  ["a NUL within a value", 400, ["X-One: a\0b"]],
])("refuses %s with %i", async (_, status, lines) => {
  const wire = await openWire(pair.url);
  await wire.send(`GET /api/products HTTP/1.1\r\nHost: x\r\n${lines.join("\r\n")}\r\n\r\n`);
  await wire.sees(new RegExp(`^HTTP/1\\.1 ${status} `));
  wire.destroy();
  expect(forwarded()).toEqual([]);
});

test("a GET with a body in chunks cannot smuggle a second request", async () => {
  const wire = await openWire(pair.url);
  const smuggled = "GET /api/admin HTTP/1.1\r\nHost: x\r\n\r\n";
  const chunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
  await wire.send(
    `GET /api/products HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
  );
  await wire.sees(/^HTTP\/1\.1 200 /);
  wire.destroy();
  expect(forwarded()).toEqual(["/api/products"]);
  expect(pair.received.at(-1)?.body).toBe(smuggled);
});

test("a body with both a length and chunks is not forwarded", async () => {
  const wire = await openWire(pair.url);
  await wire.send(
    "POST /api/products HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  );
  await wire.sees(/^HTTP\/1\.1 400 /);
  wire.destroy();
  expect(forwarded()).toEqual([]);
});
