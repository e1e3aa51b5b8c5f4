import { afterAll, beforeAll, expect, test } from "vitest";
import { type Route, readJson } from "../../runtime/http/index.js";
import { type RouteServer, startRoutes } from "../runtime/http/server.js";
import { openWire, type Wire } from "../support/http/wire.js";

const megabyte = 1024 * 1024;

const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/one",
    access: "public",
    handle: async () => ({ status: 200, json: "1" }),
  },
  {
    method: "POST",
    path: "/open",
    access: "public",
    handle: async (context) => ({ status: 201, json: JSON.stringify(await readJson(context)) }),
  },
  {
    method: "POST",
    path: "/closed",
    access: "signed-in",
    handle: async (context) => ({ status: 201, json: JSON.stringify(await readJson(context)) }),
  },
];

let server: RouteServer;
beforeAll(async () => {
  server = await startRoutes({ routes });
});
afterAll(() => server.close());

function head(path: string, length: string): string {
  return `POST /api${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
}

/** The paths that refuse a body before its end, and how. */
const refusals = [
  ["/open", 413],
  ["/closed", 401],
  ["/none", 404],
] as const;

test.each(refusals)(
  "2 MB sent to %s get a clean %d, and the connection answers the next request",
  async (path, status) => {
    const wire = await openWire(server.url);
    await wire.send(head(path, `Content-Length: ${2 * megabyte}`));
    await wire.send(Buffer.alloc(2 * megabyte, "x"));
    await wire.sees(
      new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*?\\r\\n\\r\\n\\{"error":"[^"]+"\\}`),
    );
    await wire.send("GET /api/one HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await wire.sees(/^HTTP\/1\.1 200 /);
    await wire.closed;
  },
);

test("a client that asked to close the connection gets its response before the end", async () => {
  for (let tries = 0; tries < 20; tries += 1) {
    const wire = await openWire(server.url);
    await wire.send(head("/closed", `Connection: close\r\nContent-Length: ${12 * megabyte}`));
    for (let sent = 0; sent < 12; sent += 1) await wire.send(Buffer.alloc(megabyte, "x"));
    await wire.sees(/^HTTP\/1\.1 401 [\s\S]*?\{"error":"[^"]+"\}/);
    await wire.closed;
  }
});

test.each(refusals)(
  "an endless body sent to %s is answered with %d and cut off",
  async (path, status) => {
    const wire = await openWire(server.url);
    await wire.send(head(path, "Transfer-Encoding: chunked"));
    const sent = await sendUntilCut(wire, chunk(megabyte), 2_000);
    expect(wire.rest()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(sent).toBeGreaterThan(15);
    expect(sent).toBeLessThan(1_000);
  },
);

test("a body that continues slowly after its response is cut off too", async () => {
  const slow = refusals.map(async ([path, status]) => {
    const wire = await openWire(server.url);
    await wire.send(head(path, "Transfer-Encoding: chunked"));
    if (status === 413) await wire.send(chunk(2 * megabyte));
    await wire.sees(new RegExp(`^HTTP/1\\.1 ${status} `));
    const start = performance.now();
    const trickle = setInterval(() => void wire.send(chunk(1)), 100);
    await wire.closed;
    clearInterval(trickle);
    return performance.now() - start;
  });
  for (const lasted of await Promise.all(slow)) {
    expect(lasted).toBeGreaterThan(3_000);
  }
});

function chunk(bytes: number): Buffer {
  return Buffer.from(`${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`);
}

/** How many times the bytes went out before the server cut the connection off. */
async function sendUntilCut(wire: Wire, bytes: Buffer, most: number): Promise<number> {
  for (let sent = 0; sent < most; sent += 1) {
    if (!(await wire.send(bytes))) return sent;
  }
  return most;
}
