import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openWire } from "../../support/http/wire.js";
import { ask } from "./support/ask.js";
import { listening, openPair, type Pair, stopped } from "./support/fake-api.js";

const forwardLimits = {
  connectMs: 300,
  answerMs: 300,
  silentMs: 300,
  pace: { ms: 300, bytes: 1_000 },
  checkMs: 20,
};

let pair: Pair;
let api: Server;
/** What the API saw end before it was whole. */
let broken: string[] = [];

/** For what is answered at once, but on a busy machine. */
const patient = { ...forwardLimits, connectMs: 10_000, answerMs: 10_000, silentMs: 10_000 };

async function open(answer: RequestListener, limits = forwardLimits): Promise<void> {
  const own: string[] = [];
  broken = own;
  api = createServer((request, response) => {
    request.on("error", () => {});
    response.on("close", () => {
      if (!response.writableFinished) own.push(request.url ?? "");
    });
    answer(request, response);
  });
  const apiUrl = await listening(api);
  pair = await openPair({ apiUrl: () => apiUrl, forwardLimits: limits });
}
afterEach(async () => {
  await pair.close();
  await stopped(api);
});

const late =
  /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*\{"error":"The request did not arrive/i;

test.each([
  ["a body that trickles in", "Content-Length: 100000\r\n\r\n", "x"],
  ["chunks that trickle in", "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"],
])("%s is 408, and the API is not kept waiting", async (_, rest, drop) => {
  await open((request) => void request.resume());
  const wire = await openWire(pair.url);
  await wire.send(`PUT /api/x HTTP/1.1\r\nHost: x\r\n${rest}`);
  const trickle = setInterval(() => void wire.send(drop), 20);
  await wire.closed;
  clearInterval(trickle);
  expect(wire.rest()).toMatch(late);
  await expect.poll(() => broken).toEqual(["/api/x"]);
});

test("a body of which nothing arrives is 408", async () => {
  await open((request) => void request.resume());
  const wire = await openWire(pair.url);
  await wire.send("PUT /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n");
  await wire.closed;
  expect(wire.rest()).toMatch(late);
});

test("a body that the API does not read is 504, whatever its client sends", async () => {
  await open(() => {});
  const part = Buffer.alloc(64 * 1024);
  const wire = await openWire(pair.url);
  await wire.send("PUT /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
  const flood = setInterval(() => void wire.send(part), 1);
  await wire.sees(/^HTTP\/1\.1 504 /);
  clearInterval(flood);
  await wire.closed;
});

test("a response that stops in its middle breaks the connection", async () => {
  await open((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("half");
  });
  const wire = await openWire(pair.url);
  await wire.send("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n");
  await wire.closed;
  expect(wire.rest()).toMatch(/^HTTP\/1\.1 200 [\s\S]*half\r\n$/);
  await expect.poll(() => broken).toEqual(["/api/x"]);
});

test("the response of a sign-in that stops in its middle is 504", async () => {
  await open((_request, response) => {
    response.writeHead(201, { "content-type": "application/json" });
    response.write('{"token"');
  });
  const answer = await ask(pair.url, "POST", "/api/auth/token", { body: "{}" });
  expect(answer).toMatchObject({ status: 504, body: { error: "The API did not respond in time" } });
});

test("a client that sends requests ahead does not extend the API's time", async () => {
  await open(() => {});
  const wire = await openWire(pair.url);
  await wire.send("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n");
  const more = setInterval(() => void wire.send("GET /api/y HTTP/1.1\r\nHost: x\r\n\r\n"), 20);
  await wire.sees(/^HTTP\/1\.1 504 /);
  clearInterval(more);
  wire.destroy();
});

/** Answers without an end. */
const endless: RequestListener = (_request, response) => {
  const part = Buffer.alloc(1024 * 1024);
  response.writeHead(200, { "content-type": "image/webp" });
  const more = () => {
    while (response.write(part));
  };
  response.on("drain", more);
  more();
};

test("a client that reads nothing is disconnected, and so is the API", async () => {
  await open(endless);
  const { hostname, port } = new URL(pair.url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.pause();
  socket.write("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => broken).toEqual(["/api/x"]);
  socket.destroy();
});

test("a client that reads steadily is not disconnected, however long it takes", async () => {
  // On a busy machine nothing may be read for a while.
  const steady = { ...forwardLimits, silentMs: 1_500, pace: { ms: 1_500, bytes: 1_000 } };
  await open(endless, steady);
  const { hostname, port } = new URL(pair.url);
  const socket = connect(Number(port), hostname);
  socket.write("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n");
  const end = performance.now() + 3_500;
  while (performance.now() < end) await once(socket, "data");
  expect(broken).toEqual([]);
  socket.destroy();
  await expect.poll(() => broken).toEqual(["/api/x"]);
});

test("reads use one connection to the API, one after the other", async () => {
  const sockets = new Set<unknown>();
  await open((request, response) => {
    sockets.add(request.socket);
    response.end("{}");
  }, patient);
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await ask(pair.url, "GET", "/api/x")).status).toBe(200);
  }
  expect(sockets.size).toBe(1);
});
