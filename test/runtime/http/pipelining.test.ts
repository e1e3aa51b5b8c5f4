import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Route, readJson } from "../../../runtime/http/index.js";
import { expectRefusal } from "../../support/apps/shop.js";
import { openWire, type Wire } from "../../support/http/wire.js";
import { type RouteServer, startRoutes } from "./server.js";

let running = 0;
let maxRunning = 0;
let stored: unknown[] = [];
/** Answers that wait until they are let go. */
let held: (() => void)[] = [];

const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/slow/:n",
    access: "public",
    handle: async ({ params }) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      // Later ones are ready earlier.
      await sleep(Number(params.n) % 2 === 0 ? 20 : 5);
      running -= 1;
      return { status: 200, json: `"${params.n}"` };
    },
  },
  {
    method: "GET",
    path: "/held",
    access: "public",
    handle: async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return { status: 200, json: '"held"' };
    },
  },
  {
    method: "GET",
    path: "/long",
    access: "public",
    handle: async () => ({ status: 200, json: JSON.stringify("x".repeat(50_000)) }),
  },
  {
    method: "POST",
    path: "/stored",
    access: "public",
    handle: async (context) => {
      const body = await readJson(context);
      await sleep(50);
      stored.push(body);
      return { status: 201, json: JSON.stringify(body) };
    },
  },
];

let server: RouteServer;
beforeAll(async () => {
  server = await startRoutes({ routes, limits: { inFlight: 40, waiting: 1_000 } });
});
beforeEach(() => {
  maxRunning = 0;
  stored = [];
  held = [];
});
afterAll(() => server.close());

function get(path: string, headers = ""): string {
  return `GET /api${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
}

function post(body: string): string {
  const type = "Content-Type: application/json";
  return `POST /api/stored HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The status and the body of each answer in what came back. */
function answersIn(text: string): [number, string][] {
  const found = text.matchAll(/HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n((?:(?!HTTP\/1\.1 )[^\r])*)/g);
  return [...found].map(([, status, body]) => [Number(status), body ?? ""]);
}

/** What comes back for these bytes until the server closes the connection. */
async function answersTo(bytes: string): Promise<[number, string][]> {
  const wire = await openWire(server.url);
  await wire.send(bytes);
  await wire.closed;
  return answersIn(wire.rest());
}

test("sixteen of hundreds of pipelined requests run at once, and the responses keep their order", async () => {
  const count = 500;
  const requests = Array.from({ length: count }, (_, at) => get(`/slow/${at}`));
  const answers = await answersTo(requests.join("") + get("/none", "Connection: close\r\n"));
  const expected = Array.from({ length: count }, (_, at) => [200, `"${at}"`]);
  expect(answers.slice(0, count)).toEqual(expected);
  expect(answers.slice(count)).toEqual([[404, '{"error":"Not found"}']]);
  expect(maxRunning).toBe(16);
});

test("bodies between pipelined requests reach their own request", async () => {
  const requests = Array.from({ length: 40 }, (_, at) => post(`{"at":${at}}`));
  const wire = await openWire(server.url);
  // Cut in the middle of bodies and heads.
  const bytes = requests.join("") + get("/none", "Connection: close\r\n");
  for (let at = 0; at < bytes.length; at += 333) {
    await wire.send(bytes.slice(at, at + 333));
    await sleep(1);
  }
  await wire.closed;
  const bodies = answersIn(wire.rest()).map(([, body]) => body);
  expect(bodies.slice(0, 40)).toEqual(requests.map((_, at) => `{"at":${at}}`));
});

test("a connection that sends far more ahead than allowed is closed, and others are answered", async () => {
  const wire = await openWire(server.url);
  await wire.send(get("/held").repeat(1_300));
  await wire.closed;
  expect(wire.rest()).toBe("");
  expect((await server.anonymous.get("/slow/1")).status).toBe(200);
  // What waited there is not counted any more.
  expect(
    await answersTo(get("/slow/1").repeat(900) + get("/none", "Connection: close\r\n")),
  ).toHaveLength(901);
  for (const letGo of held) letGo();
});

test("requests beyond the total limit are 503 at once, and 200 again when there is room", async () => {
  const wires = await Promise.all([1, 2, 3].map(() => openWire(server.url)));
  for (const wire of wires) await wire.send(get("/held").repeat(16));
  await expect.poll(() => held.length).toBe(40);
  // Nothing has been let go, so that it has not waited.
  const reply = await server.anonymous.get("/slow/1");
  expectRefusal(reply, 503);
  expect(reply.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  for (const letGo of held.splice(0)) letGo();
  await expect.poll(async () => (await server.anonymous.get("/slow/1")).status).toBe(200);
  const answers = wires.map((wire) => answersIn(wire.rest()).map(([status]) => status));
  expect(answers.flat().filter((status) => status === 200)).toHaveLength(40);
  expect(answers.flat().filter((status) => status === 503)).toHaveLength(8);
  for (const wire of wires) wire.destroy();
});

test("requests whose clients disconnect count until their handlers are done", async () => {
  const wires = await Promise.all([1, 2, 3].map(() => openWire(server.url)));
  for (const wire of wires) await wire.send(get("/held").repeat(16));
  await expect.poll(() => held.length).toBe(40);
  for (const wire of wires) wire.destroy();
  await sleep(100);
  expectRefusal(await server.anonymous.get("/slow/1"), 503);
  for (const letGo of held.splice(0)) letGo();
  await expect.poll(async () => (await server.anonymous.get("/slow/1")).status).toBe(200);
});

test("a client that disconnects ends all its requests, those behind the one being answered too", async () => {
  let underWay = 0;
  const statuses: number[] = [];
  const watched = await startRoutes({
    routes,
    watcher: {
      onBegin: () => {
        underWay += 1;
      },
      onAnswered: ({ status }) => {
        underWay -= 1;
        statuses.push(status);
      },
    },
  });
  const wire = await openWire(watched.url);
  await wire.send(get("/held").repeat(3));
  await expect.poll(() => held.length).toBe(3);
  wire.destroy();
  await expect.poll(() => statuses).toEqual([499, 499, 499]);
  for (const letGo of held.splice(0)) letGo();
  await watched.close();
  expect([underWay, statuses.length, watched.errors]).toEqual([0, 3, []]);
});

test("clients that disconnect in the middle of a body no longer count", async () => {
  for (let round = 0; round < 3; round += 1) {
    const wires = await Promise.all(Array.from({ length: 60 }, () => openWire(server.url)));
    for (const wire of wires) await wire.send(post('{"a":1}').slice(0, -3));
    for (const wire of wires) wire.destroy();
  }
  const requests = get("/slow/1").repeat(16) + get("/none", "Connection: close\r\n");
  await expect
    .poll(async () => (await answersTo(requests)).map(([status]) => status))
    .toEqual([...Array.from({ length: 16 }, () => 200), 404]);
});

test("clients that have not sent their body, or do not read, do not count", async () => {
  const silent = await Promise.all(Array.from({ length: 60 }, () => openWire(server.url)));
  for (const wire of silent) await wire.send(post('{"a":1}').slice(0, -3));
  await sleep(100);
  expect((await server.anonymous.get("/slow/1")).status).toBe(200);
  for (const wire of silent) wire.destroy();
});

test("the next response is not made while the client does not read the ones before", async () => {
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  // Far more than the system takes: each answer has 50 kB.
  socket.write(get("/long").repeat(800) + get("/held"));
  await sleep(500);
  expect(held).toHaveLength(0);
  socket.resume();
  await expect.poll(() => held.length).toBe(1);
  for (const letGo of held) letGo();
  socket.destroy();
});

const malformed = "GET /api/none HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n";

test("input that is not HTTP after a request does not replace its response", async () => {
  for (const rest of [malformed, "hello\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"]) {
    stored = [];
    expect(await answersTo(post('{"a":1}') + rest), rest).toEqual([[201, '{"a":1}']]);
    expect(stored).toEqual([{ a: 1 }]);
  }
});

test("input that is not HTTP after many pipelined requests does not replace their responses", async () => {
  const requests = Array.from({ length: 100 }, (_, at) => get(`/slow/${at}`));
  const answers = await answersTo(requests.join("") + malformed);
  expect(answers.map(([, body]) => body)).toEqual(requests.map((_, at) => `"${at}"`));
});

test("a body that is malformed in its middle is refused in order", async () => {
  const type = "Content-Type: application/json";
  const broken = `POST /api/stored HTTP/1.1\r\nHost: x\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`;
  expect(await answersTo(broken)).toEqual([[400, '{"error":"Bad Request"}']]);
  const answers = await answersTo(get("/slow/2") + broken);
  expect(answers).toEqual([
    [200, '"2"'],
    [400, '{"error":"Bad Request"}'],
  ]);
  expect([stored, server.errors]).toEqual([[], []]);
});

test("a body that is malformed after more requests than run at once is refused in order too", async () => {
  const type = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
  const broken = `POST /api/stored HTTP/1.1\r\nHost: x\r\n${type}\r\n\r\n2\r\n{}\r\nzz\r\n`;
  const count = 20;
  const answers = await answersTo(get("/slow/2").repeat(count) + broken);
  expect(answers.slice(0, count)).toEqual(Array.from({ length: count }, () => [200, '"2"']));
  expect(answers.slice(count)).toEqual([[400, '{"error":"Bad Request"}']]);
  expect(stored).toEqual([]);
});

test("a request without a host, or with two, is 400", async () => {
  for (const headers of ["", "Host: x\r\nHost: y\r\n", "Host: x\r\nhOsT: x\r\n"]) {
    const bytes = `GET /api/slow/1 HTTP/1.1\r\n${headers}\r\n`;
    expect(await answersTo(bytes), headers).toEqual([[400, '{"error":"Bad Request"}']]);
  }
});

test("more than a hundred headers are 431, whatever they are", async () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `A${at}: b\r\n`).join("");
  for (const count of [100, 129, 1_100, 2_000]) {
    const body = "Content-Type: application/json\r\nContent-Length: 2\r\n";
    const bytes = `POST /api/stored HTTP/1.1\r\nHost: x\r\n${lines(count)}${body}\r\n{}`;
    const error = '{"error":"Request Header Fields Too Large"}';
    expect(await answersTo(bytes), String(count)).toEqual([[431, error]]);
  }
  expect(stored).toEqual([]);
  const most = `GET /api/slow/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines(98)}\r\n`;
  expect(await answersTo(most)).toEqual([[200, '"1"']]);
});

test("CONNECT is 405", async () => {
  const wire = await openWire(server.url);
  await wire.send("CONNECT example.com:80 HTTP/1.1\r\nHost: example.com\r\n\r\n");
  await wire.closed;
  expect(wire.rest()).toMatch(
    /^HTTP\/1\.1 405 [\s\S]*allow: GET, [\s\S]*\{"error":"Method Not Allowed"\}$/,
  );
});

test.each(["h2c", "websocket"])(
  "an upgrade to %s is not granted, and swallows nothing",
  async (wish) => {
    const headers = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${wish}\r\nHTTP2-Settings: AAMAAABk\r\n`;
    const asking = post('{"b":2}').replace("Host: x\r\n", `Host: x\r\n${headers}`);
    const answers = await answersTo(
      get("/slow/1") +
        get("/slow/2", headers) +
        get("/slow/3") +
        asking +
        get("/slow/4", headers) +
        get("/none", "Connection: close\r\n"),
    );
    expect(answers).toEqual([
      [200, '"1"'],
      [200, '"2"'],
      [200, '"3"'],
      [201, '{"b":2}'],
      [200, '"4"'],
      [404, '{"error":"Not found"}'],
    ]);
  },
);

test.each([
  ["application/json; q=0", 406],
  ["application/json;q=0", 406],
  ["application/json ;\t q = 0", 406],
  ["application/json; Q=0.000", 406],
  ["text/html, application/json; charset=utf-8 ; q=0", 406],
  ["*/*; q=0", 406],
  ["application/json; q=0.001", 200],
  ["application/json; charset=utf-8", 200],
  ["text/html; q=0, */*", 200],
])("Accept: %s is %d", async (accept, status) => {
  const reply = await server.anonymous.send("GET", "/slow/1", { headers: { accept } });
  expect(reply.status).toBe(status);
});

async function statusesOf(wire: Wire): Promise<number[]> {
  await wire.closed;
  return answersIn(wire.rest()).map(([status]) => status);
}

test("a client that closes its side early gets no part of another response", async () => {
  const wire = await openWire(server.url);
  await wire.send(`${get("/slow/1")}GET /api/sl`);
  await expect.poll(() => answersIn(wire.rest())).toHaveLength(1);
  wire.destroy();
  expect(await statusesOf(wire)).toEqual([200]);
});
