import { Router } from "express";
import type { App } from "service-runtime/app";
import { publicRoute } from "service-runtime/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningApp, startApp } from "../../support/apps/app.js";
import { expectRefusal } from "../../support/apps/shop.js";
import { client } from "../../support/http/client.js";

const routes = Router();
routes.get("/hello", publicRoute, (_request, response) => response.json({ hello: "world" }));
routes.get("/whoami", (_request, response) => response.json(response.locals.caller));

let app: RunningApp;
beforeAll(async () => {
  app = await startApp("apps/shop", { routes }, ({ use }: App) => {
    use((request, response, next) => {
      response.setHeader("x-operator", `${request.method} ${request.path}`);
      if (request.path === "/api/closed") throw Object.assign(new Error("Closed"), { status: 410 });
      if (request.path === "/api/broken") throw new Error("a secret of the middleware");
      if (request.path === "/outside") response.send("outside");
      else next();
    });
  });
});
afterAll(() => app.close());

test("middleware added with `use` runs for every route, known or not", async () => {
  const caller = client(app.url, app.token);
  for (const path of ["/products", "/auth/me", "/_service/ping", "/hello", "/nothing"]) {
    const reply = await caller.get(path);
    expect(reply.headers["x-operator"]).toBe(`GET /api${path}`);
    const isRecords = path === "/products";
    expect(reply.headers["cache-control"]).toBe(isRecords ? "private, no-cache" : "no-store");
  }
});

test("middleware added with `use` may answer by itself", async () => {
  const reply = await fetch(`${app.url}/outside`);
  expect([reply.status, await reply.text()]).toEqual([200, "outside"]);
  expect(reply.headers.get("x-request-id")).toMatch(/./);
});

test("its errors become refusals of the same form, or a bare 500", async () => {
  const caller = client(app.url, null);
  expectRefusal(await caller.get("/closed"), 410);
  const broken = await caller.get("/broken");
  expect([broken.status, broken.body]).toEqual([500, { error: "Internal server error" }]);
});

test("the app's routes know the holder of a valid token", async () => {
  const caller = client(app.url, app.token);
  const me = await caller.get<{ user: { id: string }; session: { id: string } }>("/auth/me");
  const { user, session } = me.body;
  expect((await caller.get("/whoami")).body).toEqual({
    accountId: user.id,
    role: "admin",
    sessionId: session.id,
  });
  expectRefusal(await client(app.url, null).get("/whoami"), 401);
  expectRefusal(await client(app.url, "a".repeat(43)).get("/whoami"), 401);
  expect((await client(app.url, null).get("/hello")).body).toEqual({ hello: "world" });
});
