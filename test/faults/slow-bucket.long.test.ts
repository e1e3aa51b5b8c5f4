import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";
import { upload } from "../support/storage/files.js";

/** Milliseconds that the bucket takes for each answer, at least. */
const slowMs = 30_000;
/** As many as a slow machine answers before the server gives the bucket up. */
const rounds = 10;

let bucket: Server;
let asked = 0;
let answer: () => void;
const answered = new Promise<void>((resolve) => {
  answer = resolve;
});
let host: ShopHost;
let server: ShopServer;

beforeAll(async () => {
  bucket = createServer((request, response) => {
    asked += 1;
    request.resume();
    answered.then(() => response.setHeader("etag", '"a"').end());
  });
  await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
  const { port } = bucket.address() as AddressInfo;
  host = await openHost(
    `uploads:
  storage: { driver: s3, bucket: shop, endpoint: "http://127.0.0.1:${port}", force_path_style: true, access_key_id: a, secret_access_key: b }
`,
  );
  server = await host.serve();
});
afterAll(async () => {
  await host.close();
  bucket.close();
  bucket.closeAllConnections();
});

test("a bucket that answers after 30 s delays no other request, is not called more often, and stores the file in the end", async () => {
  const pdf = Buffer.from("%PDF-1.7\n%%EOF");
  const sent = upload(server.admin, "products/manual", "slow.pdf", pdf);
  const atLeast = sleep(slowMs);
  const ready = { status: 200, body: { checks: { storage: "failing" } } };
  await expect.poll(() => server.anonymous.get("/_service/ready")).toMatchObject(ready);
  for (let round = 0; round < rounds; round += 1) {
    const replies = await Promise.all([
      server.anonymous.get("/_service/ready"),
      server.admin.get("/products"),
      server.admin.get(`/categories/${server.category.id}`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  // A check that was given up is still under way, so no further one is sent.
  expect(asked).toBeLessThanOrEqual(2);
  await atLeast;
  answer();
  expect((await sent).status).toBe(201);
}, 240_000);
