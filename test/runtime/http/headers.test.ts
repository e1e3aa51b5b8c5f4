import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reply } from "../../support/http/client.js";
import { openWire } from "../../support/http/wire.js";
import { type RouteServer, startRoutes } from "./server.js";

let server: RouteServer;
beforeAll(async () => {
  server = await startRoutes({
    routes: [
      {
        method: "GET",
        path: "/one",
        access: "signed-in",
        handle: async () => ({ status: 200, json: "1" }),
      },
      {
        method: "DELETE",
        path: "/one",
        access: "public",
        handle: async () => ({ status: 204, json: null }),
      },
      {
        method: "POST",
        path: "/one",
        access: "public",
        handle: async () => {
          throw new Error("broken");
        },
      },
    ],
  });
});
afterAll(() => server.close());

const safe = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** One answer of each sort. */
async function answers(): Promise<readonly Reply[]> {
  return [
    await server.member.get("/one"),
    await server.member.send("HEAD", "/one"),
    await server.anonymous.send("OPTIONS", "/one"),
    await server.anonymous.delete("/one"),
    await server.anonymous.get("/one"),
    await server.anonymous.get("/none"),
    await server.anonymous.send("PATCH", "/one"),
    await server.anonymous.post("/one", {}),
    await server.anonymous.get("/one".concat("?", "x".repeat(10_000))),
  ];
}

test("every response tells browsers to guess, run and keep nothing", async () => {
  const all = await answers();
  expect(all.map(({ status }) => status)).toEqual([200, 200, 204, 204, 401, 404, 405, 500, 414]);
  for (const { headers } of all) {
    expect(headers).toMatchObject(safe);
    expect(headers["x-powered-by"]).toBe(undefined);
    expect(headers.etag).toBe(undefined);
  }
});

test("the response to input that is not HTTP tells browsers to guess, run and keep nothing", async () => {
  const wire = await openWire(server.url);
  await wire.send("hello\r\n\r\n");
  await wire.closed;
  for (const [name, value] of Object.entries(safe)) {
    expect(wire.rest()).toContain(`\r\n${name}: ${value}\r\n`);
  }
  expect(wire.rest()).toMatch(/\r\nx-request-id: [\w-]{20,}\r\n/);
});

test("every response has a unique request id, also across servers", async () => {
  const other = await startRoutes({});
  const replies = [
    ...(await answers()),
    ...(await answers()),
    await other.anonymous.get("/one"),
    await other.anonymous.get("/one"),
  ];
  await other.close();
  const ids = replies.map(({ headers }) => headers["x-request-id"]);
  for (const id of ids) expect(id).toMatch(/^\S{4,}$/);
  expect(new Set(ids).size).toBe(replies.length);
});

test("an internal error is a bare 500, and logged in full", async () => {
  const before = server.errors.length;
  const { status, body } = await server.anonymous.post("/one", {});
  expect({ status, body }).toEqual({ status: 500, body: { error: "Internal server error" } });
  expect(server.errors.slice(before)).toEqual([new Error("broken")]);
});
