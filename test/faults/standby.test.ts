import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal } from "../support/apps/shop.js";
import type { Reply } from "../support/http/client.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";

let host: ShopHost;
let server: ShopServer;
beforeAll(async () => {
  host = await openHost();
  server = await host.serve();
});
afterAll(() => host.close());

/** What any client may ask for, with its pipelined look-ups, its pages and its writes. */
function requests(): readonly Promise<Reply>[] {
  const { admin, anonymous, category } = server;
  return [
    admin.get("/auth/me"),
    admin.get(`/categories/${category.id}`),
    admin.get("/products"),
    admin.patch(`/categories/${category.id}`, { position: 2 }),
    anonymous.get("/categories"),
  ];
}

async function ready(): Promise<number> {
  return (await server.anonymous.get("/_service/ready")).status;
}

test("a standby at the address is not used until it is the primary", async () => {
  const before = await Promise.all(requests());
  expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200, 401]);
  await host.stopDatabase();
  const record = JSON.parse(readFileSync(join(host.root, ".service/database.json"), "utf8"));
  writeFileSync(join(resolve(host.root, record.data), "standby.signal"), "");
  await host.startDatabase();

  for (let round = 0; round < 3; round += 1) {
    const [me, one, list, write] = await Promise.all(requests());
    for (const reply of [me, one, list, write]) {
      expectRefusal(reply ?? expect.unreachable(), 503);
      expect(reply?.headers["retry-after"]).toBeDefined();
    }
  }
  expect(await ready()).toBe(503);

  const client = new pg.Client({ connectionString: host.databaseUrl });
  await client.connect();
  await client.query("select pg_promote()");
  await client.end();
  const after = await Promise.all(requests());
  expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200, 401]);
  await expect.poll(ready).toBe(200);
});
