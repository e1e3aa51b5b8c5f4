import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { created, newName } from "../support/apps/shop.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import { openWire } from "../support/http/wire.js";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";

let host: ShopHost;
let other: pg.Client;
beforeAll(async () => {
  host = await openHost();
  other = new pg.Client({ connectionString: host.databaseUrl });
  await other.connect();
});
// A test that fails leaves no lock to those after it.
afterEach(() => other.query("rollback"));
afterAll(async () => {
  await other.end();
  await host.close();
});

test("signals at once, as from a terminal and npm, still let the request in progress finish", async () => {
  const server = await host.serve();
  const fields = { name: newName("Lamp"), price: 1, categoryId: server.category.id };
  const { id } = await created(server.admin, "products", fields);
  await other.query("begin");
  await other.query("lock table products");
  const change = server.admin.patch(`/products/${id}`, { price: 2 });
  await expect.poll(waiting).toBe(1);
  server.process.kill("SIGINT");
  server.process.kill("SIGTERM");
  server.process.kill("SIGINT");
  await expect.poll(() => listens(server.url)).toBe(false);
  await other.query("rollback");
  const { status, body } = await change;
  expect([status, body.price]).toEqual([200, 2]);
  expect((await server.process).exitCode).toBe(0);
});

test("clients that stay connected, or sent half a request, do not delay the stop", async () => {
  const server = await host.serve();
  const idle = await openWire(server.url);
  await idle.send("GET /api/none HTTP/1.1\r\nHost: x\r\n\r\n");
  await idle.sees(/^HTTP\/1\.1 404 /);
  const silent = await openWire(server.url);
  const broken = await openWire(server.url);
  await broken.send("hello\r\n\r\n");
  await broken.sees(/^HTTP\/1\.1 400 /);
  const half = await openWire(server.url);
  await half.send("GET /api/none HTTP/1.1\r\nHost:");
  server.process.kill("SIGTERM");
  const start = performance.now();
  expect((await server.process).exitCode).toBe(0);
  // A request under way would be given so long.
  expect(performance.now() - start).toBeLessThan(25_000);
  await Promise.all([idle.closed, silent.closed, broken.closed, half.closed]);
});

/** How many statements wait for a lock. */
async function waiting(): Promise<number | null> {
  return (await other.query(lockWaiters)).rowCount;
}

async function listens(url: string): Promise<boolean> {
  try {
    (await openWire(url)).destroy();
    return true;
  } catch {
    return false;
  }
}
