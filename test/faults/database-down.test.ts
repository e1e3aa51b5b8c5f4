import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, expectRefusal } from "../support/apps/shop.js";
import type { Reply, Row } from "../support/http/client.js";
import {
  account,
  openHost,
  type ShopHost,
  type ShopServer,
} from "../support/processes/shop-process.js";

let host: ShopHost;
let server: ShopServer;
let product: Row;
beforeAll(async () => {
  host = await openHost();
  server = await host.serve();
  product = await created(server.admin, "products", body("Lamp"));
});
afterAll(() => host.close());

function body(name: string) {
  return { name, price: 1, categoryId: server.category.id };
}

/** One request of each sort. */
const requests: Readonly<Record<string, () => Promise<Reply>>> = {
  "the list": () => server.admin.get("/products?filter[status]=draft&sort=name&q=lamp"),
  "one record": () => server.admin.get(`/products/${product.id}`),
  "a create": () => server.admin.post("/products", body("Never")),
  "a change": () => server.admin.patch(`/products/${product.id}`, { price: 2 }),
  "a replacement": () => server.admin.put(`/products/${product.id}`, { ...body("Lamp"), price: 3 }),
  "a change that is not valid": () => server.admin.patch(`/products/${product.id}`, { price: "x" }),
  "a delete": () => server.admin.delete(`/products/${product.id}`),
  "the stats": () => server.admin.get("/products/_stats?field=status"),
  "a sign-in": () => server.anonymous.post("/auth/token", account),
  "who is signed in": () => server.admin.get("/auth/me"),
  "signing out": () => server.admin.delete("/auth/token"),
  ping: () => server.anonymous.get("/_service/ping"),
  "the resources": () => server.admin.get("/_service/resources"),
};

function expectUnavailable(reply: Reply): void {
  expectRefusal(reply, 503);
  expect(reply.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
}

describe("while the database is down", () => {
  beforeAll(() => host.stopDatabase());
  afterAll(() => host.startDatabase());

  test.each(Object.keys(requests))("%s answers 503 with Retry-After", async (name) => {
    const reply = await requests[name]?.();
    if (reply !== undefined) expectUnavailable(reply);
    expect(reply).toBeDefined();
  });

  test("requests that need no database are answered as before", async () => {
    expectRefusal(await server.anonymous.get("/nothing"), 404);
    expectRefusal(await server.anonymous.send("TRACE", "/products"), 405);
    expectRefusal(await server.anonymous.get("/products"), 401);
    expect((await server.anonymous.get("/auth/config")).status).toBe(200);
  });
});

describe("when the database is back", () => {
  test("the server works without a restart, and nothing was changed meanwhile", async () => {
    const { body: read } = await server.admin.get(`/products/${product.id}`);
    expect(read).toEqual(product);
    expect((await server.admin.list("/products")).body.meta.total).toBe(1);
    expect((await server.admin.patch(`/products/${product.id}`, { price: 4 })).status).toBe(200);
    expect((await server.anonymous.post("/auth/token", account)).status).toBe(201);
    expect(server.process.exitCode).toBeNull();
  });
});

test("a database that goes down and comes back under load causes only clean responses", async () => {
  const seen = new Set<number>();
  let over = false;
  const load = Array.from({ length: 8 }, async () => {
    while (!over) {
      const reply = await server.admin.get(`/products/${product.id}`);
      seen.add(reply.status);
      if (reply.status === 200) expect(reply.body.id).toBe(product.id);
      else expectUnavailable(reply);
    }
  });
  await host.stopDatabase();
  await host.startDatabase();
  over = true;
  await Promise.all(load);
  expect([...seen].sort()).toEqual([200, 503]);
  expect((await server.admin.get(`/products/${product.id}`)).status).toBe(200);
});
