import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "./support/ask.js";
import { openPair, type Pair } from "./support/fake-api.js";

let pair: Pair;
beforeAll(async () => {
  pair = await openPair({ webUrl: "https://shop.example.com/dashboard" });
});
afterAll(() => pair.close());

const own = "https://shop.example.com";
const host = "internal.example:3001";

test.each([
  ["same-origin", { "sec-fetch-site": "same-origin" }, 200],
  ["none", { "sec-fetch-site": "none" }, 200],
  [
    "same-origin, whatever the Origin",
    { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    200,
  ],
  ["cross-site", { "sec-fetch-site": "cross-site" }, 403],
  ["same-site", { "sec-fetch-site": "same-site" }, 403],
  ["cross-site with the own Origin", { "sec-fetch-site": "cross-site", origin: own }, 403],
  ["an unknown word", { "sec-fetch-site": "friendly" }, 403],
  ["an empty word", { "sec-fetch-site": "" }, 403],
  ["two words", { "sec-fetch-site": ["same-origin", "cross-site"] }, 403],
  ["the own Origin", { origin: own }, 200],
  ["the Origin of the Host, http", { origin: `http://${host}` }, 200],
  ["the Origin of the Host, https", { origin: `https://${host}` }, 200],
  ["a foreign Origin", { origin: "https://evil.example" }, 403],
  ["an Origin that begins like ours", { origin: `${own}.evil.example` }, 403],
  ["another port", { origin: `${own}:444` }, 403],
  ["another scheme than SERVICE_WEB_URL's", { origin: "http://shop.example.com" }, 403],
  ["null", { origin: "null" }, 403],
  ["an empty Origin", { origin: "" }, 403],
  ["neither", {}, 200],
])("%s", async (_, headers, status) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "MKCOL"]) {
    const before = pair.received.length;
    const answer = await ask(pair.url, method, "/api/products/1", {
      headers: { host, ...headers },
    });
    expect([method, answer.status]).toEqual([method, status]);
    expect(pair.received.length - before).toBe(status === 200 ? 1 : 0);
  }
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    expect(
      (await ask(pair.url, method, "/api/products", { headers: { host, ...headers } })).status,
    ).toBe(200);
  }
});

test("a sign-in from another site (login CSRF) never reaches the API", async () => {
  const before = pair.received.length;
  const answer = await ask(pair.url, "POST", "/api/auth/token", {
    headers: { host, "content-type": "text/plain", "sec-fetch-site": "cross-site", origin: "null" },
    body: '{"email":"evil@example.com","password":"attacker"}',
  });
  expect(answer.status).toBe(403);
  expect(answer.body).toEqual({ error: "This request comes from another site" });
  expect(answer.headers["set-cookie"]).toBeUndefined();
  expect(pair.received.length).toBe(before);
});

test("a provider's callback arrives from its site as a form, and nothing else does", async () => {
  const headers = {
    host,
    cookie: "service_token=abcdef",
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "cross-site",
    origin: "https://appleid.apple.com",
  };
  const body = "state=x&code=y";
  const before = pair.received.length;
  const sent = (method: string, path: string) => ask(pair.url, method, path, { headers, body });
  expect((await sent("POST", "/api/auth/provider/callback?x=1")).status).toBe(200);
  expect(pair.received.length - before).toBe(1);
  expect(pair.received.at(-1)?.headers.authorization).toBeUndefined();
  expect(pair.received.at(-1)?.headers.cookie).toBeUndefined();
  for (const [method, path] of [
    ["PUT", "/api/auth/provider/callback"],
    ["POST", "/api/auth/provider/callback/"],
    ["POST", "/api/auth/provider/%63allback"],
    ["POST", "/api/auth/provider%2Fcallback"],
    ["POST", "/api/auth/Provider/callback"],
    ["POST", "/api/auth/provider/verify"],
    ["POST", "/api/auth/provider"],
    ["POST", "/api/auth/identities"],
  ] as const) {
    expect((await sent(method, path)).status, path).toBe(403);
  }
});
