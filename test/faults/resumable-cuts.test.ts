import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../bin/embedded/port.js";
import { createClient } from "../../fixtures/apps/shop/generated/client.js";
import { openCuttingProxy } from "../support/http/cutting-proxy.js";
import { begun, openPatch, stateOf } from "../support/http/tus.js";
import {
  listening,
  openHost,
  type ServerProcess,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";
import { diskFolder } from "../support/processes/temporary.js";
import { isThorough } from "../support/searches.js";

const mebibyte = 1_048_576;
/** A file, and how often its connections are lost. */
const { size, times } = isThorough
  ? { size: 2048 * mebibyte, times: 200 }
  : { size: 96 * mebibyte, times: 20 };
/** A file that comes in one request: with the memory that a server needs anyway, more than its limit. */
const whole = (isThorough ? 5120 : 192) * mebibyte;

let host: ShopHost;
let server: ShopServer;
let running: ServerProcess;
let port: number;
let storage: string;
/** The highest peak of the servers before the one that runs now. */
let peakBefore = 0;

beforeAll(async () => {
  // The temporary files of tests are in memory.
  storage = mkdtempSync(join(diskFolder, "resumable-cuts-"));
  host = await openHost(`server: { drain_seconds: 0 }
uploads:
  resumable: { max_bytes: ${Math.max(size, whole)}, pending_bytes: ${size + whole} }
  storage: { path: "${storage}" }
`);
  port = await freePort("127.0.0.1");
  server = await host.serve({ PORT: String(port) });
  running = server.process;
});
afterAll(async () => {
  await host.close();
  rmSync(storage, { recursive: true, force: true });
});

/** Bytes of which no two mebibytes are the same, made when they are asked for: those from an offset on. */
const seed = randomBytes(mebibyte);
function piece(start: number, end: number): Uint8Array {
  const bytes = Buffer.alloc(end - start);
  for (let at = start; at < end; ) {
    const nth = Math.floor(at / mebibyte);
    const from = at % mebibyte;
    const length = Math.min(mebibyte - from, end - at);
    seed.copy(bytes, at - start, from, from + length);
    if (from === 0 && length >= 4) bytes.writeUInt32LE(nth, at - start);
    at += length;
  }
  if (start === 0) bytes.write("%PDF-1.7\n");
  return bytes;
}

/** What the client takes for a file: it asks for its parts only. */
const file = {
  size,
  type: "application/pdf",
  slice: (start: number, end: number) => new Blob([piece(start, Math.min(end, size))]),
} as Blob;

/** In MiB, since the start of the server that runs now. */
function peakMemory(): number {
  const status = readFileSync(`/proc/${running.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

test(`${size / mebibyte} MiB arrive byte for byte through ${times} cuts and a restart`, async () => {
  const cuts = Array.from({ length: times }, (_, at) => ({
    sent: Math.floor((size / times) * (0.5 + Math.abs(Math.sin(at)))),
  }));
  const proxy = await openCuttingProxy(server.url, cuts);
  const { products } = createClient({ url: `${proxy.url}/api`, token: server.token });
  let restart: Promise<void> | null = null;
  const details = await products.upload.manual(file, {
    name: "large.pdf",
    resumable: true,
    onProgress: ({ loaded }) => {
      if (loaded > size / 2) restart ??= again();
    },
  });
  await restart;
  expect(details.size).toBe(size);
  expect(proxy.opened()).toBeGreaterThan(times / 2);
  expect(await digestOf(details.url)).toBe(digestOfAll());
  await proxy.close();
  expect(Math.max(peakBefore, reportedPeak("with cuts"))).toBeLessThan(200);
}, 900_000);

/** What tus clients send by default, unless a chunk size is configured. */
test(`${whole / mebibyte} MiB in one request need less than 200 MiB of memory, in and out`, async () => {
  await again();
  const path = await begun(server.admin, "products/manual", "whole.pdf", whole);
  const sending = openPatch(server.url, server.token, path, 0, whole);
  for (let at = 0; at < whole; at += mebibyte) {
    await sending.send(Buffer.from(piece(at, at + mebibyte)));
  }
  const sentAt = performance.now();
  sending.end();
  expect(await sending.answer).toMatchObject({ status: 200 });
  const seconds = ((performance.now() - sentAt) / 1000).toFixed(2);
  if (process.env.FIGURES !== undefined) console.log(`answered after ${seconds} s`);
  const { file } = await stateOf(server.admin, path);
  expect(await digestOf(file?.url ?? "")).toBe(digestOfAll(whole));
  expect(reportedPeak("in one request")).toBeLessThan(200);
}, 900_000);

function reportedPeak(what: string): number {
  const peak = peakMemory();
  if (process.env.FIGURES !== undefined) console.log(`${what}: ${peak} MiB of memory`);
  return peak;
}

async function again(): Promise<void> {
  peakBefore = Math.max(peakBefore, peakMemory());
  running.kill("SIGTERM");
  await running;
  running = host.run({ PORT: String(port) });
  await listening(running);
}

async function digestOf(url: string): Promise<string> {
  const hash = createHash("sha256");
  const { body } = await fetch(server.url + url);
  for await (const chunk of body ?? []) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

function digestOfAll(length = size): string {
  const hash = createHash("sha256");
  for (let at = 0; at < length; at += mebibyte) hash.update(piece(at, at + mebibyte));
  return hash.digest("hex");
}
