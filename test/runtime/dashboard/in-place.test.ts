import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dashboardInPlace } from "../../../runtime/dashboard/dashboard.js";
import { brandOf } from "../../../runtime/dashboard/pages/brand.js";
import { openPages } from "../../../runtime/dashboard/pages/pages.js";
import { ask } from "./support/ask.js";
import { listening, stopped } from "./support/fake-api.js";
import { webFolder } from "./support/web.js";

const token = "dG9rZW4tb2YtdGhlLXRlc3Rz-_0123456789abcdefg";
const user = { id: "1", name: "Ann", email: "ann@example.com" };
const ours = { "service-dashboard": "1" };

/** What is behind the dashboard in the same process: it answers everything with a token. */
const handle = dashboardInPlace({
  pages: openPages(webFolder, brandOf({ name: "Shop", logo: null, colour: null }, ".")),
  settings: {
    proxySecret: null,
    trustProxy: 0,
    isSecure: false,
    webOrigin: null,
  },
});
let authorization: string | undefined;
const server = createServer((request, response) =>
  handle(request, response, () => {
    authorization = request.headers.authorization;
    // As Express answers.
    response.statusCode = 201;
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(JSON.stringify({ token, user }));
  }),
);
let url: string;
beforeAll(async () => {
  url = await listening(server);
});
afterAll(() => stopped(server));

test.each([
  "token",
  "two-factor/verify",
  "passkey",
  "provider/verify",
  "magic-link/verify",
  "email-code/verify",
  "register",
])("in the API's process the response of %s moves its token to the cookie", async (name) => {
  const answer = await ask(url, "POST", `/api/auth/${name}`, { headers: ours, body: "{}" });
  expect(answer).toMatchObject({ status: 201, body: { user } });
  expect(answer.text).not.toContain(token);
  expect(answer.headers["set-cookie"]).toEqual([
    `service_token=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
  ]);
});

test("in the API's process a provider's callback from its site is sent without the cookie", async () => {
  const headers = {
    cookie: `service_token=${token}`,
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "cross-site",
  };
  const sent = (path: string) => ask(url, "POST", path, { headers, body: "state=x" });
  expect((await sent("/api/auth/provider/callback")).status).toBe(201);
  expect(authorization).toBeUndefined();
  expect((await sent("/api/auth/provider/%63allback")).status).toBe(403);
});

test.each([
  ["POST", "/api/products"],
  ["GET", "/api/auth/token"],
  ["POST", "/api/auth/passkeys"],
  ["PATCH", "/api/products/1"],
])("in the API's process %s %s keeps a field called token", async (method, path) => {
  const answer = await ask(url, method, path, { headers: ours });
  expect(answer.body).toEqual({ token, user });
  expect(answer.headers["set-cookie"]).toBeUndefined();
});

test("in the API's process TRACE is refused, and a client that accepts anything gets the API's response", async () => {
  const traced = await ask(url, "TRACE", "/api/products", { headers: ours });
  expect(traced).toMatchObject({ status: 405, body: { error: "Method not allowed here" } });
  const visit = await ask(url, "GET", "/metrics", { headers: { accept: "*/*" } });
  expect(visit).toMatchObject({ status: 201, body: { token, user } });
});
