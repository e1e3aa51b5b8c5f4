import { createServer } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect } from "vitest";
import { openWire, type Wire } from "../../support/http/wire.js";
import { rare, test } from "../../support/rare.js";
import { ask } from "./support/ask.js";
import { json, listening, openPair, type Pair, stopped } from "./support/fake-api.js";

let pair: Pair;
let wires: Wire[] = [];
afterEach(async () => {
  for (const wire of wires) wire.destroy();
  wires = [];
  await pair.close();
});

async function open(count: number, bytes: string): Promise<void> {
  for (let left = count; left > 0; left -= 50) {
    const opened = Array.from({ length: Math.min(left, 50) }, () => openWire(pair.url));
    for (const wire of await Promise.all(opened)) {
      wires.push(wire);
      await wire.send(bytes);
    }
  }
}

/**
 * Asks as a browser does, for the page and for several things at once: within moments all is there. A request that was
 * just answered counts as slow only 100 ms after somebody looked at it. Without making room, places are held for 60 s.
 */
async function expectAnswered(): Promise<void> {
  const asked = async () => {
    const answers = await Promise.all([
      ask(pair.url, "GET", "/", { headers: { accept: "text/html" } }),
      ...["GET", "GET", "GET"].map((method) => ask(pair.url, method, "/api/x")),
      ...["POST", "PATCH"].map((method) => ask(pair.url, method, "/api/x", { body: "{}" })),
    ]);
    return answers.map(({ status }) => status);
  };
  await expect.poll(asked).toEqual([200, 200, 200, 200, 200, 200]);
}

const half = "POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{";
const forwardLimits = { atOnce: 50 };

rare("1,100 requests without their body do not block the dashboard", async () => {
  pair = await openPair();
  await open(1_100, half);
  await sleep(150);
  await expectAnswered();
});

test.each([
  ["idle connections", ""],
  ["idle connections that had an answer", "GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["requests whose head does not end", "GET /api/x HTTP/1.1\r\nHost: x\r\nX-Slow: "],
  ["requests without their body", half],
  [
    "requests without their chunks",
    "PUT /api/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
  ],
  ["requests sent ahead of one without its body", `GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n${half}`],
])("more %s than may be forwarded do not block the dashboard", async (_, bytes) => {
  pair = await openPair({ forwardLimits });
  await open(3 * forwardLimits.atOnce, bytes);
  await sleep(150);
  await expectAnswered();
});

test("bodies whose responses came early free their slots", async () => {
  const api = createServer((request, response) => {
    if (request.url === "/api/early") json(response, 413, {});
    else request.resume().once("end", () => json(response, 200, {}));
  });
  const apiUrl = await listening(api);
  pair = await openPair({ apiUrl: () => apiUrl, forwardLimits });
  await open(2 * forwardLimits.atOnce, half.replace("/x", "/early"));
  await sleep(150);
  await expectAnswered();
  await stopped(api);
});

test("a client that disconnects after requests sent ahead leaves nothing that counts", async () => {
  pair = await openPair({ forwardLimits });
  const { answer } = pair;
  pair.answer = () => {};
  const one = "GET /api/held HTTP/1.1\r\nHost: x\r\n\r\n";
  for (let round = 0; round < 5; round += 1) {
    await open(5, one.repeat(10));
    await sleep(50);
    for (const wire of wires.splice(0)) wire.destroy();
  }
  pair.answer = answer;
  await expectAnswered();
});

rare("clients that do not read their responses are closed to make room for others", async () => {
  const part = Buffer.alloc(1024 * 1024);
  const cut: boolean[] = [];
  const api = createServer((request, response) => {
    if (request.url !== "/api/large") {
      request.resume().once("end", () => json(response, 200, {}));
      return;
    }
    response.writeHead(200, { "content-type": "image/webp" });
    response.on("close", () => cut.push(true));
    const more = () => {
      while (response.write(part));
    };
    response.on("drain", more);
    more();
  });
  const apiUrl = await listening(api);
  pair = await openPair({ apiUrl: () => apiUrl, forwardLimits: { atOnce: 20 } });
  const { hostname, port } = new URL(pair.url);
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connect(Number(port), hostname).on("error", () => {});
    return socket.pause();
  });
  for (const socket of sockets) {
    socket.write("GET /api/large HTTP/1.1\r\nHost: x\r\n\r\n");
    await sleep(20);
  }
  await expectAnswered();
  await expect.poll(() => cut.length).toBeGreaterThan(10);
  for (const socket of sockets) socket.destroy();
  await stopped(api);
});

rare("a client at the required pace is not closed to make room", async () => {
  const pace = { ms: 60_000, bytes: 60 };
  pair = await openPair({ forwardLimits: { atOnce: 4, pace } });
  const head = "PUT /api/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n";
  await open(3, head);
  const [steady] = wires;
  const trickle = setInterval(() => void steady?.send("x"), 50);
  await sleep(500);
  await open(3, head);
  await sleep(500);
  await open(3, head);
  await steady?.sees(/^HTTP\/1\.1 200 /);
  clearInterval(trickle);
  await wires[1]?.sees(/^HTTP\/1\.1 503 [\s\S]*connection: close/i);
});

test("streams leave slots to requests, and a stream that ends frees its slot for another", async () => {
  const closed: boolean[] = [];
  pair = await openPair({ forwardLimits: { atOnce: 20, streams: 5 } });
  const { answer } = pair;
  pair.answer = (request, incoming, response) => {
    if (!request.url.startsWith("/api/_service/changes"))
      return answer(request, incoming, response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("event: ready\n\n");
    response.once("close", () => closed.push(true));
  };
  const stream = "GET /api/_service/changes?watch=x HTTP/1.1\r\nHost: x\r\n\r\n";
  for (let at = 0; at < 5; at += 1) {
    const wire = await openWire(pair.url);
    wires.push(wire);
    await wire.send(stream);
    await wire.sees(/event: ready/);
  }
  const further = await ask(pair.url, "GET", "/api/_service/changes?watch=x");
  expect([further.status, further.headers["retry-after"]]).toEqual([503, "1"]);
  await expectAnswered();
  // Its end is passed on to the API at once.
  wires[0]?.destroy();
  await expect.poll(() => closed.length).toBe(1);
  const wire = await openWire(pair.url);
  wires.push(wire);
  await wire.send(stream);
  await wire.sees(/event: ready/);
});
