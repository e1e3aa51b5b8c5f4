import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { openWire } from "../../support/http/wire.js";
import { ask } from "./support/ask.js";
import { json, listening, openPair, type Pair, stopped } from "./support/fake-api.js";

let pair: Pair;
afterEach(() => pair.close());

test("passes a response of 10 MB completely", async () => {
  pair = await openPair();
  const bytes = randomBytes(10_000_000);
  pair.answer = (_request, _incoming, response) => {
    response.writeHead(200, { "content-type": "image/webp", "content-length": bytes.length });
    response.end(bytes);
  };
  const answer = await ask(pair.url, "GET", "/api/_service/files/x");
  expect(digest(answer.bytes)).toBe(digest(bytes));
  expect(answer.headers["content-length"]).toBe("10000000");
});

test("passes on the start of a response before its end arrives", async () => {
  pair = await openPair();
  pair.answer = (_request, _incoming, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("first");
  };
  const wire = await openWire(pair.url);
  await wire.send("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n");
  await wire.sees(/^HTTP\/1\.1 200 OK[\s\S]*first/);
  wire.destroy();
});

test("reads no more of an upload than the API does, except what fits into buffers", async () => {
  let seen = 0;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const api = createServer((incoming, response) => {
    void begun.then(() => {
      incoming.on("data", (part: Buffer) => {
        seen += part.length;
      });
      incoming.on("end", () => json(response, 201, { size: seen }));
    });
  });
  const apiUrl = await listening(api);
  pair = await openPair({ apiUrl: () => apiUrl });
  const size = 60_000_000;
  const { hostname, port } = new URL(pair.url);
  const headers = { "content-length": size };
  const outgoing = request({ hostname, port, method: "PUT", path: "/api/x", headers });
  const answered = once(outgoing, "response");
  const part = Buffer.alloc(1_000_000, 1);
  let taken = 0;
  for (let sent = 0; sent < size; sent += part.length) {
    if (outgoing.write(part)) continue;
    const drained = once(outgoing, "drain").then(() => true);
    if (await Promise.race([drained, sleep(seen === 0 ? 500 : 5_000).then(() => false)])) continue;
    taken = sent;
    begin();
    await drained;
  }
  outgoing.end();
  const [incoming] = await answered;
  incoming.resume();
  expect([incoming.statusCode, seen]).toEqual([201, size]);
  // The system's buffers of two connections.
  expect(taken).toBeLessThan(30_000_000);
  await stopped(api);
});

test("reads no more of a response than the browser does, except what fits into buffers", async () => {
  const size = 60_000_000;
  const part = Buffer.alloc(1_000_000, 1);
  let written = 0;
  const api = createServer(async (_incoming, response) => {
    response.writeHead(200, { "content-type": "image/webp", "content-length": size });
    while (written < size) {
      written += part.length;
      if (!response.write(part)) await once(response, "drain");
    }
    response.end();
  });
  const apiUrl = await listening(api);
  pair = await openPair({ apiUrl: () => apiUrl });
  const { hostname, port } = new URL(pair.url);
  const outgoing = request({ hostname, port, path: "/api/_service/files/x" });
  const answered = once(outgoing, "response");
  outgoing.end();
  const [incoming] = await answered;
  incoming.pause();
  let before = -1;
  while (written !== before) {
    before = written;
    await sleep(300);
  }
  // The system's buffers of two connections.
  expect(written).toBeLessThan(30_000_000);
  let seen = 0;
  incoming.on("data", (one: Buffer) => {
    seen += one.length;
  });
  incoming.resume();
  await once(incoming, "end");
  expect(seen).toBe(size);
  await stopped(api);
});

test("passes on an early refusal of an upload", async () => {
  const api = createServer((incoming, response) => {
    json(response, 413, { error: "The body is too large" });
    incoming.resume();
  });
  const apiUrl = await listening(api);
  pair = await openPair({ apiUrl: () => apiUrl });
  const answer = await ask(pair.url, "PUT", "/api/_service/uploads/products/image?name=a.bin", {
    body: Buffer.alloc(5_000_000),
  });
  expect(answer).toMatchObject({ status: 413, body: { error: "The body is too large" } });
  await stopped(api);
});

test("a response that breaks off breaks the connection", async () => {
  pair = await openPair();
  pair.answer = (_request, incoming, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("half");
    setTimeout(() => incoming.socket.resetAndDestroy(), 50);
  };
  await expect(ask(pair.url, "GET", "/api/x")).rejects.toThrow();
});

test("an upload that its sender breaks off does not reach the API as complete", async () => {
  pair = await openPair();
  let isAborted = false;
  const api = createServer((incoming) => {
    incoming.on("error", () => {});
    incoming.on("close", () => {
      isAborted = !incoming.complete;
    });
    incoming.resume();
  });
  const apiUrl = await listening(api);
  const other = await openPair({ apiUrl: () => apiUrl });
  const wire = await openWire(other.url);
  await wire.send("PUT /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf");
  await sleep(100);
  wire.destroy();
  await expect.poll(() => isAborted).toBe(true);
  await other.close();
  await stopped(api);
});

test.each(["GET", "POST", "DELETE"])("an API that is down: %s is 502", async (method) => {
  const api = createServer();
  const apiUrl = await listening(api);
  await stopped(api);
  pair = await openPair({ apiUrl: () => apiUrl });
  const answer = await ask(pair.url, method, "/api/x", method === "POST" ? { body: "{}" } : {});
  expect(answer).toMatchObject({ status: 502, body: { error: "The API did not respond" } });
});

test("an API that does not begin its response in time is 504", async () => {
  pair = await openPair({ forwardLimits: { answerMs: 200 } });
  pair.answer = () => {};
  const answer = await ask(pair.url, "POST", "/api/x", { body: "{}" });
  expect(answer).toMatchObject({ status: 504, body: { error: "The API did not respond in time" } });
});

test("the time of an upload is not counted, nor that of a response that has begun", async () => {
  pair = await openPair({ forwardLimits: { answerMs: 1_000 } });
  pair.answer = (_request, _incoming, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("a");
    setTimeout(() => response.end("b"), 1_300);
  };
  const { hostname, port } = new URL(pair.url);
  const outgoing = request({ hostname, port, method: "PUT", path: "/api/x" });
  const answered = once(outgoing, "response");
  outgoing.write("slow");
  await sleep(1_300);
  outgoing.end();
  const [incoming] = await answered;
  expect(incoming.statusCode).toBe(200);
  const parts = await incoming.toArray();
  expect(Buffer.concat(parts).toString()).toBe("ab");
});

test("a write is never sent twice", async () => {
  pair = await openPair();
  // The first answer leaves a connection that the API then closes without a word.
  await ask(pair.url, "GET", "/api/x");
  pair.answer = (_request, incoming) => incoming.socket.resetAndDestroy();
  const before = pair.received.length;
  expect((await ask(pair.url, "POST", "/api/x", { body: "{}" })).status).toBe(502);
  expect(pair.received.length - before).toBe(1);
});

test("a read survives a connection that the API has closed meanwhile", async () => {
  const api = createServer((_incoming, response) => json(response, 200, {}));
  api.keepAliveTimeout = 1;
  const apiUrl = await listening(api);
  pair = await openPair({ apiUrl: () => apiUrl });
  for (let turn = 0; turn < 20; turn += 1) {
    expect((await ask(pair.url, "GET", "/api/x")).status).toBe(200);
    await sleep(turn % 4);
  }
  await stopped(api);
});

test.each([
  ["HEAD", 200],
  ["GET", 304],
  ["DELETE", 204],
])("%s with %i has no body", async (method, status) => {
  pair = await openPair();
  pair.answer = (_request, _incoming, response) => {
    response.writeHead(status, method === "HEAD" ? { "content-length": "7" } : { etag: '"a"' });
    response.end();
  };
  const answer = await ask(pair.url, method, "/api/x");
  expect(answer).toMatchObject({ status, text: "" });
  if (method === "HEAD") expect(answer.headers["content-length"]).toBe("7");
});

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
