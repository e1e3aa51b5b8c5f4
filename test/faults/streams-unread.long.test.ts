import diagnostics from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type RunningProxy, startNginx } from "../support/deploy/proxies.js";
import { type EventStream, openEvents } from "../support/http/event-stream.js";
import { unsentTo } from "../support/http/kernel.js";

const silent = 400;
const megabyte = 1024 * 1024;

let app: WrittenApp;
let token: string;
/** The server's ends of all connections. */
const sockets = new Set<Socket>();
const note = (message: unknown) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
};

beforeAll(async () => {
  diagnostics.subscribe("net.server.socket", note);
  app = await startWrittenApp({
    descriptors: new Map([["texts.yaml", "changes: true\nfields: { text: { type: text } }\n"]]),
    settings: `auth: { check_breached_passwords: false }
server: { host: 127.0.0.1 }
changes: { streams: 1000, streams_per_account: 1000 }
`,
  });
  token = await newSession(app.db, (await app.caller(null)).id);
});
afterAll(async () => {
  diagnostics.unsubscribe("net.server.socket", note);
  await app.close();
});

const watch = `/_service/changes?watch=${encodeURIComponent('{"texts":true}')}`;

async function listen(url = app.url): Promise<EventStream> {
  const stream = await openEvents(url, token, watch);
  expect((await stream.next()).event).toBe("ready");
  return stream;
}

async function write(length: number): Promise<string> {
  const [row] = await app.db.query<{ id: string }>(
    "insert into texts (text) values (repeat('x', $1)) returning id",
    [length],
  );
  return row?.id ?? "";
}

test("hundreds of clients that read nothing hold at most 256 kB each and 64 MB together, and delay no other client", async () => {
  const reading = await listen();
  const others: EventStream[] = [];
  while (others.length < silent) {
    const some = await Promise.all(Array.from({ length: 50 }, () => listen()));
    for (const stream of some) stream.pause();
    others.push(...some);
  }
  const most = { of: 0, all: 0 };
  const look = () => {
    const unsent = [...sockets].map(({ writableLength }) => writableLength);
    most.of = Math.max(most.of, ...unsent);
    most.all = Math.max(
      most.all,
      unsent.reduce((sum, one) => sum + one, 0),
    );
  };
  const left = () => [...sockets].length;
  const before = left();
  let cutAt: number | null = null;
  const record = 45 * 1024;
  const delays: number[] = [];
  for (let turn = 0; left() > before - silent && turn < 400; turn += 1) {
    const begin = performance.now();
    const id = await write(record);
    expect((await reading.next()).data.id).toBe(id);
    delays.push(performance.now() - begin);
    await sleep(5);
    look();
    if (left() < before) cutAt ??= most.all;
  }
  console.info({ most, cutAt, delays: delays.toSorted((a, b) => b - a).slice(0, 3) });
  // All of them are cut off in the end, and the one that reads is not.
  expect(left()).toBe(before - silent);
  expect(most.of).toBeLessThan(256 * 1024 + 2 * record);
  expect(most.all).toBeLessThanOrEqual(64 * megabyte);
  expect(cutAt ?? 0).toBeGreaterThan(60 * megabyte);
  const id = await write(1);
  expect((await reading.next()).data.id).toBe(id);
  for (const stream of [reading, ...others]) stream.close();
}, 120_000);

const site = `
upstream app {
  server 127.0.0.1:3000;
}
server {
  listen 80;
  gzip on;
  gzip_min_length 0;
  gzip_types application/json;
  location / {
    proxy_pass http://app;
  }
}
`;

test("a proxy that buffers responses passes each event on before the next one arrives", async () => {
  const proxy: RunningProxy = await startNginx(site, [Number(new URL(app.url).port)]);
  const url = `http://127.0.0.1:${proxy.port}`;
  const stream = await openEvents(url, token, watch, { "accept-encoding": "gzip" });
  expect(stream.headers["content-encoding"]).toBeUndefined();
  expect((await stream.next()).event).toBe("ready");
  for (let turn = 0; turn < 3; turn += 1) {
    const id = await write(1);
    expect((await stream.next()).data.id).toBe(id);
  }
  stream.close();
  await proxy.stop();
});

test("a client that reads none of many changes is cut off, and the kernel keeps nothing for it", async () => {
  const { hostname, port } = new URL(app.url);
  const client = connect(Number(port), hostname);
  client.on("error", () => {});
  client.write(`GET /api${watch} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n\r\n`);
  await expect.poll(() => String(client.read() ?? "")).toContain("event: ready");
  // Those of other tests may still be closing.
  const isOpen = () => [...sockets].some(({ remotePort }) => remotePort === client.localPort);
  expect(isOpen()).toBe(true);
  await app.db.query(
    "insert into texts (text) select repeat('x', 10000) from generate_series(1, 2300)",
  );
  // It reads nothing of 23 MB.
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(false);
  expect(unsentTo(client.localPort ?? 0)).toBeNull();
  client.destroy();
  await app.db.query("delete from texts");
});
