import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type ConnectionLimits, limitsBehind, newListener } from "../../../runtime/http/index.js";
import { openWire, type Wire } from "../../support/http/wire.js";

/** The address that the next connections seem to come from. */
let address = "192.0.2.1";
/** Answers to `/held`, which wait. */
let held: ServerResponse[] = [];
let wires: Wire[] = [];
let accepting: Server;

/** A server whose connections another one accepts for it, as workers have it. */
async function start(limits: Partial<ConnectionLimits>, trustedProxies = 0): Promise<string> {
  held = [];
  wires = [];
  address = "192.0.2.1";
  const { server } = newListener(
    {
      serve: ({ url }, response) => {
        if (url === "/held") held.push(response);
        else if (url === "/endless") pour(response);
        else response.end("answered");
      },
      turnAway: (_request, response) => void response.writeHead(503).end(),
    },
    { ...limitsBehind(trustedProxies), checkMs: 20, ...limits },
  );
  accepting = createServer((socket) => {
    Object.defineProperty(socket, "remoteAddress", { value: address });
    server.emit("connection", socket);
  });
  accepting.listen(0, "127.0.0.1");
  await once(accepting, "listening");
  return `http://127.0.0.1:${(accepting.address() as AddressInfo).port}`;
}
afterEach(() => {
  for (const wire of wires) wire.destroy();
  accepting.close();
});

function pour(response: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024);
  const more = () => {
    while (response.write(part));
  };
  response.on("drain", more);
  more();
}

function request(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
}

const answered = /^HTTP\/1\.1 200 [\s\S]*answered/;

async function open(url: string, from = address): Promise<Wire> {
  address = from;
  const wire = await openWire(url);
  wires.push(wire);
  return wire;
}

async function expectAnswer(wire: Wire): Promise<void> {
  await wire.send(request("/"));
  await wire.sees(answered);
}

/** Whether a new connection is answered, not closed. */
async function isAnswered(url: string, from: string): Promise<boolean> {
  const wire = await open(url, from);
  await wire.send(request("/"));
  const isThere = () => answered.test(wire.rest());
  let isClosed = false;
  wire.closed.then(() => {
    isClosed = true;
  });
  await expect.poll(() => isThere() || isClosed).toBe(true);
  return isThere();
}

test.each([
  ["192.0.2.1", "192.0.2.1", "192.0.2.2"],
  ["192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"],
  ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"],
  ["2001:db8::1", "2001:db8:0:0:1::", "2001:db8:1::1"],
  ["fe80::1%eth0", "fe80::2%eth0", "fe80:0:0:1::1"],
])(
  "one client, %s and %s, has a limited number of connections, but others are answered",
  async (one, same, other) => {
    const url = await start({ perAddress: 3 });
    const kept = [await open(url, one), await open(url, same), await open(url, one)];
    for (const wire of kept) await expectAnswer(wire);
    await (await open(url, same)).closed;
    await expectAnswer(await open(url, other));
    for (const wire of kept) await expectAnswer(wire);
    kept[0]?.destroy();
    await expect.poll(() => isAnswered(url, same)).toBe(true);
    await (await open(url, one)).closed;
  },
);

test.each(["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])(
  "the machine itself, %s, has no such limit",
  async (own) => {
    const url = await start({ perAddress: 1 });
    for (let at = 0; at < 5; at += 1) await expectAnswer(await open(url, own));
  },
);

test("behind a proxy there is no limit, and without one it is a thousand", async () => {
  expect(limitsBehind(0)).toMatchObject({ perAddress: 1_000, connections: 16_384 });
  expect(limitsBehind(1)).toMatchObject({ connections: 16_384 });
  const url = await start({}, 1);
  for (let at = 0; at < 1_100; at += 1) await open(url);
  await expectAnswer(await open(url));
});

test("at the limit of all connections, the quietest is closed for a new one", async () => {
  const url = await start({ connections: 4 });
  const [first, working, , last] = [
    await open(url),
    await open(url),
    await open(url),
    await open(url),
  ];
  await working.send(request("/held"));
  await expect.poll(() => held).toHaveLength(1);
  await expectAnswer(first);
  await last.send("GET /");
  await sleep(60);
  // Only the third has done nothing; the second waits for its answer.
  await expectAnswer(await open(url));
  await wires[2]?.closed;
  await expectAnswer(first);
  for (const response of held) response.end("answered");
  await working.sees(answered);
  await last.send(request("").slice("GET ".length));
  await last.sees(/^HTTP\/1\.1 /);
});

test("a connection whose response is not read is closed for a new one as well", async () => {
  const url = await start({ connections: 2 });
  const unread = await unreading(url);
  const working = await open(url);
  await working.send(request("/held"));
  await expect.poll(() => held).toHaveLength(1);
  await sleep(100);
  await expectAnswer(await open(url));
  await once(unread.resume(), "close");
  for (const response of held) response.end("answered");
  await working.sees(answered);
});

test("if the server works for all of them, the newest is closed", async () => {
  const url = await start({ connections: 2 });
  const working = [await open(url), await open(url)];
  for (const wire of working) await wire.send(request("/held"));
  await expect.poll(() => held).toHaveLength(2);
  const newest = await open(url);
  await newest.closed;
  expect(newest.rest()).toBe("");
  for (const response of held) response.end("answered");
  for (const wire of working) await wire.sees(answered);
});

/** A client that reads nothing until it is told to. */
async function unreading(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.pause();
  await once(socket, "connect");
  socket.write(request("/endless"));
  return socket;
}

test("a client that reads too slowly is cut off, though it never stops reading", async () => {
  const pace = { ms: 400, bytes: 1_000_000_000 };
  const url = await start({ pace, stalledMs: 60_000 });
  const socket = await unreading(url);
  socket.resume();
  const begin = performance.now();
  await once(socket, "close");
  expect(performance.now() - begin).toBeGreaterThan(350);
});

test("a client that reads fast enough is not", async () => {
  const pace = { ms: 1_500, bytes: 1_000 };
  const url = await start({ pace, stalledMs: 60_000 });
  const socket = await unreading(url);
  socket.resume();
  await sleep(3_500);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});
