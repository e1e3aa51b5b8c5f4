import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../runtime/db/index.js";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { openWire } from "../support/http/wire.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { isThorough } from "../support/searches.js";
import { filesBelow } from "../support/storage/files.js";

const gibibyte = 1024 ** 3;
const pdf = "%PDF-1.7\n";

let host: ShopHost;
let server: ShopServer;

beforeAll(async () => {
  host = await openHost(`uploads: { max_bytes: ${2 * gibibyte} }\n`);
  server = await host.serve();
});
afterAll(() => host.close());
afterEach(async () => {
  await expect.poll(leftovers).toEqual([]);
});

/** What no upload vouches for: files, and objects that were announced. */
async function leftovers(): Promise<readonly string[]> {
  const db = openDatabase({ url: host.databaseUrl, poolSize: 1, prepare: true });
  const rows = await db.query<{ key: string; known: boolean }>(
    "select key, upload_key is not null as known from service.stored_objects",
  );
  await db.close();
  const files = filesBelow(join(host.root, "storage"));
  const known = new Set(rows.filter((row) => row.known).map(({ key }) => key));
  const unknown = rows.filter((row) => !row.known).map(({ key }) => key);
  return [...unknown, ...files.filter((file) => !known.has(file))];
}

function head(length: string): string {
  return [
    "PUT /api/_service/uploads/products/manual?name=a.pdf HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${server.token}`,
    length,
    "\r\n",
  ].join("\r\n");
}

/** Mebibytes that the server has held at most since it began. */
function peakMemory(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

test("a body whose declared length is too long is refused before it is sent", async () => {
  const wire = await openWire(server.url);
  await wire.send(head(`Content-Length: ${2 * gibibyte + 1}`));
  await wire.sees(/^HTTP\/1\.1 413 [\s\S]*\{"error":"[^"]+"\}/);
  wire.destroy();
});

test("a refused upload leaves its connection usable", async () => {
  const wire = await openWire(server.url);
  const body = `no PDF ${"x".repeat(300_000)}`;
  await wire.send(head(`Content-Length: ${body.length}`));
  await wire.send(body);
  await wire.sees(/^HTTP\/1\.1 422 [\s\S]*?\{"error":"[^"]+"\}/);
  await wire.send("GET /api/_service/ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await wire.sees(/^HTTP\/1\.1 200 /);
  await wire.closed;
});

test("a client that disconnects half way leaves nothing", async () => {
  for (const length of ["Content-Length: 5000000", "Transfer-Encoding: chunked"]) {
    const wire = await openWire(server.url);
    await wire.send(head(length));
    await wire.send(length.startsWith("C") ? pdf : `9\r\n${pdf}\r\n`);
    const bytes = "x".repeat(200_000);
    await wire.send(length.startsWith("C") ? bytes : `${(200_000).toString(16)}\r\n${bytes}\r\n`);
    await expect.poll(leftovers).not.toEqual([]);
    wire.destroy();
    await expect.poll(leftovers).toEqual([]);
  }
});

const big = isThorough ? 2 * gibibyte : gibibyte / 4;

test(`${big} bytes are stored and served with little memory`, async () => {
  const before = peakMemory();
  const whole = await send(zeros(big));
  expect(whole.status).toBe(201);
  const details: FileDetails = JSON.parse(whole.text);
  expect(details.size).toBe(big);
  expect(await received(details.url)).toBe(big);
  expect(peakMemory() - before).toBeLessThan(64);
  // A disk may write no more than 20 megabytes a second while other tests use it.
}, 240_000);

/** A PDF of that many bytes. */
function* zeros(size: number): Generator<Buffer> {
  yield Buffer.from(pdf);
  const block = Buffer.alloc(1024 * 1024);
  for (let left = size - pdf.length; left > 0; left -= block.length) {
    yield left < block.length ? block.subarray(0, left) : block;
  }
}

/** Sends a body of unknown length. */
function send(body: Iterable<Buffer>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server.url}/api/_service/uploads/products/manual?name=big.pdf`,
      { method: "PUT", headers: { authorization: `Bearer ${server.token}` } },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
      },
    );
    // A server that refuses may close before all is sent.
    pipeline(Readable.from(body, { objectMode: false, highWaterMark: 1 }), outgoing).catch(
      () => {},
    );
    outgoing.on("error", reject);
  });
}

function received(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, (incoming) => {
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.length;
      });
      incoming.on("end", () => resolve(size));
    });
    outgoing.on("error", reject).end();
  });
}
