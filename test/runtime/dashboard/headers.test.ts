import { afterEach, expect, test } from "vitest";
import { openWire } from "../../support/http/wire.js";
import { ask } from "./support/ask.js";
import { json, openPair, type Pair } from "./support/fake-api.js";

const proxySecret = "a secret of the tests, thirty-two bytes";

let pair: Pair;
afterEach(() => pair.close());

test("withholds cookies, hop-by-hop headers, headers that Connection lists, and forwarding headers", async () => {
  pair = await openPair();
  const wire = await openWire(pair.url);
  await wire.send(
    [
      "GET /api/products HTTP/1.1",
      "Host: shop.example",
      "Accept: application/json",
      "Accept: text/plain",
      'If-None-Match: "a"',
      "Cookie: service_token=abc; other=1",
      "Connection: keep-alive, X-Private, Authorization",
      "X-Private: 1",
      "Keep-Alive: timeout=5",
      "Proxy-Connection: keep-alive",
      "Proxy-Authorization: Basic eA==",
      "TE: trailers",
      "Trailer: X-End",
      "Expect: 100-continue",
      "Forwarded: for=1.2.3.4",
      "X-Forwarded-For: 1.2.3.4",
      "x_forwarded_proto: https",
      "X-Forwarded-Anything: 1",
      "Service-Dashboard: 1",
      "",
      "",
    ].join("\r\n"),
  );
  await wire.sees(/HTTP\/1\.1 200 /);
  wire.destroy();
  const { accept, ...rest } = pair.received[0]?.headers ?? {};
  expect(accept).toBe("application/json, text/plain");
  expect(rest).toEqual({
    host: new URL(pair.apiUrl).host,
    "if-none-match": '"a"',
    authorization: "Bearer abc",
    connection: "keep-alive",
  });
});

test("passes nothing about the device on without a secret, and drops a browser's headers about it", async () => {
  pair = await openPair();
  await ask(pair.url, "GET", "/api/x", {
    headers: {
      "x-service-proxy-secret": "guess",
      "X-SERVICE-Client-IP": "6.6.6.6",
      x_service_client_browser: "fake",
      authorization: "Bearer stolen",
      "user-agent": "Firefox",
    },
  });
  expect(pair.received[0]?.headers).toEqual({
    host: new URL(pair.apiUrl).host,
    connection: "keep-alive",
    "user-agent": "Firefox",
  });
});

test.each([
  ["nothing", 0, undefined, "127.0.0.1"],
  ["nothing", 0, "9.9.9.9", "127.0.0.1"],
  ["one proxy", 1, "9.9.9.9, 8.8.8.8", "8.8.8.8"],
  ["two proxies", 2, "9.9.9.9,  2001:db8::1 , 8.8.8.8", "2001:db8::1"],
  ["two proxies", 2, "8.8.8.8", "127.0.0.1"],
  ["one proxy", 1, "8.8.8.8, unknown", "127.0.0.1"],
])("trusting %s (%i), X-Forwarded-For %s means %s", async (_, trustProxy, forwarded, address) => {
  pair = await openPair({ proxySecret, trustProxy });
  await ask(pair.url, "GET", "/api/x", {
    headers: {
      "user-agent": "Fir\u00e9fox/1.0 (x)",
      "x-service-client-ip": "6.6.6.6",
      ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
    },
  });
  expect(pair.received[0]?.headers).toEqual({
    host: new URL(pair.apiUrl).host,
    connection: "keep-alive",
    "user-agent": "Fir\u00e9fox/1.0 (x)",
    "x-service-proxy-secret": proxySecret,
    "x-service-client-ip": address,
    "x-service-client-browser": "Fir\u00e9fox/1.0 (x)",
  });
});

test.each([
  ["/api/products", "public, max-age=0, s-maxage=60", "no-store"],
  ["/api/products", "private, no-cache", "no-store"],
  ["/api/_service/files", "public, max-age=60", "no-store"],
  ["/api/_service/files/a/b.webp", "public, max-age=31536000, immutable", null],
  ["/api/%5fservice/files/a/b.webp", "private, max-age=60", null],
])(
  "no cache may store a response, except stored files: %s with %s",
  async (path, control, shown) => {
    pair = await openPair();
    pair.answer = (_request, _incoming, response) =>
      json(response, 200, {}, { "cache-control": control, vary: "Authorization" });
    const { headers } = await ask(pair.url, "GET", path);
    expect(headers["cache-control"]).toBe(shown ?? control);
  },
);

test("responses keep the API's headers, except its cookies, CORS and connection headers", async () => {
  pair = await openPair();
  pair.answer = (_request, _incoming, response) =>
    json(
      response,
      201,
      { id: "1", token: "of a record" },
      {
        "set-cookie": ["a=1", "service_token=evil"],
        "access-control-allow-origin": "*",
        "access-control-allow-credentials": "true",
        connection: "keep-alive, x-hop",
        "x-hop": "1",
        location: "/api/products/1",
        etag: '"abc"',
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'",
        "x-request-id": "r1",
        date: "Sat, 21 Nov 2026 10:00:00 GMT",
      },
    );
  const { status, headers, body } = await ask(pair.url, "POST", "/api/products", { body: "{}" });
  expect({ status, body }).toEqual({ status: 201, body: { id: "1", token: "of a record" } });
  const { "transfer-encoding": _framing, ...rest } = headers;
  expect(rest).toEqual({
    "content-type": "application/json; charset=utf-8",
    location: "/api/products/1",
    etag: '"abc"',
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'",
    "x-request-id": "r1",
    date: "Sat, 21 Nov 2026 10:00:00 GMT",
    connection: "close",
  });
});

test.each([
  [422, { error: "x", issues: [{ path: "name", message: "taken" }] }, {}],
  [429, { error: "x", code: "TOO_MANY_ATTEMPTS" }, { "retry-after": "42" }],
  [409, { error: "x", field: "name" }, {}],
])("passes a %i unchanged", async (status, body, headers) => {
  pair = await openPair();
  pair.answer = (_request, _incoming, response) => json(response, status, body, headers);
  const answer = await ask(pair.url, "POST", "/api/auth/token", { body: "{}" });
  expect(answer).toMatchObject({ status, body, headers });
  expect(answer.headers["set-cookie"]).toBeUndefined();
});
