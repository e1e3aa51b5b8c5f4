import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { created, expectRefusal } from "../support/apps/shop.js";
import type { Row } from "../support/http/client.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";

let host: ShopHost;
let server: ShopServer;
let product: Row;
beforeAll(async () => {
  // One account sends hundreds of requests at once.
  host = await openHost("limits: { per_token_at_once: 0 }\n");
  server = await host.serve();
  const fields = { name: "Lamp", price: 1, categoryId: server.category.id };
  product = await created(server.admin, "products", fields);
});
afterAll(() => host.close());

afterEach(async () => {
  const { status, body } = await server.admin.get(`/products/${product.id}`);
  expect([status, body, server.process.exitCode]).toEqual([200, product, null]);
});

function open(text: string | Buffer): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(text);
  return socket;
}

/** Sends these bytes and reads until the server closes the connection. */
function raw(text: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = open(text);
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(answer));
  });
}

function head(method: string, path: string, headers: readonly string[] = []): string {
  const lines = [
    `${method} /api${path} HTTP/1.1`,
    "host: shop",
    `authorization: Bearer ${server.token}`,
  ];
  return `${[...lines, ...headers].join("\r\n")}\r\n\r\n`;
}

test.each([1_000, 50_000])("a body %d levels deep is refused", async (depth) => {
  const list = `${"[".repeat(depth)}${"]".repeat(depth)}`;
  expectRefusal(await server.admin.send("POST", "/products", { text: list }), 400);
  const deep = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  for (const value of [list, deep]) {
    const text = `{"name":${value},"more":${value}}`;
    const path = `/products/${product.id}`;
    expectRefusal(await server.admin.send("PATCH", path, { text }), 400);
    const signIn = await server.anonymous.send("POST", "/auth/token", { text });
    // Bodies of accounts end at 16 384 bytes.
    if (text.length > 16_384) expectRefusal(signIn, 413);
    else expectRefusal(signIn, 400);
  }
  const open = { text: '{"a":['.repeat(depth) };
  expectRefusal(await server.admin.send("POST", "/products", open), 400);
});

test("a body of a hundred thousand keys takes at most four times as long to refuse as one of a quarter", async () => {
  const bodyOf = (keys: number) =>
    `{${Array.from({ length: keys }, (_, at) => `"${at}":0`).join(",")}}`;
  const timeOf = async (text: string) => {
    const start = performance.now();
    expectRefusal(await server.admin.send("POST", "/products", { text }), 422, ["issues"]);
    return performance.now() - start;
  };
  const [whole, quarter] = [bodyOf(100_000), bodyOf(25_000)];
  const ratios: number[] = [];
  for (let pair = 0; pair < 7; pair += 1) {
    const short = await timeOf(quarter);
    ratios.push((await timeOf(whole)) / short);
  }
  // Work on every pair of keys would make it sixteen.
  expect(ratios.toSorted((one, other) => one - other)[3]).toBeLessThan(10);
});

test("query strings of 10 kB and more are refused", async () => {
  const long = "a".repeat(10_000);
  expectRefusal(await server.admin.get(`/products?q=${long}`), 414);
  expectRefusal(await server.admin.get(`/products/_stats?${"&a=".repeat(3_400)}`), 414);
  expectRefusal(await server.admin.get(`/products?q=${"a".repeat(20_000)}`), 431);
});

test("clients that disconnect within a body, or before the answer, affect no other client", async () => {
  const headers = ["content-type: application/json", "content-length: 100000"];
  const sockets = Array.from({ length: 50 }, (_, at) =>
    open(`${head(at % 2 === 0 ? "POST" : "PATCH", `/products/${product.id}`, headers)}{"name":`),
  );
  const readers = Array.from({ length: 50 }, () => open(head("GET", "/products")));
  await sleep(100);
  for (const socket of sockets) socket.destroy();
  for (const socket of readers) socket.resetAndDestroy();
  await sleep(100);
});

test("other requests are answered while two hundred are incomplete", async () => {
  const halves = ["GET /api/products HTTP/1.1\r\nhost: shop\r\nx-slow: a", "POST /api/prod", ""];
  const sockets = Array.from({ length: 200 }, (_, at) => open(halves[at % halves.length] ?? ""));
  await expect.poll(() => sockets.every(({ readyState }) => readyState === "open")).toBe(true);
  // Those that have sent nothing begin with a method, or they would be refused at once.
  for (const letter of "PATCH") {
    expect((await server.admin.get("/products")).status).toBe(200);
    // It was answered while they were there, not when they had been given up.
    expect(sockets.filter(({ readyState }) => readyState !== "open")).toEqual([]);
    for (const socket of sockets) socket.write(letter);
  }
  for (const socket of sockets) socket.destroy();
});

test.each([
  ["no HTTP at all", "hello\r\n\r\n", 400],
  ["binary", Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x00, 0x0a]), 400],
  ["an unknown method", "BREW /api/products HTTP/1.1\r\nhost: shop\r\n\r\n", 400],
  ["a header without a colon", "GET /api/products HTTP/1.1\r\nhost: shop\r\nnothing\r\n\r\n", 400],
  [
    "two lengths of a body",
    "POST /api/products HTTP/1.1\r\nhost: shop\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
  [
    "too long a header",
    `GET /api/products HTTP/1.1\r\nhost: shop\r\nx-long: ${"a".repeat(20_000)}\r\n\r\n`,
    431,
  ],
])("%s gets an error in JSON, and the connection is closed", async (_, bytes, status) => {
  const answer = await raw(bytes);
  const [top = "", body = ""] = answer.split("\r\n\r\n");
  expect(top).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(top.toLowerCase()).toContain("content-type: application/json");
  expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
});

test("pipelined requests are answered in order", async () => {
  const requests = [
    head("GET", "/products/_stats"),
    head("GET", "/nothing"),
    head("DELETE", "/categories"),
    head("GET", `/products/${product.id}`, ["connection: close"]),
  ];
  const answer = await raw(requests.join(""));
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  expect(statuses).toEqual(["200", "404", "405", "200"]);
});

test("an expectation, an upgrade and a tunnel give no access", async () => {
  const expecting = head("POST", "/products", ["content-length: 2", "expect: something"]);
  expect(
    await raw(`${expecting}{}`.replace("content-length", "connection: close\r\ncontent-length")),
  ).toMatch(/^HTTP\/1\.1 4\d\d /);
  const upgrade = head("GET", "/products", ["connection: upgrade", "upgrade: websocket"]);
  const socket = open(upgrade);
  await sleep(200);
  socket.destroy();
  expect(await raw("CONNECT example.com:80 HTTP/1.1\r\nhost: example.com\r\n\r\n")).not.toMatch(
    /^HTTP\/1\.1 2/,
  );
});
