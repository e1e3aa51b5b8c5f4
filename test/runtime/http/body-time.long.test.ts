import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Route, readJson } from "../../../runtime/http/index.js";
import { openWire, type Wire } from "../../support/http/wire.js";
import { type RouteServer, startRoutes } from "./server.js";

const routes: readonly Route[] = [
  {
    method: "PUT",
    path: "/slow",
    access: "public",
    // The handler takes its time before it reads.
    handle: async (context) => {
      await sleep(700);
      await readJson(context);
      return { status: 200, json: '"done"' };
    },
  },
];

let server: RouteServer;
beforeAll(async () => {
  const limits = { headMs: 400, pace: { ms: 200, bytes: 1000 }, checkMs: 20 };
  server = await startRoutes({ routes, limits });
});
afterAll(() => server.close());

const late = /^HTTP\/1\.1 408 [\s\S]*\r\n\r\n\{"error":"Request Timeout"\}/;

async function begin(rest: string, path = "/slow", { url } = server): Promise<Wire> {
  const wire = await openWire(url);
  const type = "Content-Type: application/json";
  await wire.send(`PUT /api${path} HTTP/1.1\r\nHost: x\r\n${type}\r\n${rest}`);
  return wire;
}

test.each([
  ["a body that trickles in", "Content-Length: 100000\r\n\r\n"],
  ["a body in chunks that trickles in", "Transfer-Encoding: chunked\r\n\r\nffff\r\n"],
])("%s is late", async (_, rest) => {
  const wire = await begin(rest);
  const trickle = setInterval(() => void wire.send("x"), 20);
  await wire.closed;
  clearInterval(trickle);
  expect(wire.rest()).toMatch(late);
});

test("a missing body is late after any number of allowed headers", async () => {
  const headers = Array.from({ length: 90 }, (_, at) => `X-${at}: ${at}\r\n`).join("");
  const wire = await begin(`${headers}Content-Length: 2\r\n\r\n`);
  await wire.closed;
  expect(wire.rest()).toMatch(late);
});

test("a body that arrives steadily is not late, however long it takes", async () => {
  // Its pieces come 120 milliseconds apart, or many times that on a busy machine.
  const limits = { headMs: 10_000, pace: { ms: 3_000, bytes: 1000 }, checkMs: 20 };
  const patient = await startRoutes({ routes, limits });
  const wire = await begin("Content-Length: 30000\r\n\r\n", "/slow", patient);
  for (let sent = 0; sent < 30_000; sent += 1000) {
    await wire.send(sent === 0 ? `{${" ".repeat(999)}` : " ".repeat(1000));
    await sleep(120);
  }
  // Thirty thousand bytes without an end are no JSON.
  await wire.sees(/^HTTP\/1\.1 400 [\s\S]*The body is not JSON/);
  wire.destroy();
  await patient.close();
});

test.each([
  "Content-Length: 2\r\n\r\n{}",
  "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
])("%j, which waits for its handler, is not late", async (rest) => {
  const wire = await begin(rest);
  await wire.sees(/^HTTP\/1\.1 200 [\s\S]*"done"/);
  wire.destroy();
});

test("a head that is missing or trickles in is late", async () => {
  const silent = await openWire(server.url);
  const slow = await openWire(server.url);
  await slow.send("GET /api/none HTTP/1.1\r\nHost: ");
  const trickle = setInterval(() => void slow.send("x"), 20);
  await Promise.all([silent.closed, slow.closed]);
  clearInterval(trickle);
  expect(silent.rest()).toMatch(late);
  expect(slow.rest()).toMatch(late);
});

test("the head of a later request is late too, but no time runs between two", async () => {
  const wire = await openWire(server.url);
  await wire.send("GET /api/none HTTP/1.1\r\nHost: x\r\n\r\n");
  await wire.sees(/^HTTP\/1\.1 404 [\s\S]*"\}/);
  await sleep(600);
  await wire.send("GET /api/none HTTP/1.1\r\nHost: x\r\n\r\n");
  await wire.sees(/^HTTP\/1\.1 404 [\s\S]*"\}/);
  await wire.send("GET /api/");
  await wire.closed;
  expect(wire.rest()).toMatch(late);
});
