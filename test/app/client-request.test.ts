import { Router } from "express";
import { Refusal } from "service-runtime/errors";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  ApiError,
  type Client,
  createClient,
  NetworkError,
} from "../../fixtures/apps/shop/generated/client.js";
import { type RunningApp, startApp } from "../support/apps/app.js";

/** The request as the tests' own route received it. */
interface Echo {
  readonly method: string;
  readonly query: Record<string, unknown>;
  readonly type: string | null;
  readonly key: string | null;
  readonly caller: string | null;
  readonly body: string;
}

const routes = Router();
routes.all("/own/echo", (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const echo: Echo = {
      method: request.method,
      query: request.query,
      type: request.headers["content-type"] ?? null,
      key: request.get("idempotency-key") ?? null,
      caller: response.locals.caller?.role ?? null,
      body: Buffer.concat(chunks).toString(),
    };
    response.json(echo);
  });
});
routes.get("/own/list", (_request, response) => response.json([1, null]));
routes.get("/own/null", (_request, response) => response.json(null));
routes.get("/own/csv", (_request, response) => response.type("csv").send("1\n"));
routes.get("/own/empty", (_request, response) => response.type("json").end());
routes.post("/own/nothing", (_request, response) => response.status(204).end());
routes.get("/own/broken", (_request, response) => response.type("json").send('{"half":'));
routes.get("/own/refused", () => {
  throw new Refusal("CHANGED");
});
routes.get("/own/teapot", (_request, response) => response.status(418).send("a teapot"));
/** How often each was asked. */
const tries: Record<string, number> = {};
routes.all("/own/restarts/:name", (request, response) => {
  const { name } = request.params;
  tries[name] = (tries[name] ?? 0) + 1;
  if (tries[name] === 1) return response.status(Number(request.query.status)).send("restarting");
  return response.json({ tries: tries[name] });
});

let app: RunningApp;
let api: Client;
beforeAll(async () => {
  app = await startApp("apps/shop", { routes });
  api = createClient({ url: `${app.url}/api`, token: app.token });
});
afterAll(() => app.close());

function echo(method: string, options?: Parameters<Client["request"]>[2], path = "/own/echo") {
  return api.request<Echo>(method, path, options);
}

describe("api.request", () => {
  test("sends the token, the query and a body in JSON", async () => {
    const since = new Date(0);
    const query = { q: "a & b", since, in: ["x", "y"], deep: { a: 1 }, left: undefined };
    const answer = await echo("post", { query, body: { name: "Tea" } });
    expect(answer).toEqual({
      method: "POST",
      query: {
        q: "a & b",
        since: since.toISOString(),
        in: "x,y",
        "deep[a]": "1",
      },
      type: "application/json",
      key: null,
      caller: "admin",
      body: '{"name":"Tea"}',
    });
    expect(await echo("GET", undefined, "own/echo")).toMatchObject({ method: "GET", query: {} });
  });

  test("sends parameters named like those of lists unchanged", async () => {
    const { query } = await echo("GET", { query: { include: ["a", "b"], where: "here" } });
    expect(query).toEqual({ include: "a,b", where: "here" });
  });

  test.each([
    ["a list", [1], "application/json", "[1]"],
    ["a text", "Tea", "application/json", '"Tea"'],
    ["null", null, "application/json", "null"],
    ["a record that has a slice", { slice: 1, append: 2 }, "application/json", /^\{"slice":1/],
    ["a file", new Blob(["a,b"], { type: "text/csv" }), "text/csv", "a,b"],
    ["bytes", new Uint8Array([65]), null, "A"],
    ["a form", new URLSearchParams({ a: "1" }), /^application\/x-www-form-urlencoded/, "a=1"],
    ["nothing", undefined, null, ""],
  ])("sends %s", async (_, body, type, sent) => {
    const answer = await echo("PATCH", { body });
    expect(answer.body).toMatch(sent);
    if (type === null) expect(answer.type).toBeNull();
    else expect(answer.type).toMatch(type);
  });

  test("sends a form with a file", async () => {
    const form = new FormData();
    form.set("file", new Blob(["tea"]), "tea.txt");
    const answer = await echo("POST", { body: form });
    expect(answer.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(answer.body).toContain('filename="tea.txt"');
  });

  test("sends the caller's headers", async () => {
    const headers = { "content-type": "text/plain" };
    const answer = await echo("PUT", { body: new Uint8Array([66]), headers });
    expect(answer).toMatchObject({ type: "text/plain", body: "B" });
  });

  test("returns JSON of any kind, a text, or nothing", async () => {
    expect(await api.request("GET", "/own/list")).toEqual([1, null]);
    expect(await api.request("GET", "/own/null")).toBeNull();
    expect(await api.request("GET", "/own/csv")).toBe("1\n");
    expect(await api.request("GET", "/own/empty")).toBeUndefined();
    expect(await api.request("HEAD", "/own/list")).toBeUndefined();
    expect(await api.request("POST", "/own/nothing")).toBeUndefined();
  });

  test("throws the same errors as other calls", async () => {
    const refused = api.request("GET", "/own/refused");
    await expect(refused).rejects.toMatchObject({ status: 412 });
    const missing = api.request("GET", "/own/missing");
    await expect(missing).rejects.toMatchObject({ status: 404 });
    const teapot = await api.request("GET", "/own/teapot").catch((error: unknown) => error);
    expect(teapot).toBeInstanceOf(ApiError);
    expect(teapot).toMatchObject({ status: 418, error: "/own/teapot is refused: 418" });
    await expect(api.request("GET", "/own/broken")).rejects.toThrow(/is not a response of this/);
    const anonymous = createClient({ url: `${app.url}/api` }).request("GET", "/own/list");
    await expect(anonymous).rejects.toMatchObject({ status: 401 });
    const lost = createClient({ url: "http://127.0.0.1:1/api" }).request("POST", "/own/list");
    await expect(lost).rejects.toThrow(NetworkError);
    const signal = AbortSignal.abort("gone");
    await expect(api.request("GET", "/own/list", { signal })).rejects.toBe("gone");
  });

  test("retries reads, and only those writes that have a key", async () => {
    for (const name of ["read", "keyed", "write"]) delete tries[name];
    const again = (name: string, method: string, options: object = {}) =>
      api.request(method, `/own/restarts/${name}`, { query: { status: 502 }, ...options });
    expect(await again("read", "GET")).toEqual({ tries: 2 });
    expect(await again("keyed", "POST", { idempotencyKey: "one" })).toEqual({ tries: 2 });
    await expect(again("write", "POST", { body: {} })).rejects.toMatchObject({ status: 502 });
    expect(tries.write).toBe(1);
  });

  test("returns the type that its caller declares", () => {
    expectTypeOf(api.request<Echo>).returns.resolves.toEqualTypeOf<Echo>();
    expectTypeOf(api.request).returns.resolves.toBeUnknown();
  });
});
