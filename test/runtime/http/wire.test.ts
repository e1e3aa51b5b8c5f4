import { afterAll, beforeAll, expect, test } from "vitest";
import type { Route } from "../../../runtime/http/index.js";
import { readJson } from "../../../runtime/http/index.js";
import { openWire } from "../../support/http/wire.js";
import { type RouteServer, startRoutes } from "./server.js";

const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/one",
    access: "public",
    handle: async () => ({ status: 200, json: "1" }),
  },
  {
    method: "POST",
    path: "/one",
    access: "public",
    handle: async (context) => ({ status: 201, json: JSON.stringify(await readJson(context)) }),
  },
];

let server: RouteServer;
beforeAll(async () => {
  server = await startRoutes({ routes });
});
afterAll(() => server.close());

/** What comes back for these bytes until the server closes the connection. */
async function answerTo(bytes: string): Promise<string> {
  const wire = await openWire(server.url);
  await wire.send(bytes);
  await wire.closed;
  return wire.rest();
}

test("input that is not HTTP gets a JSON error and the end of the connection", async () => {
  for (const bytes of [
    "hello\r\n\r\n",
    "GET /api/one HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    "POST /api/one HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
    "POST /api/one HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
  ]) {
    const answer = await answerTo(bytes);
    expect(answer, bytes).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/i);
    expect(answer).toMatch(/\r\n\r\n\{"error":"Bad Request"\}$/);
  }
});

test("headers that are too large are 431", async () => {
  const answer = await answerTo(
    `GET /api/one HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toMatch(/\{"error":"Request Header Fields Too Large"\}$/);
});

test("the refusal of a HEAD has no body", async () => {
  const answer = await answerTo(`HEAD /api/one?${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\ncontent-length: 43\r\n\r\n$/);
});

test("an unknown expectation is ignored", async () => {
  const answer = await answerTo(
    "GET /api/one HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("a client with Expect: 100-continue may send its body", async () => {
  const wire = await openWire(server.url);
  await wire.send(
    "POST /api/one HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
      "Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
  );
  await wire.sees(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
  await wire.send("{}");
  await wire.closed;
  expect(wire.rest()).toMatch(/^HTTP\/1\.1 201 /);
});

test("pipelined requests on one connection are answered in order", async () => {
  const one = "GET /api/one HTTP/1.1\r\nHost: x\r\n\r\n";
  const last = "GET /api/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const answer = await answerTo(one + one + last);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 404"]);
});

test("a client of HTTP 1.0 is answered", async () => {
  expect(await answerTo("GET /api/one HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n1$/);
});
