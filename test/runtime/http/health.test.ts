import { afterAll, beforeAll, expect, test } from "vitest";
import type { Route } from "../../../runtime/http/index.js";
import { type RouteServer, startRoutes } from "./server.js";

let server: RouteServer;
let finish = () => {};
const held = new Promise<void>((resolve) => {
  finish = resolve;
});

const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/_service/live",
    access: "public",
    isHealth: true,
    handle: async () => ({ status: 200, json: '{"status":"ok"}' }),
  },
  {
    method: "GET",
    path: "/held",
    access: "public",
    handle: async () => {
      await held;
      return { status: 204, json: null };
    },
  },
];

beforeAll(async () => {
  server = await startRoutes({
    routes,
    limits: { inFlight: 2 },
    prepare: (app) => app.use((_request, response) => void response.status(418).end()),
  });
});
afterAll(() => server.close());

test("middleware of the app does not run before a health check", async () => {
  expect((await server.anonymous.get("/held")).status).toBe(418);
  expect((await server.anonymous.get("/_service/live?probe=1")).body).toEqual({ status: "ok" });
});

test("a health check is answered while other requests are refused for overload", async () => {
  const busy = await startRoutes({ routes, limits: { inFlight: 2 } });
  const underWay = [busy.anonymous.get("/held"), busy.anonymous.get("/held")];
  await expect.poll(async () => (await busy.anonymous.get("/nothing")).status).toBe(503);
  const checked = await busy.anonymous.get("/_service/live");
  expect([checked.status, checked.headers["cache-control"]]).toEqual([200, "no-store"]);
  finish();
  for (const reply of await Promise.all(underWay)) expect(reply.status).toBe(204);
  await busy.close();
});
