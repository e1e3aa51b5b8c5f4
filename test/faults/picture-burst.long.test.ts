import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { photograph } from "../bench/photograph.js";
import { decodersOf, isRunning } from "../support/processes/processes.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { filesBelow, upload } from "../support/storage/files.js";

let host: ShopHost;
let picture: Buffer;

beforeAll(async () => {
  [host, picture] = await Promise.all([openHost(), photograph()]);
});
afterAll(() => host.close());

function uploads({ admin }: ShopServer, field: string, times: number) {
  return Array.from({ length: times }, () => upload(admin, field, "photo.jpg", picture));
}

/** Mebibytes that a process has held at most since it began. */
function peakMemory(pid = 0): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

// With the pictures decoded in the server itself, and as many arenas as glibc likes, it was up to 418.
test.each(["reviews/photo", "products/image"])(
  "twenty photographs of 12 megapixels at once stay under 400 MB, and the server under 250: %s",
  async (field) => {
    const server = await host.serve();
    const answers = await Promise.all(uploads(server, field, 20));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const own = peakMemory(server.process.pid);
    const decoders = decodersOf(server.process.pid).map(peakMemory);
    expect(decoders).toHaveLength(1);
    expect(own).toBeLessThan(250);
    expect(own + (decoders[0] ?? 0)).toBeLessThan(400);
    server.process.kill("SIGKILL");
    await server.process;
  },
  // They are decoded one after another.
  240_000,
);

/** A server with pictures under way, and the process that decodes them. */
async function busyServer() {
  const server = await host.serve();
  let answered = 0;
  const sent = uploads(server, "reviews/photo", 4);
  const answers = Promise.allSettled(sent.map((one) => one.finally(() => (answered += 1))));
  // All have come whole; a signal finds none of them on its way.
  await expect.poll(() => answered + spooled().length, { interval: 5 }).toBe(4);
  const [decoder = 0] = decodersOf(server.process.pid);
  return { server, answers, decoder };
}

function spooled(): readonly string[] {
  return filesBelow(join(host.root, "storage")).filter((path) => /spooled-/.test(path));
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s, sent to all processes as from a terminal, lets the pictures in progress be stored",
  async (signal) => {
    const { server, answers, decoder } = await busyServer();
    for (const pid of [decoder, server.process.pid ?? 0]) process.kill(pid, signal);
    for (const answer of await answers) {
      expect(answer).toMatchObject({ status: "fulfilled", value: { status: 201 } });
    }
    expect((await server.process).exitCode).toBe(0);
    await expect.poll(() => isRunning(decoder)).toBe(false);
  },
);

test("a crash of the decoding process loses no picture", async () => {
  const { server, answers, decoder } = await busyServer();
  process.kill(decoder, "SIGSEGV");
  for (const answer of await answers) {
    expect(answer).toMatchObject({ status: "fulfilled", value: { status: 201 } });
  }
  server.process.kill("SIGKILL");
  await server.process;
});

test("the decoding process does not outlive a killed server", async () => {
  const { server, answers, decoder } = await busyServer();
  server.process.kill("SIGKILL");
  await Promise.all([server.process, answers]);
  await expect.poll(() => isRunning(decoder)).toBe(false);
});
