import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ProviderServer, startProviders, webUrl } from "../../support/providers.js";

let server: ProviderServer;

// Each has a provider of its own, whose keys are asked for again.
const names = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
const settings = (url: string) => `
  registration: true
  providers:
${names.map((name) => `    ${name}: { issuer: "${url}/${name}", client_id: shop, client_secret: s }`).join("\n")}
`;

beforeAll(async () => {
  server = await startProviders(settings);
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(server.provider.lies, { answer: undefined, metadata: undefined });
  server.provider.asked.length = 0;
});

const ada = { sub: "ada", email: "ada@example.com", email_verified: true };

function begin(provider: string) {
  return server.anonymous.post<{ code?: string }>("/auth/provider", {
    provider,
    challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    returnTo: webUrl,
  });
}

const huge = "x".repeat(1_100_000);
const answers: readonly [string, (response: ServerResponse) => void][] = [
  ["500", (response) => response.writeHead(500).end("{}")],
  ["no JSON", (response) => response.writeHead(200).end("<html>")],
  ["404", (response) => response.writeHead(404).end("{}")],
  ["a redirect", (response) => response.writeHead(302, { location: "/loop" }).end()],
  [
    "more than 1 MB",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ huge }));
    },
  ],
  ["a broken answer", (response) => response.socket?.destroy()],
];

test.each(answers)(
  "metadata that is %s: 503, and fetched again the next time",
  async (_, answer) => {
    server.provider.lies.answer = (path, response) => {
      if (!path.includes("/.well-known/")) return false;
      answer(response);
      return true;
    };
    const refused = await begin("a");
    expect(refused.status, refused.text).toBe(503);
    expect(refused.body.code).toBe("PROVIDER_UNAVAILABLE");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(server.provider.asked).toHaveLength(1);
    server.provider.lies.answer = undefined;
    expect((await begin("a")).status).toBe(200);
  },
);

test.each([
  ["another issuer", { issuer: "https://evil.test" }],
  ["no token endpoint", { token_endpoint: undefined }],
  ["a script to go to", { authorization_endpoint: "javascript:alert(1)" }],
  ["keys that others could change", { jwks_uri: "http://evil.test/jwks" }],
])("metadata with %s: 503", async (_, metadata) => {
  server.provider.lies.metadata = metadata;
  expect((await begin("a")).body.code).toBe("PROVIDER_UNAVAILABLE");
});

test("metadata in the same words, but no longer as a valid response: 503", async () => {
  expect((await begin("a")).status).toBe(200);
  const known = await fetch(`${server.provider.url}/a/.well-known/openid-configuration`);
  const words = await known.text();
  server.provider.lies.answer = (_path, response) => {
    response.writeHead(404, { "content-type": "application/json" }).end(words);
    return true;
  };
  expect((await begin("a")).body.code).toBe("PROVIDER_UNAVAILABLE");
});

test("a slow provider fails after five seconds, and other sign-in methods work", async () => {
  let drip: NodeJS.Timeout | undefined;
  server.provider.lies.answer = (path, response) => {
    if (path.startsWith("/a/")) {
      // Something of the answer comes all the time.
      response.writeHead(200, { "content-type": "application/json" }).write("{");
      drip = setInterval(() => response.write(" "), 100);
    }
    return path.includes("/.well-known/");
  };
  const started = performance.now();
  const slow = begin("b");
  const dripping = begin("a");
  const email = await server.account("meanwhile");
  const password = await server.anonymous.post("/auth/token", {
    email,
    password: "right password",
  });
  expect(password.status).toBe(201);
  expect((await slow).body.code).toBe("PROVIDER_UNAVAILABLE");
  expect((await dripping).body.code).toBe("PROVIDER_UNAVAILABLE");
  clearInterval(drip);
  // Neither of them would ever have ended.
  expect(performance.now() - started).toBeGreaterThan(4900);
});

test.each(["/token/c", "/jwks"])(
  "a failure at %s is reported to the page that started the sign-in",
  async (where) => {
    const name = where === "/jwks" ? "d" : "c";
    server.provider.lies.answer = (path, response) => {
      if (path !== where) return false;
      response.writeHead(503).end();
      return true;
    };
    expect((await server.back(name, ada)).error).toBe("PROVIDER_UNAVAILABLE");
    server.provider.lies.answer = undefined;
    expect((await server.back(name, ada)).ticket).not.toBeNull();
  },
);

test.each([
  ["/token/c", "c", "INVALID_TOKEN"],
  ["/jwks", "h", "PROVIDER_UNAVAILABLE"],
  ["/userinfo", "c", "INVALID_TOKEN"],
])("a redirect of %s is not followed", async (where, name, error) => {
  server.provider.lies.answer = (path, response) => {
    if (path !== where) return false;
    response.writeHead(307, { location: `${where}-again` }).end();
    return true;
  };
  expect((await server.back(name, { sub: "ada" })).error).toBe(error);
  expect(server.provider.asked.filter((one) => one.endsWith(where))).toHaveLength(1);
  expect(server.provider.asked.filter((one) => one.endsWith("-again"))).toEqual([]);
});

test("keys of 10 MB are not read", async () => {
  server.provider.lies.answer = (path, response) => {
    if (path !== "/jwks") return false;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"keys":[],"x":"${"x".repeat(10_000_000)}"}`);
    return true;
  };
  expect((await server.back("e", ada)).error).toBe("PROVIDER_UNAVAILABLE");
});

test("an unknown key has the keys fetched again, once a minute", async () => {
  const fetched = () => server.provider.asked.filter((one) => one === "GET /jwks").length;
  expect((await server.back("f", ada)).ticket).not.toBeNull();
  expect(fetched()).toBe(1);
  await server.provider.changeKeys("second");
  expect((await server.back("f", ada)).ticket).not.toBeNull();
  expect(fetched()).toBe(2);
  await server.provider.changeKeys("third");
  expect((await server.back("f", ada)).error).toBe("INVALID_TOKEN");
  expect((await server.back("f", ada)).error).toBe("INVALID_TOKEN");
  expect(fetched()).toBe(2);
  server.clock.moveOn(61);
  expect((await server.back("f", ada)).ticket).not.toBeNull();
  expect(fetched()).toBe(3);
});

test("concurrent sign-ins share one request for the metadata", async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => begin("g")));
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(server.provider.asked.length).toBeLessThan(10);
});
