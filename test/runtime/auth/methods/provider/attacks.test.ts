import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { maxExpiry } from "../../../../../runtime/auth/methods/provider/protocol/id-token.js";
import { type Claims, sha256, type TokenParts } from "../../../../support/accounts/provider.js";
import { client } from "../../../../support/http/client.js";
import { person } from "../../support/people.js";
import { type ProviderServer, startProviders, webUrl } from "../../support/providers.js";
import { addUntilPruned } from "../../support/pruning.js";
import { forgetProof } from "../../support/rows.js";

let server: ProviderServer;

const settings = (url: string) => `
  registration: true
  providers:
    acme: { issuer: "${url}/acme", client_id: shop, client_secret: s, client_ids: [shop-ios] }
    other: { issuer: "${url}/other", client_id: shop, client_secret: s }
`;

beforeAll(async () => {
  server = await startProviders(settings);
});
afterAll(() => server.close());
afterEach(() => {
  Object.assign(server.provider.lies, { token: undefined, metadata: undefined, answer: undefined });
});

const ada = { sub: "ada", email: "ada@example.com", email_verified: true };

/** What comes of a sign-in whose ID token is changed so. */
async function withToken(token: (parts: TokenParts) => TokenParts | string | Promise<string>) {
  server.provider.lies.token = token;
  const { ticket, error } = await server.back("acme", ada);
  server.provider.lies.token = undefined;
  return ticket === null ? error : "accepted";
}

const changed =
  (more: Claims) =>
  ({ claims, header }: TokenParts): TokenParts => ({ claims: { ...claims, ...more }, header });

const unsigned = ({ claims, header }: TokenParts, alg: string) =>
  [{ ...header, alg }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");

/** A token that is signed over claims in words of its own. */
const rawClaims =
  (change: (json: string) => string) =>
  ({ claims, header }: TokenParts) =>
    server.provider.signText(change(JSON.stringify(claims)), header);

const seconds = () => Math.floor(server.services.clock.now().getTime() / 1000);

test("a valid token is accepted", async () => {
  expect(await withToken((parts) => parts)).toBe("accepted");
  expect(await withToken(changed({ aud: ["shop", "shop-ios"], azp: "shop" }))).toBe("accepted");
  expect(await withToken(changed({ aud: "shop-ios" }))).toBe("accepted");
  expect(await withToken(changed({ exp: seconds() - 50 }))).toBe("accepted");
  expect(await withToken(changed({ iat: seconds() + 50 }))).toBe("accepted");
});

test.each<[string, (parts: TokenParts) => TokenParts | string | Promise<string>]>([
  ["another audience", changed({ aud: "shop-of-mallory" })],
  ["one more audience", changed({ aud: ["shop", "shop-of-mallory"], azp: "shop" })],
  ["no audience", changed({ aud: undefined })],
  ["another authorized party", changed({ azp: "shop-of-mallory" })],
  ["another issuer", (parts) => changed({ iss: `${server.provider.url}/other` })(parts)],
  ["another nonce", changed({ nonce: "another" })],
  ["no nonce", changed({ nonce: undefined })],
  ["no subject", changed({ sub: undefined })],
  ["an empty subject", changed({ sub: "" })],
  ["a subject that is a number", changed({ sub: 7 })],
  ["a long subject", changed({ sub: "x".repeat(256) })],
  ["a subject with NUL", changed({ sub: "a\u0000b" })],
  ["a subject with an unpaired surrogate", changed({ sub: "a\ud800b" })],
  ["a list of subjects", changed({ sub: ["ada"] })],
  ["an expiry that no date has", changed({ exp: 1e13 })],
  ["an expiry just beyond the last date", changed({ exp: 8_640_000_000_001 })],
  ["the greatest expiry", changed({ exp: Number.MAX_VALUE })],
  ["an endless expiry", rawClaims((json) => json.replace(/"exp":\d+/, '"exp":1e999'))],
  ["an expiry as text", changed({ exp: "1893456300" })],
  ["a nonce in a list", (parts) => changed({ nonce: [parts.claims.nonce] })(parts)],
  ["an issuer with NUL", (parts) => changed({ iss: `${parts.claims.iss}\u0000` })(parts)],
  ["an audience with NUL", changed({ aud: "shop\u0000" })],
  ["an expiry a minute ago", (parts) => changed({ exp: seconds() - 61 })(parts)],
  ["no expiry", changed({ exp: undefined })],
  ["an issue in the future", (parts) => changed({ iat: seconds() + 61 })(parts)],
  ["alg none", (parts) => `${unsigned(parts, "none")}.`],
  ["alg none with a signature", (parts) => `${unsigned(parts, "nOnE")}.eA`],
  [
    "HMAC with the client's secret",
    (parts) => {
      const input = unsigned(parts, "HS256");
      return `${input}.${createHmac("sha256", "s").update(input).digest("base64url")}`;
    },
  ],
  [
    "HMAC with the public key",
    async (parts) => {
      const { keys } = (await (await fetch(`${server.provider.url}/jwks`)).json()) as {
        keys: { n: string }[];
      };
      const input = unsigned(parts, "HS256");
      const key = Buffer.from(keys[0]?.n ?? "", "base64url");
      return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
    },
  ],
  [
    "a key in its header",
    ({ claims, header }) => {
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const jwk = publicKey.export({ format: "jwk" });
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: "RS256", ...header, jwk } as never)
        .sign(privateKey);
    },
  ],
  ["no token at all", () => ""],
  ["no signature", (parts) => unsigned(parts, "RS256")],
  ["an encrypted token", () => "a.b.c.d.e"],
])("refuses %s", async (_, token) => {
  expect(await withToken(token)).toBe("INVALID_TOKEN");
});

test.each<[string, Claims]>([
  ["an address with NUL", { email: "a\u0000@example.com" }],
  ["an address with an unpaired surrogate", { email: "\ud800@example.com" }],
  ["an address that is an object", { email: { a: 1 } }],
  ["a name with NUL", { name: "a\u0000" }],
  ["a name with an unpaired surrogate", { name: "\udc00" }],
  ["a name that is a list", { name: ["a"] }],
  ["other claims that are stored nowhere", { jti: "\u0000", sid: "\ud800", groups: ["\u0000"] }],
  ["an expiry in milliseconds", { exp: 1_893_456_300_000 }],
  ["the last accepted expiry", { exp: maxExpiry }],
  ["an issue long ago", { iat: -Number.MAX_VALUE }],
])("%s is accepted", async (_, claims) => {
  const sub = `odd ${_}`;
  const email = `odd-${_.length}@example.com`;
  const found = await server.signIn("acme", { sub, email, email_verified: true, ...claims });
  expect([201, 403]).toContain(found.status);
  const sent = await idToken({ sub: `${sub} again`, email, email_verified: true, ...claims });
  const reply = await server.anonymous.post("/auth/provider/id-token", sent);
  expect([201, 403], reply.text).toContain(reply.status);
});

test.each<[string, Claims]>([
  ["a subject with NUL", { sub: "a\u0000b" }],
  ["a subject with an unpaired surrogate", { sub: "\ud800" }],
  ["an expiry that no date has", { exp: 1e13 }],
  ["an expiry just beyond the last date", { exp: 8_640_000_000_001 }],
  ["an expiry that could not be remembered", { exp: maxExpiry + 1 }],
])("an ID token of a native app with %s is refused", async (_, claims) => {
  const sent = await idToken({ ...ada, ...claims });
  const reply = await server.anonymous.post("/auth/provider/id-token", sent);
  expect(reply.status, reply.text).toBe(401);
  expect(reply.body).toMatchObject({ code: "INVALID_TOKEN" });
});

/** The lines logged at `warn` meanwhile. */
async function warnings(work: () => Promise<unknown>): Promise<readonly unknown[][]> {
  const logged = vi.spyOn(server.services.log, "warn");
  await work();
  const calls = logged.mock.calls.map((call): unknown[] => [...call]);
  logged.mockRestore();
  return calls;
}

const refusedFor = (reason: string) => [
  [{ provider: "acme", reason }, "a sign-in with a provider was refused"],
];

test.each<[string, Claims]>([
  ["it has expired (exp)", { exp: 1 }],
  ["it is for another client (aud, azp)", { aud: "mallory" }],
  ["it belongs to another sign-in (nonce)", { nonce: "m" }],
  ["it has another issuer (iss)", { iss: "https://mallory.test" }],
  ["sub is missing", { sub: undefined }],
  ["iss, sub, iat or exp has an invalid value", { sub: "\u0000" }],
])("a refused ID token is a line in the log: %s", async (reason, claims) => {
  const lines = await warnings(() => withToken(changed(claims)));
  expect(lines).toEqual(refusedFor(reason));
  const sent = await idToken({ ...ada, ...claims });
  const native = await warnings(() => server.anonymous.post("/auth/provider/id-token", sent));
  expect(native).toEqual(refusedFor(reason));
});

test.each([
  ["invalid_client", "invalid_client"],
  ["ann@example.com is not a user", "a non-standard error"],
])("for the error %s of a provider the log has: %s", async (error, reason) => {
  const text = "ann@example.com";
  const atToken = await warnings(async () => {
    server.provider.lies.answer = (path, response) => {
      if (!path.startsWith("/token/")) return false;
      const head = { "content-type": "application/json" };
      response.writeHead(400, head).end(JSON.stringify({ error, error_description: text }));
      return true;
    };
    expect((await server.back("acme", ada)).error).toBe("INVALID_TOKEN");
  });
  server.provider.lies.answer = undefined;
  const inBrowser = await warnings(async () => {
    const query = { code: null, error, error_description: text };
    expect((await server.back("acme", ada, { query })).error).toBe("ACCESS_DENIED");
  });
  expect([atToken, inBrowser]).toEqual([refusedFor(reason), refusedFor(reason)]);
});

test("a status that HTTP does not have counts as no response", async () => {
  server.provider.lies.answer = (path, response) => {
    if (!path.startsWith("/token/")) return false;
    response.socket?.end("HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n{}");
    return true;
  };
  expect((await server.back("acme", ada)).error).toBe("PROVIDER_UNAVAILABLE");
});

test("a token whose subject was swapped after it was signed", async () => {
  const swapped = await withToken(async (parts) => {
    const [header, , signature] = (await server.provider.sign(parts.claims, parts.header)).split(
      ".",
    );
    const claims = Buffer.from(JSON.stringify({ ...parts.claims, sub: "victim" }));
    return [header, claims.toString("base64url"), signature].join(".");
  });
  expect(swapped).toBe("INVALID_TOKEN");
});

test("better-auth before 1.7.4, PocketBase CVE-2024-38351: an unverified address links nothing", async () => {
  const victim = await server.account("victim");
  for (const email_verified of [false, undefined, "false", 1]) {
    const reply = await server.signIn("acme", { sub: "mallory", email: victim, email_verified });
    expect(reply.status).toBe(403);
    expect(reply.body.code).toBe("ACCOUNT_NOT_LINKED");
  }
});

test("PocketBase CVE-2026-44166: an account made before its address was verified loses its access when the owner signs in", async () => {
  const mallory = await person(server, "owned");
  const { ticket, secret } = await server.back("acme", { sub: "first", email: "m@example.com" });
  const linked = await mallory.caller.post("/auth/identities", { ticket, secret });
  expect(linked.status, linked.text).toBe(201);
  await forgetProof(server, mallory.email);
  const owner = { sub: "owner", email: mallory.email, email_verified: true };
  expect((await server.signIn("acme", owner)).status).toBe(201);
  expect((await mallory.caller.get("/auth/me")).status).toBe(401);
  const back = await server.signIn("acme", { sub: "first", email: mallory.email });
  expect(back.body.code).toBe("ACCOUNT_NOT_LINKED");
});

test("login CSRF: a ticket does not work in another browser, and stays valid for its own", async () => {
  const { ticket, secret } = await server.back("acme", ada);
  const other = randomBytes(32).toString("base64url");
  for (const wrong of [other, "", sha256(secret)]) {
    const reply = await server.anonymous.post("/auth/provider/verify", { ticket, secret: wrong });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ code: "INVALID_TOKEN" });
  }
  const right = await server.anonymous.post("/auth/provider/verify", { ticket, secret });
  expect(right.status).toBe(201);
});

test("a ticket works once, for one of twenty concurrent attempts", async () => {
  const { ticket, secret } = await server.back("acme", ada);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      server.anonymous.post("/auth/provider/verify", { ticket, secret }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(401)]);
});

test("a ticket works for a minute, and a refused one is consumed too", async () => {
  const late = await server.back("acme", ada);
  server.clock.moveOn(61);
  const { ticket, secret } = late;
  expect((await server.anonymous.post("/auth/provider/verify", { ticket, secret })).status).toBe(
    401,
  );
  const stranger = await server.back("acme", { ...ada, sub: "stranger", email_verified: false });
  const sent = { ticket: stranger.ticket, secret: stranger.secret };
  expect((await server.anonymous.post("/auth/provider/verify", sent)).status).toBe(403);
  expect((await server.anonymous.post("/auth/provider/verify", sent)).status).toBe(401);
});

async function begin(name = "acme"): Promise<string> {
  const { body } = await server.anonymous.post<{ url: string }>("/auth/provider", {
    provider: name,
    challenge: sha256("secret"),
    returnTo: webUrl,
  });
  return body.url;
}

async function callback(query: URLSearchParams | string, method = "GET") {
  const reply =
    method === "POST"
      ? await server.anonymous.send("POST", "/auth/provider/callback", {
          text: String(query),
          headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
        })
      : await server.anonymous.send(method, `/auth/provider/callback?${query}`);
  const { location } = reply.headers;
  if (location === undefined) return (reply.body as { code?: string } | null)?.code ?? reply.status;
  const { searchParams } = new URL(location);
  return searchParams.get("error") ?? "ticket";
}

test.each(["GET", "POST"])("a state works once and for ten minutes, by %s", async (method) => {
  expect(await callback("", method)).toBe("INVALID_TOKEN");
  expect(await callback("state=unknown&code=x", method)).toBe("INVALID_TOKEN");
  expect(await callback("state=unknown&error=access_denied", method)).toBe("INVALID_TOKEN");
  const query = server.provider.approve(await begin(), ada);
  expect(await callback(query, method)).toBe("ticket");
  expect(await callback(query, method)).toBe("INVALID_TOKEN");
  const late = server.provider.approve(await begin(), ada);
  server.clock.moveOn(601);
  expect(await callback(late, method)).toBe("INVALID_TOKEN");
});

test("twenty concurrent callbacks create one ticket", async () => {
  const query = server.provider.approve(await begin(), ada);
  const found = await Promise.all(Array.from({ length: 20 }, () => callback(query)));
  expect(found.filter((one) => one === "ticket")).toHaveLength(1);
  expect(found.filter((one) => one === "INVALID_TOKEN")).toHaveLength(19);
});

test("a HEAD request to the callback does not consume its state", async () => {
  const query = server.provider.approve(await begin(), ada);
  expect(await callback(query, "HEAD")).toBe(204);
  expect(await callback(query)).toBe("ticket");
});

test.each(["GET", "POST"])(
  "an error of the provider wins over a code, and consumes the state, by %s",
  async (method) => {
    const query = server.provider.approve(await begin(), ada);
    query.set("error", "server_error");
    expect(await callback(query, method)).toBe("ACCESS_DENIED");
    query.delete("error");
    expect(await callback(query, method)).toBe("INVALID_TOKEN");
  },
);

test("a code of another sign-in, or sent twice, is refused", async () => {
  const stolen = server.provider.approve(await begin(), ada);
  const own = server.provider.approve(await begin(), { sub: "mallory" });
  const code = stolen.get("code") ?? "";
  const injected = new URLSearchParams({ state: own.get("state") ?? "", code });
  expect(await callback(injected)).toBe("INVALID_TOKEN");
  const twice = server.provider.approve(await begin(), ada);
  twice.append("code", "another");
  expect(await callback(twice)).toBe("INVALID_TOKEN");
  const none = server.provider.approve(await begin(), ada);
  none.delete("code");
  expect(await callback(none)).toBe("INVALID_TOKEN");
});

test("mixed-up issuers: a response that names another provider as its issuer is refused", async () => {
  const { error } = await server.back("acme", ada, {
    query: { iss: `${server.provider.url}/other` },
  });
  expect(error).toBe("INVALID_TOKEN");
  const right = await server.back("acme", ada, { query: { iss: `${server.provider.url}/acme` } });
  expect(right.ticket).not.toBeNull();
  server.provider.lies.metadata = { authorization_response_iss_parameter_supported: true };
  expect((await server.back("acme", ada)).error).toBe("INVALID_TOKEN");
  // Equal subjects of two providers are two people.
  server.provider.lies.metadata = undefined;
  const elsewhere = await server.signIn("other", { ...ada, email_verified: false });
  expect(elsewhere.body.code).toBe("ACCOUNT_NOT_LINKED");
});

async function idToken(claims: Claims, more: { nonce?: string; provider?: string } = {}) {
  const iat = seconds();
  const iss = `${server.provider.url}/acme`;
  const token = await server.provider.sign({
    iss,
    aud: "shop-ios",
    iat,
    exp: iat + 300,
    nonce: "n",
    ...claims,
  });
  return {
    provider: more.provider ?? "acme",
    idToken: token,
    nonce: more.nonce ?? "n",
  };
}

test("an ID token of a native app is accepted once", async () => {
  await server.services.db.query("delete from service.provider_tokens");
  const sent = await idToken(ada);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => server.anonymous.post("/auth/provider/id-token", sent)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(401)]);
  // Other bytes that decode to the same signature are the same token.
  const [head, claims, signature = ""] = sent.idToken.split(".");
  const again = { ...sent, idToken: [head, claims, `${signature}=`].join(".") };
  expect((await server.anonymous.post("/auth/provider/id-token", again)).status).toBe(401);
  // For long enough that PostgreSQL's clock does not forget it while ours still takes it.
  const kept = await server.services.db.query(
    "select extract(epoch from expires_at)::int as until from service.provider_tokens",
  );
  const exp = Number(JSON.parse(Buffer.from(claims ?? "", "base64url").toString()).exp);
  expect(kept).toContainEqual({ until: exp + 60 + 3600 });
});

test("expired ID tokens are forgotten as others arrive, and valid ones are not", async () => {
  const { db } = server.services;
  const send = async (sent: object) =>
    (await server.anonymous.post("/auth/provider/id-token", sent)).status;
  const sent = await idToken({ ...ada, jti: "first" });
  expect(await send(sent)).toBe(201);
  await db.query(
    `insert into service.provider_tokens (token_hash, expires_at)
     select sha256(('expired' || n)::bytea), '2020-01-01' from generate_series(1, 3) n`,
  );
  const expired = () =>
    db.query("select from service.provider_tokens where expires_at = '2020-01-01'");
  await addUntilPruned(expired, async (at) => {
    expect(await send(await idToken({ ...ada, jti: String(at) }))).toBe(201);
  });
  expect(await send(sent)).toBe(401);
});

test("an ID token with another nonce, audience or provider is refused", async () => {
  for (const sent of [
    await idToken(ada, { nonce: "m" }),
    await idToken({ ...ada, aud: "mallory" }),
    await idToken({ ...ada, azp: "mallory" }),
    await idToken(ada, { provider: "other" }),
    await idToken({ ...ada, exp: seconds() - 100 }),
    { provider: "acme", idToken: "x", nonce: "n" },
  ]) {
    const reply = await server.anonymous.post("/auth/provider/id-token", sent);
    expect(reply.status, reply.text).toBe(401);
    expect(reply.body).toMatchObject({ code: "INVALID_TOKEN" });
  }
  const unknown = await server.anonymous.post("/auth/provider/id-token", {
    ...(await idToken(ada)),
    provider: "nobody",
  });
  expect(unknown.status).toBe(422);
});

test("addresses are compared in one normal form, and in no other way", async () => {
  const email = await server.account("Case");
  expect(email).toBe("Case@example.com");
  await server.services.db.query("update service.users set email = lower(email) where email = $1", [
    email,
  ]);
  const other = await server.signIn("acme", {
    sub: "upper",
    email: " CASE@EXAMPLE.COM",
    email_verified: true,
  });
  expect(other.body).toMatchObject({ user: { email: "case@example.com" } });
  for (const [sub, given] of [
    ["dots", "c.ase@example.com"],
    ["plus", "case+x@example.com"],
    ["idn", "case@bücher.example"],
  ] as const) {
    const reply = await server.signIn("acme", { sub, email: given, email_verified: true });
    expect(reply.body).not.toMatchObject({ user: { email: "case@example.com" } });
    expect(reply.status).toBe(201);
  }
  for (const given of ["not an address", "cäse@example.com", '"case"@example.com', 7]) {
    const reply = await server.signIn("acme", { sub: "odd", email: given, email_verified: true });
    expect(reply.status).toBe(403);
  }
});

test("without providers the paths do not exist", async () => {
  const { startAuth } = await import("../../support/server.js");
  const plain = await startAuth();
  try {
    const caller = client(plain.url, null);
    for (const [method, path] of [
      ["POST", "/auth/provider"],
      ["GET", "/auth/provider/callback"],
      ["POST", "/auth/provider/callback"],
      ["POST", "/auth/provider/verify"],
      ["POST", "/auth/provider/id-token"],
      ["GET", "/auth/identities"],
      ["POST", "/auth/identities"],
      ["DELETE", "/auth/identities/01b8dac5-db10-74e5-97a7-fbb07876d59c"],
    ] as const) {
      expect((await caller.send(method, path, { text: "{}" })).status, path).toBe(404);
    }
    const { body } = await caller.get("/auth/config");
    expect(Object.keys(body)).not.toContain("providers");
  } finally {
    await plain.close();
  }
});
