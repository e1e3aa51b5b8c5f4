import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal } from "../support/apps/shop.js";
import { client, type Reply } from "../support/http/client.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";

let host: ShopHost;
let server: ShopServer;

beforeAll(async () => {
  host = await openHost();
  server = await host.serve({
    // With the few threads of an ordinary start, these would bound the memory, not the queue.
    UV_THREADPOOL_SIZE: "128",
    // Else the C library keeps what a thread has freed for the thread's next time.
    MALLOC_MMAP_THRESHOLD_: "131072",
  });
});
afterAll(() => host.close());

/** Mebibytes that the process has held at most since it began. */
function peakMemory(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** So many sign-ins at once, each for an address of its own. */
function flood(count: number): Promise<readonly Reply[]> {
  const clients = Array.from({ length: Math.ceil(count / 25) }, () => client(server.url, null));
  const signIns = Array.from({ length: count }, (_, at) =>
    (clients[at % clients.length] ?? server.anonymous).post("/auth/token", {
      email: `flood-${at}@example.com`,
      password: "a wrong password",
    }),
  );
  return Promise.all(signIns);
}

test("two hundred sign-ins at once cost little memory and delay no other request", async () => {
  await flood(4);
  const before = peakMemory();
  const begun = performance.now();
  let isOver = false;
  const signIns = flood(200).finally(() => {
    isOver = true;
  });
  const pings: number[] = [];
  while (!isOver) {
    const start = performance.now();
    expect((await server.anonymous.get("/_service/ping")).status).toBe(200);
    pings.push(performance.now() - start);
  }
  const replies = await signIns;
  const duration = performance.now() - begun;
  const turnedAway = replies.filter(({ status }) => status === 503);
  for (const reply of turnedAway) {
    expectRefusal(reply, 503);
    expect(reply.headers["retry-after"]).toBe("1");
  }
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(200 - turnedAway.length);
  // A few meet this process busy with opening two hundred connections itself.
  expect(percentile(pings, 0.99)).toBeLessThan(duration / 8);
  // A hash takes 19 MiB, and at most four are made at once.
  expect(peakMemory() - before).toBeLessThan(150);

  expect((await server.anonymous.post("/auth/token", account)).status).toBe(201);
});

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.POSITIVE_INFINITY;
}
