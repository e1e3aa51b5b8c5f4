import { createRequire } from "node:module";
import express, { Router } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import * as zod3 from "zod/v3";
import { refusal } from "../../../runtime/errors/exports.js";
import { type Context, publicRoute } from "../../../runtime/http/index.js";
import { expectRefusal } from "../../support/apps/shop.js";
import { openWire } from "../../support/http/wire.js";
import { memberCaller, type RouteServer, startRoutes } from "./server.js";

class Conflict extends Error {
  readonly status = 409;
}

const router = Router();
router.use(express.json());
router.get("/hello", publicRoute, (_request, response) => response.json({ hello: "world" }));
router.post("/hello", publicRoute, (request, response) => response.json(request.body));
router.put("/hello", (_request, response) => response.json("private"));
router.get("/whoami", (_request, response) => response.json(response.locals.caller));
router.get("/open", publicRoute, (_request, response) => response.json(response.locals.caller));
router.get("/notes/:note", (request, response) => response.json(request.params.note));
router.get("/broken", async () => {
  throw new Error("a secret of the database");
});
router.get("/taken", () => {
  throw new Conflict("Taken already");
});
router.get("/events", (_request, response) => {
  response.type("text/event-stream").send("data: 1\n\n");
});
router.get("/invoices.csv", publicRoute, (_request, response) => {
  response.type("text/csv").send("id\n1\n");
});
router.get("/choice", publicRoute, (_request, response) => {
  response.format({ json: () => response.json("json"), html: () => response.send("<p>html") });
});
router.post("/checked/:version", publicRoute, (request, response) => {
  response.json(schemas[request.params.version as keyof typeof schemas](request.body));
});
router.get("/parameters", publicRoute, () => {
  throw refusal(400, [{ param: "days", message: "Must be a number" }]);
});
router.get(["/tracks/top", "/tracks/best/"], (request, response) => response.json(request.path));
const charts = Router();
charts.get("/charts", publicRoute, (_request, response) => response.json("charts"));
router.use("/tracks", charts);
router.get("/one", (_request, response) => response.json("shadowed"));
router
  .route("/mixed")
  .get(publicRoute, (_request, response) => response.json("open"))
  .put((_request, response) => response.json("private"));
router.get("/seen/:any", publicRoute, (_request, response) => response.json("any"));
router.get("/seen/secret", (_request, response) => response.json("secret"));
router.all("/every", (request, response) => response.json(request.method));
router.use("/hooks", express.text());
router.post("/hooks/bank", publicRoute, (request, response) => response.json(request.body));
router.use("/mounted", (request, response) => response.json(request.path));
const reports = Router();
reports.get("/daily", (_request, response) => response.json("daily"));
reports.get("/open", publicRoute, (_request, response) => response.json("open"));
router.use("/reports", reports);

const quantity = { quantity: z.number().int() };
const schemas = {
  4: (body: unknown) => z.object({ lines: z.array(z.object(quantity)) }).parse(body),
  mini: (body: unknown) => mini.parse(mini.object({ quantity: mini.number() }), body),
  3: (body: unknown) => zod3.z.object({ quantity: zod3.z.number() }).parse(body),
  many: (body: unknown) => z.array(z.number()).parse(body),
};

let server: RouteServer;
beforeAll(async () => {
  server = await startRoutes({
    appRouter: router,
    routes: [
      {
        method: "GET",
        path: "/one",
        access: "public",
        handle: async () => ({ status: 200, json: '"generated"' }),
      },
      ...(["GET", "PATCH"] as const).map((method) => ({
        method,
        path: "/tracks/:id",
        access: "public" as const,
        handle: async ({ params }: Context) => ({ status: 200, json: JSON.stringify(params) }),
      })),
    ],
  });
});
afterAll(() => server.close());

test("an app route needs a token", async () => {
  const reply = await server.anonymous.get("/whoami");
  expectRefusal(reply, 401);
  expect(reply.headers["www-authenticate"]).toBe("Bearer");
  expectRefusal(await server.anonymous.get("/reports/daily"), 401);
  expect((await server.member.get("/reports/daily")).body).toBe("daily");
});

test("its handler finds the caller in response.locals", async () => {
  expect((await server.member.get("/whoami")).body).toEqual(memberCaller);
});

test("a public route needs none and has no caller", async () => {
  expect((await server.anonymous.get("/hello")).body).toEqual({ hello: "world" });
  expect((await server.anonymous.get("/open")).body).toBe(null);
  expect((await server.anonymous.get("/reports/open")).body).toBe("open");
});

test("middleware in front of the routes leaves a public one public", async () => {
  expect((await server.anonymous.post("/hello", { a: 1 })).body).toEqual({ a: 1 });
});

test("a public method does not open the path's other methods", async () => {
  expectRefusal(await server.anonymous.put("/hello", {}), 401);
  expect((await server.member.put("/hello", {})).body).toBe("private");
});

test("one public method of a route does not open its others", async () => {
  expect((await server.anonymous.get("/mixed")).body).toBe("open");
  expectRefusal(await server.anonymous.put("/mixed", {}), 401);
  expect((await server.member.put("/mixed", {})).body).toBe("private");
});

test("if two routes answer a path, both must be public", async () => {
  expect((await server.anonymous.get("/seen/other")).body).toBe("any");
  expectRefusal(await server.anonymous.get("/seen/secret"), 401);
});

test("middleware of a path leaves the public routes below it public", async () => {
  const sent = { text: "paid", headers: { "content-type": "text/plain" } };
  expect((await server.anonymous.send("POST", "/hooks/bank", sent)).body).toBe("paid");
});

test("a mounted handler needs a token, for any method", async () => {
  for (const path of ["/mounted", "/mounted/deeper", "/hooks/none"]) {
    expectRefusal(await server.anonymous.get(path), 401);
    expectRefusal(await server.anonymous.delete(path), 401);
  }
  expect((await server.member.delete("/mounted/deeper")).body).toBe("/deeper");
});

test("HEAD is as public or private as GET, and has no body", async () => {
  const open = await server.anonymous.send("HEAD", "/hello");
  expect({ status: open.status, text: open.text }).toEqual({ status: 200, text: "" });
  expect((await server.anonymous.send("HEAD", "/whoami")).status).toBe(401);
});

test("a path that no route has is 404 with and without a token", async () => {
  for (const path of ["/none", "/", "/reports", "/reports/none", "/notes"]) {
    expectRefusal(await server.anonymous.get(path), 404);
    expectRefusal(await server.member.get(path), 404);
  }
});

test("one slash at the end of an app route's path is ignored", async () => {
  expect((await server.member.get("/notes/Tea/")).body).toBe("Tea");
  expect((await server.anonymous.get("/tracks/charts/")).body).toBe("charts");
  expectRefusal(await server.anonymous.get("/whoami/"), 401);
  expectRefusal(await server.member.get("/notes/Tea//"), 404);
  expectRefusal(await server.member.get("/nothing/"), 404);
});

test("a path in another case is 404, as for a generated route", async () => {
  for (const path of ["/Hello", "/WHOAMI", "/Reports/daily", "/reports/DAILY", "/MOUNTED/file"]) {
    expectRefusal(await server.anonymous.get(path), 404);
    expectRefusal(await server.member.get(path), 404);
  }
  expect((await server.member.get("/notes/Tea")).body).toBe("Tea");
  expect((await server.member.get("/mounted/File")).body).toBe("/File");
  // Whoever asks there is not taken for a caller of the route that anybody may ask.
  expectRefusal(await server.anonymous.get("/seen/SECRET"), 404);
});

test("a method that the path does not have is 405 with Allow, before the token", async () => {
  const reply = await server.anonymous.delete("/hello");
  expectRefusal(reply, 405);
  expect(reply.headers.allow).toBe("GET, HEAD, POST, PUT, OPTIONS");
  expectRefusal(await server.member.delete("/whoami"), 405);
});

test("OPTIONS is 204 with Allow, without a token", async () => {
  const reply = await server.anonymous.send("OPTIONS", "/whoami");
  expect({ status: reply.status, text: reply.text }).toEqual({ status: 204, text: "" });
  expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
  const every = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  for (const path of ["/every", "/mounted/file"]) {
    const { status, headers } = await server.anonymous.send("OPTIONS", path);
    expect({ status, allow: headers.allow }).toEqual({ status: 204, allow: every });
  }
});

test.each([
  ["text/event-stream", "/events", "text/event-stream; charset=utf-8"],
  ["text/csv", "/invoices.csv", "text/csv; charset=utf-8"],
  ["text/html", "/choice", "text/html; charset=utf-8"],
  ["application/json", "/choice", "application/json; charset=utf-8"],
])("a handler answers %s at %s", async (accept, path, type) => {
  for (const method of ["GET", "HEAD"]) {
    const headers = { accept, authorization: "Bearer known" };
    const answer = await fetch(`${server.url}/api${path}`, { method, headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  }
});

test("a handler may refuse an Accept with 406, and other refusals come before it", async () => {
  const headers = { accept: "image/png" };
  const reply = await server.anonymous.send("GET", "/choice", { headers });
  expect([reply.status, reply.body]).toEqual([406, { error: "Not Acceptable" }]);
  expectRefusal(await server.anonymous.send("GET", "/whoami", { headers }), 401);
  expectRefusal(await server.anonymous.send("PATCH", "/whoami", { headers }), 405);
  expectRefusal(await server.anonymous.send("GET", "/nowhere", { headers }), 404);
});

test.each([
  ["4", { lines: [{ quantity: 1 }, { quantity: 0.5 }] }, "lines.1.quantity"],
  ["mini", { quantity: "one" }, "quantity"],
  ["3", { quantity: "one" }, "quantity"],
  ["3", [], ""],
])("a body that zod %s refuses is 422 with the path of each issue", async (version, body, path) => {
  const before = server.errors.length;
  const reply = await server.anonymous.post(`/checked/${version}`, body);
  expect(reply.status).toBe(422);
  expect(reply.body).toEqual({
    error: "The values are not valid",
    issues: [{ path, message: expect.any(String) }],
  });
  expect(server.errors.length).toBe(before);
});

test("the first hundred of many zod issues are listed", async () => {
  const words = Array.from({ length: 1000 }, () => "one");
  const { body } = await server.anonymous.post<{ issues: readonly unknown[] }>(
    "/checked/many",
    words,
  );
  const { issues } = body;
  expect(issues).toHaveLength(101);
  expect(issues[100]).toEqual({ path: "", message: "900 more mistakes are not listed" });
});

test("a refusal names parameters too", async () => {
  const { status, body } = await server.anonymous.get("/parameters");
  const issues = [{ param: "days", message: "Must be a number" }];
  expect({ status, body }).toEqual({
    status: 400,
    body: { error: "The request was refused", issues },
  });
});

test("an error of a handler is a bare 500, and logged in full", async () => {
  const before = server.errors.length;
  const { status, body } = await server.member.get("/broken");
  expect({ status, body }).toEqual({ status: 500, body: { error: "Internal server error" } });
  expect(server.errors.slice(before)).toEqual([new Error("a secret of the database")]);
});

test("a handler's 4xx error keeps its status and is not logged", async () => {
  const before = server.errors.length;
  expectRefusal(await server.member.get("/taken"), 409);
  const sent = { text: "{", headers: { "content-type": "application/json" } };
  expectRefusal(await server.anonymous.send("POST", "/hello", sent), 400);
  expect(server.errors.length).toBe(before);
});

test("a generated route wins over an app route", async () => {
  expect((await server.member.get("/one")).body).toBe("generated");
});

test("an app route wins over a parameter if its path is literal, in nested routers too", async () => {
  expectRefusal(await server.anonymous.get("/tracks/top"), 401);
  expect((await server.member.get("/tracks/top?q=1")).body).toBe("/tracks/top");
  expect((await server.member.get("/tracks/best")).body).toBe("/tracks/best");
  expect((await server.anonymous.get("/tracks/charts")).body).toBe("charts");
  for (const other of ["topmost", "Top", "t%6fp"]) {
    const { body } = await server.anonymous.get(`/tracks/${other}`);
    expect(body).toEqual({ id: decodeURIComponent(other) });
  }
});

test("such a path has the app route's methods", async () => {
  const reply = await server.member.patch("/tracks/top", {});
  expectRefusal(reply, 405);
  expect(reply.headers.allow).toBe("GET, HEAD, OPTIONS");
  const options = await server.anonymous.send("OPTIONS", "/tracks/top");
  expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
});

test("a malformed escape in a path is 4xx, and never bypasses the token", async () => {
  const reply = await server.anonymous.get("/notes/%E0%A4%A");
  expect([400, 404]).toContain(reply.status);
});

test("an absolute request target reaches the same route and token check", async () => {
  for (const [path, status] of [
    ["hello", 200],
    ["whoami", 401],
  ]) {
    const wire = await openWire(server.url);
    const target = `http://elsewhere.example/api/${path}`;
    await wire.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await wire.closed;
    expect(wire.rest()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  }
});

test("a target with another scheme, or without a host, is 404", async () => {
  for (const target of ["ws://elsewhere.example/api/hello", "http:///api/hello", "x:/api/hello"]) {
    const wire = await openWire(server.url);
    await wire.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await wire.closed;
    expect(wire.rest()).toMatch(/^HTTP\/1\.1 40[04] /);
  }
});

test("the router has the release for which router-stack.ts was written; review it after an update", () => {
  const { resolve } = createRequire(import.meta.url);
  const { version } = createRequire(resolve("express"))("router/package.json");
  expect(version).toMatch(/^2\.3\./);
});
