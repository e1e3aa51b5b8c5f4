import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Express, Router } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publicRoute, type Route } from "../../../runtime/http/index.js";
import { newWindows } from "../../../runtime/http/limits/windows.js";
import { client, hangUp, type Reply } from "../../support/http/client.js";
import { openWire } from "../../support/http/wire.js";
import { type RouteServer, startRoutes } from "./server.js";

describe("a sliding window", () => {
  test("lets no more than n pass in any window, and frees a slot at most a tenth late", () => {
    let now = 0;
    const windows = newWindows(() => now);
    const rate = { count: 5, seconds: 10 };
    const passed: number[] = [];
    // Some come in bursts, some alone.
    for (let step = 0; step < 20_000; step += 1) {
      now += [0, 1, 7, 130, 900, 3][step % 6] ?? 0;
      if (windows.judge("one", rate).isAllowed) passed.push(now);
    }
    passed.forEach((time, at) => {
      const sixth = passed[at + 5];
      if (sixth !== undefined) expect(sixth - time).toBeGreaterThanOrEqual(10_000);
    });
    // Somebody asks at least each second.
    const fives = passed.filter((_, at) => at % 5 === 0);
    fives.slice(1).forEach((time, at) => {
      expect(time - (fives[at] ?? 0)).toBeLessThanOrEqual(11_000 + 1_100);
    });
  });

  test("returns the remaining requests, and when the next slot is free", () => {
    let now = 1_000;
    const windows = newWindows(() => now);
    const rate = { count: 2, seconds: 60 };
    expect(windows.judge("one", rate)).toEqual({ isAllowed: true, left: 1, seconds: 60 });
    now += 20_000;
    expect(windows.judge("one", rate)).toEqual({ isAllowed: true, left: 0, seconds: 40 });
    now += 500;
    expect(windows.judge("one", rate)).toEqual({ isAllowed: false, left: 0, seconds: 40 });
    now += 40_000;
    expect(windows.judge("one", rate).isAllowed).toBe(true);
  });

  test("never returns more seconds than the window has", () => {
    let now = 0.1;
    const windows = newWindows(() => now);
    for (let at = 0; at < 1_000; at += 1) {
      now += 7.123_456_7;
      expect(windows.judge(`${at}`, { count: 20, seconds: 60 }).seconds).toBe(60);
    }
  });

  test("remembers the 100,000 most recent keys", () => {
    const windows = newWindows(() => 0);
    const rate = { count: 1, seconds: 3_600 };
    for (let key = 0; key < 100_001; key += 1) windows.judge(`${key}`, rate);
    expect(windows.judge("1", rate).isAllowed).toBe(false);
    expect(windows.judge("0", rate).isAllowed).toBe(true);
  });
});

let server: RouteServer;
let finish = () => {};
const held = new Promise<void>((resolve) => {
  finish = resolve;
});
const done = async () => ({ status: 204, json: null });

const routes: readonly Route[] = [
  { method: "GET", path: "/things", access: "signed-in", handle: done },
  { method: "GET", path: "/admins", access: ["admin"], handle: done },
  { method: "POST", path: "/auth/token", access: "public", handle: done },
  { method: "POST", path: "/auth/two-factor/verify", access: "public", handle: done },
  { method: "POST", path: "/auth/passkey", access: "public", handle: done },
  { method: "GET", path: "/_service/live", access: "public", isHealth: true, handle: done },
  {
    method: "GET",
    path: "/held",
    access: "signed-in",
    handle: async () => {
      await held;
      return { status: 204, json: null };
    },
  },
];

const appRouter = Router();
appRouter.get("/own", (_request, response) => void response.json({}));
appRouter.get("/own-held", async (_request, response) => {
  await held;
  response.json({});
});
appRouter.get("/own-stream", (_request, response) => void response.flushHeaders());
appRouter.get("/open", publicRoute, (_request, response) => void response.json({}));

beforeAll(async () => {
  server = await startRoutes({
    routes,
    appRouter,
    settings: `
server: { trust_proxy: 1 }
limits: { per_token: 4/h, per_client: 6/h, sign_in_per_client: 2/min, per_token_at_once: 2 }
`,
  });
});
afterAll(() => server.close());

function from(address: string, method: string, path: string, token = false): Promise<Reply> {
  const caller = token ? server.member : server.anonymous;
  return caller.send(method, path, { headers: { "x-forwarded-for": address } });
}

function limitsOf({ headers }: Reply): readonly unknown[] {
  return [headers["ratelimit-policy"], headers.ratelimit];
}

test("a client's limit is checked before everything else", async () => {
  for (const left of [5, 4, 3, 2, 1, 0]) {
    const reply = await from("192.0.2.1", "GET", "/nowhere");
    expect([reply.status, ...limitsOf(reply)]).toEqual([
      404,
      '"per_client";q=6;w=3600',
      expect.stringMatching(new RegExp(`^"per_client";r=${left};t=(3600|359\\d)$`)),
    ]);
  }
  const refused = await from("192.0.2.1", "GET", "/things", true);
  expect([refused.status, refused.body]).toEqual([429, { error: "Too many requests" }]);
  expect(refused.headers["retry-after"]).toMatch(/^3(600|59\d)$/);
  expect(limitsOf(refused)[1]).toMatch(/^"per_client";r=0;t=(3600|359\d)$/);
  const signIn = await from("192.0.2.1", "POST", "/auth/token");
  expect([signIn.status, signIn.body]).toEqual([
    429,
    { error: "Too many attempts", code: "TOO_MANY_ATTEMPTS" },
  ]);
  const health = await from("192.0.2.1", "GET", "/_service/live");
  expect([health.status, ...limitsOf(health)]).toEqual([204, undefined, undefined]);
});

test("a client is an IPv4 address, also within IPv6, or an IPv6 network", async () => {
  const addresses = ["2001:db8::1", "2001:db8:0:0:ffff::9", "2001:db8:0:1::1"];
  const left: unknown[] = [];
  const spellings = ["::ffff:192.0.2.7", "::FFFF:c000:207", "0:0:0:0:0:ffff:c000:0207"];
  for (const address of [...addresses, "2001:0DB8:0::1", "192.0.2.7", ...spellings]) {
    const [, state] = limitsOf(await from(address, "GET", "/nowhere"));
    left.push(/r=(\d)/.exec(String(state))?.[1]);
  }
  expect(left).toEqual(["5", "4", "5", "3", "5", "4", "3", "2"]);
});

test("a token's limit is checked after the 401 and before the 403, in app routes too", async () => {
  const stranger = await from("192.0.2.10", "GET", "/things");
  expect([stranger.status, limitsOf(stranger)[0]]).toEqual([401, '"per_client";q=6;w=3600']);
  const first = await from("192.0.2.11", "GET", "/things", true);
  expect([first.status, ...limitsOf(first)]).toEqual([
    204,
    '"per_token";q=4;w=3600, "per_client";q=6;w=3600',
    expect.stringMatching(/^"per_token";r=3;t=\d+, "per_client";r=5;t=\d+$/),
  ]);
  expect((await from("192.0.2.12", "GET", "/own", true)).status).toBe(200);
  expect((await from("192.0.2.13", "GET", "/admins", true)).status).toBe(403);
  expect((await from("192.0.2.14", "GET", "/things", true)).status).toBe(204);
  expect((await from("192.0.2.15", "GET", "/admins", true)).status).toBe(429);
  expect((await from("192.0.2.16", "GET", "/own", true)).status).toBe(429);
  expect((await from("192.0.2.17", "GET", "/open", true)).status).toBe(200);
});

test("sign-ins are counted once their route is reached", async () => {
  const send = (path: string, method = "POST") => from("192.0.2.20", method, path);
  expect((await send("/auth/token", "PUT")).headers.ratelimit).not.toContain("sign_in");
  expect((await send("/auth/passkey")).headers.ratelimit).not.toContain("sign_in");
  const first = await send("/auth/token");
  expect(limitsOf(first)).toEqual([
    '"per_client";q=6;w=3600, "sign_in_per_client";q=2;w=60',
    expect.stringMatching(/^"per_client";r=3;t=\d+, "sign_in_per_client";r=1;t=\d+$/),
  ]);
  expect((await send("/auth/two-factor/verify")).status).toBe(204);
  const refused = await send("/auth/token");
  expect([refused.status, refused.body]).toEqual([
    429,
    { error: "Too many attempts", code: "TOO_MANY_ATTEMPTS" },
  ]);
});

test("further requests of one token are queued, those of app routes too", async () => {
  const settings = "limits: { per_token_at_once: 2 }\n";
  const busy = await startRoutes({ routes, appRouter, settings });
  const stream = await openWire(busy.url);
  await stream.send(
    "GET /api/own-stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer known\r\n\r\n",
  );
  // What is being sent has no place any more.
  await stream.sees(/200 OK/);
  const underWay = [busy.member.get("/held"), busy.member.get("/own-held")];
  await expect.poll(async () => (await busy.member.get("/_service/live")).status).toBe(204);
  const headers = { "x-a": "b" };
  const refused = ["/held", "/own"].map((path) => busy.member.send("GET", path, { headers }));
  for (const reply of await Promise.all(refused)) {
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "2"]);
  }
  expect((await busy.anonymous.post("/auth/token", {})).status).toBe(204);
  const waiting = [busy.member.get("/things"), busy.member.get("/own")];
  finish();
  const statuses = (await Promise.all([...underWay, ...waiting])).map(({ status }) => status);
  expect(statuses).toEqual([204, 200, 204, 200]);
  expect(limitsOf(await busy.member.get("/things"))).toEqual([undefined, undefined]);
  stream.destroy();
  await busy.close();
});

test("a health check has no limit, even if the app answers another server", async () => {
  const apps: Express[] = [];
  const limited = await startRoutes({
    routes,
    settings: "limits: { per_client: 1/h }\n",
    prepare: (app) => void apps.push(app),
  });
  const other = createServer(apps[0]).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { get } = client(`http://127.0.0.1:${port}`, null);
  for (const path of ["/_service/live", "/_service/live?probe=1"]) {
    const reply = await get(path);
    expect([reply.status, ...limitsOf(reply)]).toEqual([204, undefined, undefined]);
  }
  expect((await get("/nowhere")).status).toBe(404);
  expect((await get("/nowhere")).status).toBe(429);
  hangUp(`http://127.0.0.1:${port}`);
  other.close();
  await limited.close();
});

test("every response has the current limits once, whatever sends it", async () => {
  const own = Router();
  own.get("/own", (_request, response) => void response.json({}));
  own.get("/own-head", (_request, response) => void response.writeHead(204, { a: "b" }).end());
  own.get("/own-stream", (_request, response) => {
    response.flushHeaders();
    response.end();
  });
  own.get("/own-fault", () => {
    throw new Error("A fault of the test");
  });
  own.get("/open", publicRoute, (_request, response) => void response.json({}));
  const fault: Route = {
    ...{ method: "GET", path: "/fault", access: "signed-in" },
    handle: async () => {
      throw new Error("A fault of the test");
    },
  };
  const apps: Express[] = [];
  const limited = await startRoutes({
    routes: [...routes, fault],
    appRouter: own,
    settings: "limits: { per_token: 100/h, per_client: 200/h }\n",
    prepare: (app) => {
      apps.push(app);
      app.use("/api/before", (_request, response) => void response.status(202).end());
    },
  });
  const other = createServer(apps[0]).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const byToken = ["/things", "/fault", "/own", "/own-head", "/own-stream", "/own-fault"];
  const statuses: Readonly<Record<string, number>> = {
    "/nowhere": 404,
    "/open": 200,
    "/admins": 401,
    "/before": 202,
  };
  let ofClient = 200;
  let ofToken = 100;
  for (const url of [limited.url, `http://127.0.0.1:${port}`]) {
    for (const method of ["GET", "HEAD"]) {
      for (const path of byToken) {
        const reply = await client(url, "known").send(method, path);
        const [policy, state] = limitsOf(reply);
        expect([path, policy]).toEqual([
          path,
          '"per_token";q=100;w=3600, "per_client";q=200;w=3600',
        ]);
        ofClient -= 1;
        ofToken -= 1;
        const left = [ofToken, ofClient];
        expect([...String(state).matchAll(/r=(\d+)/g)].map(([, r]) => Number(r))).toEqual(left);
      }
      for (const path in statuses) {
        const reply = await client(url, null).send(method, path);
        ofClient -= 1;
        expect([reply.status === statuses[path], path, ...limitsOf(reply)]).toEqual([
          true,
          path,
          '"per_client";q=200;w=3600',
          expect.stringMatching(new RegExp(`^"per_client";r=${ofClient};t=\\d+$`)),
        ]);
      }
    }
    hangUp(url);
  }
  other.close();
  await limited.close();
});
