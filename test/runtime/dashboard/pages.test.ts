import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "./support/ask.js";
import { openPair, type Pair } from "./support/fake-api.js";
import { script } from "./support/web.js";

let pair: Pair;
beforeAll(async () => {
  pair = await openPair({ look: { name: 'Tea & "Co" <b>', logo: null, colour: "#e8b00c" } });
});
afterAll(() => pair.close());

const policy =
  "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

test.each([
  ["/", { "sec-fetch-mode": "navigate" }],
  ["/data/products/1", { "sec-fetch-mode": "navigate", accept: "*/*" }],
  ["/sign-in/link?token=x&redirectTo=%2Fdata", { accept: "text/html,application/xhtml+xml" }],
  ["/api", { accept: "text/html" }],
  // As curl asks.
  ["/", { accept: "*/*" }],
  ["/data/products?q=a.b", { accept: "application/json;q=0.5, */*;q=0.1" }],
  ["/data/a.b/", { accept: "*/*" }],
])("%s requested with %j is the page", async (path, headers) => {
  const answer = await ask(pair.url, "GET", path, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
  expect(answer.text).toContain("<title>Tea &amp; &quot;Co&quot; &lt;b&gt;</title>");
  expect(pair.received).toEqual([]);
  const head = await ask(pair.url, "HEAD", path, { headers });
  expect(head).toMatchObject({ status: 200, text: "" });
  expect(head.headers["content-length"]).toBe(answer.headers["content-length"]);
});

test.each([
  ["GET", "/data", {}],
  ["GET", "/data", { accept: "application/json" }],
  ["GET", "/assets/old.js", { "sec-fetch-mode": "no-cors", accept: "text/html" }],
  ["GET", "/data", { "sec-fetch-mode": "cors", accept: "text/html" }],
  ["POST", "/", { "sec-fetch-mode": "navigate", accept: "text/html" }],
  ["GET", "/assets/main-abc12345.js.br", {}],
  ["GET", "/index.html", {}],
  ["GET", "/index.html", { accept: "*/*" }],
  ["GET", "/favicon.ico", { accept: "*/*" }],
  ["GET", "/", { accept: "*/*;q=0" }],
  ["GET", "/", { accept: "text/html;q=0" }],
  ["GET", "/", { accept: "text/*" }],
  ["GET", "/", { "sec-fetch-mode": "no-cors", accept: "*/*" }],
  ["POST", "/", { accept: "*/*" }],
])("%s %s with %j is 404", async (method, path, headers) => {
  const answer = await ask(pair.url, method, path, { headers });
  expect(answer).toMatchObject({ status: 404, body: { error: "Not found" } });
});

test.each([
  ["br, gzip", "br", brotliDecompressSync],
  ["gzip;q=0.5, br;q=0", "gzip", gunzipSync],
  ["identity", undefined, (bytes: Buffer) => bytes],
])("a file with a hash in its name, for Accept-Encoding %s", async (accepted, coding, decoded) => {
  const headers = { "accept-encoding": accepted };
  const answer = await ask(pair.url, "GET", "/assets/main-abc12345.js", { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers["content-encoding"]).toBe(coding);
  expect(answer.headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(answer.headers["content-security-policy"]).toBeUndefined();
  expect(decoded(answer.bytes).toString()).toBe(script);
});

test("the owner's colours are a separate style sheet, named by its hash", async () => {
  const page = await ask(pair.url, "GET", "/", { headers: { accept: "text/html" } });
  const [, path = ""] = /href="(\/assets\/palette-[\w-]{10}\.css)"/.exec(page.text) ?? [];
  const sheet = await ask(pair.url, "GET", path);
  expect(sheet.headers).toMatchObject({
    "content-type": "text/css; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(sheet.text).toContain("--accent: light-dark(#e8b00c, #e8b00c);");
  expect(sheet.headers["content-encoding"]).toBeUndefined();
  for (const [coding, decoded] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const headers = { "accept-encoding": coding };
    const coded = await ask(pair.url, "GET", path, { headers });
    expect(coded.headers).toMatchObject({ "content-encoding": coding, vary: "Accept-Encoding" });
    expect(decoded(coded.bytes).toString()).toBe(sheet.text);
    expect(coded.bytes.length).toBeLessThan(sheet.bytes.length / 2);
    const head = await ask(pair.url, "HEAD", path, { headers });
    expect(head.headers["content-length"]).toBe(coded.headers["content-length"]);
  }
});

test.each([
  ["/", {}, true],
  ["/data/products", {}, true],
  ["/oauth/authorize?client_id=x", {}, true],
  ["/data/products", { cookie: "service_token=abc" }, false],
  ["/sign-in", {}, false],
  ["/sign-in/link?token=x", {}, false],
  ["/register", {}, false],
  ["/verify-email", {}, false],
  ["/change-email?token=x", {}, false],
  ["/forgot-password", {}, false],
  ["/reset-password?token=x", {}, false],
])("%s with %j begins at the sign-in: %s", async (path, headers, isSignedOut) => {
  const answer = await ask(pair.url, "GET", path, {
    headers: { accept: "text/html", ...headers },
  });
  expect(answer.text.includes('<meta name="signed-out">')).toBe(isSignedOut);
  expect(answer.headers.vary).toBe("Sec-Fetch-Mode, Accept, Cookie");
});
