import { afterAll, beforeAll, expect, test } from "vitest";
import type { Handle, Route } from "../../../runtime/http/index.js";
import { expectRefusal } from "../../support/apps/shop.js";
import { openWire } from "../../support/http/wire.js";
import { type RouteServer, startRoutes } from "./server.js";

const shows =
  (path: string): Handle =>
  async ({ params, query }) => ({ status: 200, json: JSON.stringify({ path, params, query }) });

const paths = ["/things/:id", "/things/_stats", "/things/:id/parts", "/things/_stats/parts/:part"];
const routes: readonly Route[] = paths.map((path) => ({
  method: "GET",
  path,
  access: "public",
  handle: shows(path),
}));

let server: RouteServer;
beforeAll(async () => {
  server = await startRoutes({ routes });
});
afterAll(() => server.close());

async function routed(path: string): Promise<unknown> {
  const { status, body } = await server.anonymous.get<unknown>(path);
  return status === 200 ? body : status;
}

test("a literal segment wins over a parameter", async () => {
  expect(await routed("/things/_stats")).toEqual({ path: "/things/_stats", params: {}, query: "" });
  expect(await routed("/things/7")).toEqual({
    path: "/things/:id",
    params: { id: "7" },
    query: "",
  });
});

test("a literal segment without a matching continuation is 404, even if a parameter would match", async () => {
  expect(await routed("/things/_stats/parts")).toBe(404);
  expect(await routed("/things/_stats/parts/3")).toMatchObject({ params: { part: "3" } });
});

test("a parameter is percent-decoded once, and never contains a path", async () => {
  expect(await routed("/things/a%20b%2Fc%2525")).toMatchObject({ params: { id: "a b/c%25" } });
  expect(await routed("/things/%C3%A9")).toMatchObject({ params: { id: "é" } });
});

test("a malformed escape in a path is 404", async () => {
  for (const bad of ["%", "%2", "%zz", "%E0%A4%A", "%ff", "%c0%af"]) {
    expectRefusal(await server.anonymous.get(`/things/${bad}`), 404);
  }
});

test("empty, dotted and doubled segments do not match records", async () => {
  for (const path of ["/things/", "/things//parts", "//things/1", "/things/1//", "/./things/1"]) {
    expect(await routed(path)).toBe(404);
  }
});

test("one slash at the end of a path is ignored", async () => {
  const one = { path: "/things/:id", params: { id: "1" } };
  expect(await routed("/things/1/")).toEqual({ ...one, query: "" });
  expect(await routed("/things/1/?a=b/")).toEqual({ ...one, query: "a=b/" });
  expect(await routed("/things/_stats/")).toMatchObject({ path: "/things/_stats" });
  const { status, headers } = await server.anonymous.send("DELETE", "/things/1/");
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "GET, HEAD, OPTIONS" });
  for (const path of ["/", "//", "/things/1/%2F"]) expect(await routed(path)).toBe(404);
});

test("names of JavaScript's own properties are paths and parameters like others", async () => {
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect(await routed(`/things/${name}`)).toMatchObject({ params: { id: name } });
    expect(await routed(`/${name}`)).toBe(404);
  }
});

test("everything after the first question mark is the query, unchanged", async () => {
  expect(await routed("/things/1?a=%zz?b&&#")).toMatchObject({ query: "a=%zz?b&&#" });
});

test("an absolute request target is answered like its path", async () => {
  for (const target of [
    `${server.url}/api/things/7?x=1`,
    "HTTP://Elsewhere.example:99/api/things/7?x=1",
  ]) {
    const wire = await openWire(server.url);
    await wire.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await wire.closed;
    expect(wire.rest()).toMatch(/^HTTP\/1\.1 200 /);
    expect(wire.rest()).toContain('{"path":"/things/:id","params":{"id":"7"},"query":"x=1"}');
  }
});

test("a target that is not a path is 404", async () => {
  for (const [method, target] of [
    ["OPTIONS", "*"],
    ["GET", server.url],
    ["GET", "http://x?/api/things/1"],
    ["GET", "http:///api/things/1"],
    ["GET", "ws://x/api/things/1"],
  ]) {
    const wire = await openWire(server.url);
    await wire.send(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await wire.closed;
    expect(wire.rest()).toMatch(/^HTTP\/1\.1 404 [\s\S]*\{"error":"Not found"\}$/);
  }
});

test("two routes for one method and path are refused at the start", async () => {
  const twice = [...routes, ...routes];
  await expect(startRoutes({ routes: twice })).rejects.toThrow("Two routes for GET /things/:id");
});
