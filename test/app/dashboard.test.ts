import { createServer } from "node:http";
import express from "express";
import { dashboard } from "service-runtime/dashboard";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkTags } from "../../runtime/command/doctor/operation/tags.js";
import { ask } from "../runtime/dashboard/support/ask.js";
import { listening, stopped } from "../runtime/dashboard/support/fake-api.js";
import { type RunningApp, startApp } from "../support/apps/app.js";

const password = "a password of the tests";
const ours = { "service-dashboard": "1", accept: "application/json" };
const json = { accept: "application/json", "content-type": "application/json" };
const credentials = JSON.stringify({ email: "caller-1@example.com", password });

let app: RunningApp;
beforeAll(async () => {
  app = await startApp("apps/shop", {}, (made) => made.use(dashboard()));
});
afterAll(() => app.close());

/** Signs in through the dashboard; the answer is the cookie. */
async function signIn(url: string, headers: Record<string, string> = ours): Promise<string> {
  const answer = await ask(url, "POST", "/api/auth/token", {
    headers: { ...json, ...headers },
    body: credentials,
  });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toEqual({ user: expect.objectContaining({ email: "caller-1@example.com" }) });
  const [set = ""] = answer.headers["set-cookie"] ?? [];
  expect(set).toMatch(
    /^service_token=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
  return set.split(";")[0] ?? "";
}

test("in the API's own process it signs in, reads and signs out by the cookie", async () => {
  const cookie = await signIn(app.url);
  const me = await ask(app.url, "GET", "/api/auth/me", {
    headers: { cookie, accept: "application/json" },
  });
  expect(me).toMatchObject({ status: 200, body: { user: { email: "caller-1@example.com" } } });
  const out = await ask(app.url, "DELETE", "/api/auth/token", { headers: { ...ours, cookie } });
  expect(out.status).toBe(204);
  expect(out.headers["set-cookie"]).toEqual([
    "service_token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
  ]);
  const after = await ask(app.url, "GET", "/api/auth/me", { headers: { ...ours, cookie } });
  expect(after.status).toBe(401);
  expect(after.headers["set-cookie"]).toEqual([
    "service_token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
  ]);
});

test("requests that are not the dashboard's reach the API untouched", async () => {
  const token = await ask(app.url, "POST", "/api/auth/token", { headers: json, body: credentials });
  expect(token.body).toMatchObject({ token: expect.any(String) });
  expect(token.headers["set-cookie"]).toBeUndefined();
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${app.token}`,
    origin: "https://elsewhere.example",
  };
  expect((await ask(app.url, "GET", "/api/auth/me", { headers })).status).toBe(200);
  expect((await ask(app.url, "GET", "/api/..%2fx", { headers })).status).toBe(404);
});

test("requests to its own paths are checked: another site, an unsafe path, a foreign bearer token", async () => {
  const cookie = await signIn(app.url);
  const from = async (method: string, path: string, headers: Record<string, string>) =>
    (await ask(app.url, method, path, { headers: { cookie, ...headers } })).status;
  expect(await from("DELETE", "/api/auth/token", { ...ours, "sec-fetch-site": "cross-site" })).toBe(
    403,
  );
  expect(await from("GET", "/api/x/..%2fauth/me", ours)).toBe(400);
  expect(await from("GET", "/api/auth/me", { ...ours, authorization: "Bearer other" })).toBe(200);
  expect(
    await from("GET", "/api/auth/me", {
      ...ours,
      cookie: "a=1",
      authorization: `Bearer ${app.token}`,
    }),
  ).toBe(401);
});

test("pages are served beside the API, and unknown paths stay the API's", async () => {
  const page = await ask(app.url, "GET", "/account/devices", { headers: { accept: "text/html" } });
  expect(page.text).toContain("<title>Shop</title>");
  const other = await ask(app.url, "GET", "/nowhere", { headers: { accept: "application/json" } });
  expect(other).toMatchObject({ status: 404, body: { error: "Not found" } });
});

test("in another Express server it forwards everything to the API", async () => {
  const other = express();
  other.use(dashboard({ apiUrl: app.url }));
  const server = createServer(other);
  const url = await listening(server);
  const cookie = await signIn(url, {});
  const me = await ask(url, "GET", "/api/auth/me", {
    headers: { cookie, accept: "application/json" },
  });
  expect(me.status).toBe(200);
  expect(
    (await ask(url, "GET", "/api/auth/me", { headers: { accept: "application/json" } })).status,
  ).toBe(401);
  expect((await ask(url, "GET", "/nowhere", {})).status).toBe(404);
  await stopped(server);
});

test.each(["http://127.0.0.1:3000/api", "127.0.0.1:3000"])(
  "refuses %s as the API's address",
  (apiUrl) => {
    expect(() => dashboard({ apiUrl })).toThrow("SERVICE_API_URL");
  },
);

test.each<[string, (tag: string, coding: unknown) => string | undefined, string]>([
  ["weakens", (tag) => `W/${tag}`, "ok"],
  [
    "names the coding in",
    (tag, coding) => (coding === "identity" ? tag : `"${tag.slice(1, -1)}-${coding}"`),
    "ok",
  ],
  ["removes", () => undefined, "removes the ETag of answers"],
  [
    "removes for one coding",
    (tag, coding) => (coding === "br" ? undefined : tag),
    "removes the ETag of compressed answers",
  ],
  [
    "replaces",
    (tag, coding) => (coding === "gzip" ? '"own"' : tag),
    'has different ETags for the same response: "',
  ],
])("doctor detects a proxy that %s tags", async (_, change, found) => {
  const proxy = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const answer = await fetch(`${app.url}${request.url}`, {
      headers: Object.fromEntries(headers.filter(([name]) => name !== "connection")),
    });
    const tag = change(answer.headers.get("etag") ?? "", request.headers["accept-encoding"]);
    const own = answer.headers.get("service-doctor") ?? "";
    const kept = tag === undefined ? {} : { etag: tag };
    response.writeHead(answer.status, { "service-doctor": own, ...kept });
    response.end(await answer.text());
  });
  const url = await listening(proxy);
  const [finding] = await checkTags(url);
  await stopped(proxy);
  expect(finding).toMatchObject(
    found === "ok" ? { state: "ok" } : { state: "warning", found: expect.stringContaining(found) },
  );
});

test("doctor reports nothing about tags if the API cannot be reached", async () => {
  const other = createServer((_, response) => response.end("{}"));
  const url = await listening(other);
  expect(await checkTags(url)).toEqual([]);
  await stopped(other);
  expect(await checkTags(url)).toEqual([]);
  const plain = await ask(app.url, "GET", "/api/_service/ping", { headers: json });
  expect(plain.headers.etag).toBeUndefined();
  expect(plain.text).toBe(JSON.stringify(plain.body));
});
