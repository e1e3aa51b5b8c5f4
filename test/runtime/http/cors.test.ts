import { Router } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../../support/http/client.js";
import { type RouteServer, startRoutes } from "./server.js";

const shop = "https://shop.example.com";
const site = "https://xn--mnchen-3ya.example";
let server: RouteServer;
let closed: RouteServer;
const routes = [
  {
    method: "GET",
    path: "/one",
    access: "signed-in",
    handle: async () => ({ status: 200, json: "1" }),
  },
] as const;

beforeAll(async () => {
  const appRouter = Router();
  appRouter.post("/own", (_request, response) => response.json("own"));
  const settings = `server: { cors_origins: ["${shop}", "http://localhost:3001"] }
auth: { sites: { south: "https://MÜNCHEN.example:443/" } }
`;
  server = await startRoutes({ routes, appRouter, settings });
  closed = await startRoutes({ routes });
});
afterAll(async () => {
  await server.close();
  await closed.close();
});

const preflight = (origin: string, method: string) => ({
  headers: {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization,content-type",
  },
});

test("a preflight of a configured origin is allowed, and keeps the 204 with Allow", async () => {
  for (const origin of [shop, "http://localhost:3001", site]) {
    const reply = await server.anonymous.send("OPTIONS", "/one", preflight(origin, "GET"));
    expect(reply.status).toBe(204);
    expect(reply.headers).toMatchObject({
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET,HEAD,POST,PUT,PATCH,DELETE",
      "access-control-allow-headers":
        "Authorization,Content-Type,If-Match,If-None-Match,Idempotency-Key,X-Request-Id,traceparent",
      "access-control-max-age": "600",
      vary: expect.stringContaining("Origin"),
    });
  }
});

test("a preflight for an app route is allowed for a configured origin", async () => {
  const reply = await server.anonymous.send("OPTIONS", "/own", preflight(shop, "POST"));
  expect(reply.status).toBe(204);
  expect(reply.headers["access-control-allow-origin"]).toBe(shop);
});

test("a configured origin may read every response, refusals too", async () => {
  const headers = { origin: shop };
  for (const [caller, path, status] of [
    [server.member, "/one", 200],
    [server.anonymous, "/one", 401],
    [server.anonymous, "/none", 404],
  ] as const) {
    const reply = await caller.send("GET", path, { headers });
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": shop,
      "access-control-expose-headers":
        "ETag,Location,Retry-After,X-Request-Id,Idempotency-Replayed,RateLimit,RateLimit-Policy,Changes-Position,Content-Disposition",
    });
  }
});

test("another origin gets no such headers", async () => {
  for (const origin of [
    "https://evil.example.com",
    `${shop}.evil.example.com`,
    `${site}:8443`,
    "null",
  ]) {
    const asked = await server.anonymous.send("OPTIONS", "/one", preflight(origin, "GET"));
    const read = await server.member.send("GET", "/one", { headers: { origin } });
    for (const { headers } of [asked, read]) {
      expect(headers["access-control-allow-origin"]).toBe(undefined);
    }
  }
});

test("with sites alone, pages of every origin may read public responses, and no others", async () => {
  const open = {
    method: "GET",
    path: "/open",
    access: ["public"],
    handle: async () => ({ status: 200, json: "1" }),
  } as const;
  const settings = `auth: { sites: { shop: "${shop}" } }\n`;
  const one = await startRoutes({ routes: [...routes, open], settings });
  const allowed = async (caller: Client, path: string, origin: string) =>
    (await caller.send("GET", path, { headers: { origin } })).headers[
      "access-control-allow-origin"
    ];
  try {
    expect(await allowed(one.anonymous, "/open", "https://evil.example.com")).toBe("*");
    expect(await allowed(one.member, "/open", "https://evil.example.com")).toBe(undefined);
    expect(await allowed(one.member, "/open", shop)).toBe(shop);
    expect(await allowed(one.member, "/one", shop)).toBe(shop);
    expect(await allowed(one.member, "/one", "https://evil.example.com")).toBe(undefined);
  } finally {
    await one.close();
  }
});

test("credentials are never allowed", async () => {
  const reply = await server.anonymous.send("OPTIONS", "/one", preflight(shop, "GET"));
  expect(reply.headers["access-control-allow-credentials"]).toBe(undefined);
});

test("without configured origins there are no such headers", async () => {
  const reply = await closed.anonymous.send("OPTIONS", "/one", preflight(shop, "GET"));
  expect(reply.status).toBe(204);
  const names = Object.keys(reply.headers).filter((name) => name.startsWith("access-control"));
  expect(names).toEqual([]);
});
