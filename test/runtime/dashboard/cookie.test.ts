import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "./support/ask.js";
import { json, openPair, type Pair } from "./support/fake-api.js";

const token = "dG9rZW4tb2YtdGhlLXRlc3Rz-_0123456789abcdefg";
const cookie = `service_token=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`;
const cleared = "service_token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax";
const user = { id: "1", name: "Ann", email: "ann@example.com" };

let pair: Pair;
beforeAll(async () => {
  pair = await openPair();
});
afterAll(() => pair.close());

const signIns = [
  "/api/auth/token",
  "/api/auth/two-factor/verify",
  "/api/auth/passkey",
  "/api/auth/provider/verify",
  "/api/auth/magic-link/verify",
  "/api/auth/email-code/verify",
  "/api/auth/register",
];

describe("signing in", () => {
  test.each(signIns)("%s sets the cookie and removes the token", async (path) => {
    pair.answer = (_request, _incoming, response) => json(response, 201, { token, user });
    const answer = await ask(pair.url, "POST", path, {
      body: "{}",
      headers: { "accept-encoding": "gzip, br" },
    });
    expect(answer).toMatchObject({ status: 201, body: { user } });
    expect(answer.headers["set-cookie"]).toEqual([cookie]);
    expect(answer.text).not.toContain(token);
    expect(answer.headers["content-length"]).toBe(String(answer.bytes.length));
    expect(pair.received.at(-1)?.headers["accept-encoding"]).toBe("identity");
  });

  test.each([
    ["POST", "/api/auth/token/x"],
    ["POST", "/api/auth/Token"],
    ["POST", "/api/auth/tokens"],
    ["POST", "/api/products"],
    ["PUT", "/api/auth/token"],
    ["GET", "/api/auth/token"],
    ["POST", "/api/auth/passkeys"],
    ["POST", "/api/auth/provider/id-token"],
    ["POST", "/api/auth/identities"],
    ["POST", "/api/auth/passkey/options"],
  ])("%s %s passes unchanged, with a field called token", async (method, path) => {
    pair.answer = (_request, _incoming, response) => json(response, 200, { token, user });
    const answer = await ask(pair.url, method, path, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(answer.body).toEqual({ token, user });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(pair.received.at(-1)?.headers["accept-encoding"]).toBe("gzip");
  });

  test.each(["/api/auth/tok%65n?x=1", "/api/auth/token/", "/api/auth/token/?x=1"])(
    "%s is a path of a sign-in as well",
    async (path) => {
      pair.answer = (_request, _incoming, response) => json(response, 201, { token, user });
      const answer = await ask(pair.url, "POST", path, { body: "{}" });
      expect(answer.text).not.toContain(token);
      expect(answer.headers["set-cookie"]).toEqual([cookie]);
    },
  );

  test.each([
    ["a second step", 200, { twoFactor: true, challenge: "c", methods: ["totp"] }],
    ["a mail to be read", 200, { emailVerification: true }],
    ["a refusal that speaks of a token", 401, { error: "x", code: "INVALID_TOKEN", token }],
  ])("%s passes unchanged and sets nothing", async (_, status, body) => {
    pair.answer = (_request, _incoming, response) => json(response, status, body);
    const answer = await ask(pair.url, "POST", "/api/auth/token", { body: "{}" });
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test.each([
    ["would end the cookie's value", `a; Domain=evil.example`],
    ["would begin a header", "a\r\nSet-Cookie: x=1"],
    ["is empty", ""],
    ["is not text", 7],
  ])("a token that %s is 502", async (_, bad) => {
    pair.answer = (_request, _incoming, response) => json(response, 201, { token: bad, user });
    const answer = await ask(pair.url, "POST", "/api/auth/token", { body: "{}" });
    expect(answer).toMatchObject({ status: 502, body: { error: "The API did not respond" } });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("a response that breaks off is 502", async () => {
    pair.answer = (_request, _incoming, response) => {
      response.writeHead(201, { "content-type": "application/json", "content-length": 500 });
      response.write(JSON.stringify({ token, user }));
      setTimeout(() => response.destroy(), 50);
    };
    const answer = await ask(pair.url, "POST", "/api/auth/token", { body: "{}" });
    expect(answer.status).toBe(502);
    expect(answer.text).not.toContain(token);
  });

  test("a compressed response, which could hide a token, is 502", async () => {
    pair.answer = (_request, _incoming, response) =>
      json(response, 201, { token, user }, { "content-encoding": "gzip" });
    expect((await ask(pair.url, "POST", "/api/auth/token", { body: "{}" })).status).toBe(502);
  });

  test.each([
    ["https://shop.example.com", `${cookie}; Secure`],
    ["http://shop.example.com", cookie],
  ])("the cookie of %s is %s, whatever X-Forwarded-Proto says", async (webUrl, expected) => {
    const other = await openPair({ webUrl });
    other.answer = (_request, _incoming, response) => json(response, 201, { token, user });
    const answer = await ask(other.url, "POST", "/api/auth/token", {
      body: "{}",
      headers: { "x-forwarded-proto": "https", origin: webUrl },
    });
    expect(answer.headers["set-cookie"]).toEqual([expected]);
    await other.close();
  });
});

describe("the token of a request", () => {
  test.each([
    ["the cookie", `service_token=${token}`, `Bearer ${token}`],
    ["the cookie among others", `a=1; service_token=${token};b=2`, `Bearer ${token}`],
    ["no other cookie", `service_tokens=${token}; Service_Token=${token}`, undefined],
    ["none of two cookies", `service_token=${token}; service_token=evil`, undefined],
    ["nothing for a malformed token", "service_token=a b", undefined],
    ["nothing quoted", `service_token="${token}"`, undefined],
    ["nothing empty", "service_token=", undefined],
  ])("is %s", async (_, sent, authorization) => {
    pair.answer = (_request, _incoming, response) => json(response, 200, {});
    await ask(pair.url, "GET", "/api/x", { headers: { cookie: sent } });
    expect(pair.received.at(-1)?.headers.authorization).toBe(authorization);
    expect(pair.received.at(-1)?.headers.cookie).toBeUndefined();
  });
});

describe("signing out", () => {
  const request = { headers: { cookie: `service_token=${token}` } };

  test.each([204, 401, 429, 500, 503])(
    "clears the cookie if the API answers %i",
    async (status) => {
      pair.answer = (_request, _incoming, response) => json(response, status, undefined);
      const answer = await ask(pair.url, "DELETE", "/api/auth/token", request);
      expect(answer.status).toBe(status);
      expect(answer.headers["set-cookie"]).toEqual([cleared]);
    },
  );

  test("clears the cookie if the API breaks off, and reports it", async () => {
    pair.answer = (_request, incoming) => incoming.socket.resetAndDestroy();
    const answer = await ask(pair.url, "DELETE", "/api/auth/token", request);
    expect(answer).toMatchObject({ status: 502, body: { error: "The API did not respond" } });
    expect(answer.headers["set-cookie"]).toEqual([cleared]);
  });

  test("clears the cookie if the API does not answer in time, and reports it", async () => {
    const slow = await openPair({ forwardLimits: { answerMs: 100 } });
    slow.answer = () => {};
    const answer = await ask(slow.url, "DELETE", "/api/auth/token", request);
    expect(answer).toMatchObject({
      status: 504,
      body: { error: "The API did not respond in time" },
    });
    expect(answer.headers["set-cookie"]).toEqual([cleared]);
    await slow.close();
  });

  test("clears the cookie if another host has planted a second one", async () => {
    pair.answer = (_request, _incoming, response) => json(response, 204, undefined);
    const answer = await ask(pair.url, "DELETE", "/api/auth/token", {
      headers: { cookie: `service_token=${token}; service_token=planted` },
    });
    expect(answer.headers["set-cookie"]).toEqual([cleared]);
    expect(pair.received.at(-1)?.headers.authorization).toBeUndefined();
  });

  test.each(["app_", "view_"])(
    "a request with a token that begins with %s keeps the cookie",
    async (prefix) => {
      pair.answer = (_request, _incoming, response) => json(response, 403, undefined);
      const authorization = `Bearer ${prefix}${"x".repeat(43)}`;
      const answer = await ask(pair.url, "DELETE", "/api/auth/token", {
        headers: { ...request.headers, authorization },
      });
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(pair.received.at(-1)?.headers.authorization).toBe(authorization);
    },
  );

  test("another site cannot sign a user out", async () => {
    const answer = await ask(pair.url, "DELETE", "/api/auth/token", {
      headers: { ...request.headers, "sec-fetch-site": "cross-site" },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });
});

test.each([
  ["a refused token", `service_token=${token}`, 401, "Bearer", [cleared]],
  ["a malformed token", "service_token=a b", 401, "Bearer realm=x", [cleared]],
  ["a 401 without a challenge", `service_token=${token}`, 401, undefined, undefined],
  ["a challenge of another kind", `service_token=${token}`, 401, "Basic", undefined],
  ["a 403", `service_token=${token}`, 403, "Bearer", undefined],
  ["a request without the cookie", "a=1", 401, "Bearer", undefined],
  [
    "two cookies, of which one is right",
    "service_token=a; service_token=b",
    401,
    "Bearer",
    undefined,
  ],
])("%s: Set-Cookie", async (_, sent, status, challenge, expected) => {
  pair.answer = (_request, _incoming, response) =>
    json(
      response,
      status,
      { error: "x" },
      challenge === undefined ? {} : { "www-authenticate": challenge },
    );
  const answer = await ask(pair.url, "GET", "/api/x", { headers: { cookie: sent } });
  expect(answer.status).toBe(status);
  expect(answer.headers["set-cookie"]).toEqual(expected);
});
