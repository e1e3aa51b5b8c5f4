import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Context, Route } from "../../../runtime/http/index.js";
import { unsentTo } from "../../support/http/kernel.js";
import { type RouteServer, startRoutes } from "./server.js";

const megabyte = 1024 * 1024;
/** Far more than the systems on both sides keep of a response that is not read. */
const bytes = 15 * megabyte;
const text = JSON.stringify("x".repeat(bytes));

/** The server's side of each connection, in the order of their requests. */
let taken: Socket[] = [];
let atOnce = 0;
let maxAtOnce = 0;
let made = 0;

const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/large",
    access: "public",
    handle: async ({ request }: Context) => {
      taken.push(request.socket);
      return { status: 200, json: text };
    },
  },
  {
    method: "GET",
    path: "/long",
    access: "public",
    handle: async ({ request }: Context) => {
      taken.push(request.socket);
      return { status: 200, json: null, long: { bytes, make } };
    },
  },
];

async function make(): Promise<string[]> {
  atOnce += 1;
  maxAtOnce = Math.max(maxAtOnce, atOnce);
  await sleep(20);
  atOnce -= 1;
  made += 1;
  return [text];
}

let server: RouteServer;
let clients: Socket[] = [];
async function start(stalledMs: number): Promise<void> {
  server = await startRoutes({ routes, limits: { stalledMs, checkMs: 20 } });
}
beforeEach(() => {
  taken = [];
  maxAtOnce = 0;
  made = 0;
});
afterEach(async () => {
  for (const socket of clients) socket.destroy();
  clients = [];
  await server.close();
});

/** A client that asks, and reads nothing until it is told to. */
async function ask(path: string, requests = 1): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  clients.push(socket);
  await once(socket, "connect");
  socket.pause();
  const count = taken.length;
  socket.write(`GET /api${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests));
  await expect.poll(() => taken.length).toBe(count + requests);
  return socket;
}

const statusOf = async (path: string) => (await server.anonymous.get(path)).status;

const gone = () => taken.map(({ destroyed }) => destroyed);

test.each(["/large", "/long"])(
  "a client that reads nothing of %s is cut off after the limit",
  async (path) => {
    await start(300);
    const asked = performance.now();
    const client = await ask(path);
    expect(gone()).toEqual([false]);
    await expect.poll(gone).toEqual([true]);
    // Nor does the system keep anything for it.
    expect(unsentTo(client.localPort ?? 0)).toBeNull();
    expect(performance.now() - asked).toBeGreaterThan(300);
  },
);

test("a client that reads something within each limit is not, however long the whole takes", async () => {
  await start(2_500);
  const socket = await ask("/large");
  let received = 0;
  for (let at = 0; at < 10; at += 1) {
    await sleep(300);
    // Read as long as it comes, so that the system asks for more.
    for (let read = 0; read < megabyte; ) {
      const chunk: Buffer | null = socket.read();
      if (chunk === null) await once(socket, "readable");
      else read += chunk.length;
      received += chunk?.length ?? 0;
    }
  }
  expect(gone()).toEqual([false]);
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.resume();
  await expect.poll(() => received).toBeGreaterThan(text.length);
});

test("unread responses are dropped after a second, the oldest first", async () => {
  await start(60_000);
  await ask("/large");
  await ask("/large");
  // Beyond 32 MB in all, and nobody has been waited for.
  expect(await statusOf("/large")).toBe(503);
  expect(gone()).toEqual([false, false, false]);
  await sleep(1_050);
  expect(await statusOf("/large")).toBe(200);
  expect(gone()).toEqual([true, false, false, false]);
});

test("long responses are made one by one, and wait for room", async () => {
  await start(60_000);
  await ask("/long");
  await ask("/long");
  const begun = performance.now();
  const replies = await Promise.all([1, 2, 3].map(() => server.anonymous.get("/long")));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(performance.now() - begun).toBeGreaterThan(500);
  expect(gone().slice(0, 2)).toContain(true);
  expect(maxAtOnce).toBe(1);
});

test("one connection holds one long response, and the next is made when it has been sent", async () => {
  await start(60_000);
  const socket = await ask("/long", 2);
  await expect.poll(() => made).toBe(1);
  await sleep(500);
  expect(made).toBe(1);
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  socket.resume();
  await expect.poll(() => received).toBeGreaterThan(2 * bytes);
  expect(made).toBe(2);
});

test("long responses beyond the queue are 503, and the others still wait", async () => {
  await start(60_000);
  let reply = await server.anonymous.get("/url-of-none");
  // On a busy machine the first have waited too long before the last is there.
  for (let at = 0; at < 40 && reply.status !== 503; at += 1) {
    await ask("/long", 16);
    if (at >= 4) reply = await server.anonymous.get("/long");
  }
  expect(reply.status).toBe(503);
  expect(reply.headers["retry-after"]).toBe("2");
  // Who goes away leaves the queue.
  for (const socket of clients) socket.destroy();
  await expect.poll(() => statusOf("/long")).toBe(200);
});
