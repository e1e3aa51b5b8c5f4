import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { tenant } from "../../../../support/accounts/provider.js";
import { type ProviderServer, startProviders } from "../../support/providers.js";

let server: ProviderServer;

const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = key.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const otherTenant = "99999999-2222-4333-8444-555555555555";

const settings = (url: string) => `
  registration: true
  providers:
    github: { issuer: "${url}", client_id: octo, client_secret: s }
    apple: { issuer: "${url}", client_id: com.example.shop.web, team_id: TEAM012345, key_id: KEY0123456, private_key: "\${APPLE_KEY}", client_ids: [com.example.shop] }
    microsoft: { issuer: "${url}", tenant: ${tenant}, client_id: entra, client_secret: s, trust_email: true }
    google: { issuer: "${url}", client_id: goo, client_secret: s }
`;

const byOtherClaims = (url: string) => `
  registration: true
  providers:
    github: { issuer: "${url}", client_id: octo, client_secret: s, email_claim: notification_email }
    microsoft: { issuer: "${url}", tenant: ${tenant}, client_id: entra, client_secret: s, trust_email: true, email_claim: upn }
    acme: { issuer: "${url}/acme", client_id: shop, client_secret: s, email_claim: preferred_username }
`;

const manyTenants = (url: string) => `
  registration: true
  providers:
    microsoft: { issuer: "${url}", tenant: organizations, client_id: entra, client_secret: s, trust_email: true }
`;

beforeAll(async () => {
  server = await startProviders(settings, { APPLE_KEY: pem.replaceAll("\n", "\\n") });
});
afterAll(() => server.close());
afterEach(() => {
  Object.assign(server.provider.lies, { token: undefined, metadata: undefined, answer: undefined });
});

const emails = (...list: [string, boolean, boolean][]) =>
  list.map(([email, primary, verified]) => ({ email, primary, verified, visibility: null }));

test("GitHub's account is its number, and its address the primary verified one", async () => {
  const { provider } = server;
  provider.github = {
    user: { id: 583231, login: "octocat", name: "The Octocat", email: "public@example.com" },
    emails: emails(["second@example.com", false, true], ["octo@example.com", true, true]),
  };
  provider.asked.length = 0;
  const { url, ticket, secret } = await server.back("github", {});
  expect(url.startsWith(`${provider.url}/login/oauth/authorize?`)).toBe(true);
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    scope: "read:user user:email",
    code_challenge_method: "S256",
  });
  const reply = await server.anonymous.post("/auth/provider/verify", { ticket, secret });
  expect(reply.body).toMatchObject({ user: { name: "The Octocat", email: "octo@example.com" } });
  expect(provider.asked).toEqual([
    "POST /login/oauth/access_token",
    "GET /api/v3/user",
    "GET /api/v3/user/emails",
  ]);
  provider.github = { user: { id: 583231, login: "renamed" }, emails: [] };
  expect((await server.signIn("github", {})).status).toBe(201);
});

test("the issuer in GitHub's response may be its address or missing, and nothing else", async () => {
  const { provider } = server;
  provider.github = { user: { id: 583232, login: "named" }, emails: [] };
  const errorFor = async (iss: string | null) =>
    (await server.back("github", {}, { query: { iss } })).error;
  for (const iss of [`${provider.url}/login/oauth`, provider.url, null]) {
    expect(await errorFor(iss), `${iss}`).toBe(null);
  }
  for (const iss of ["https://github.com/login/oauth", `${provider.url}/login`, ""]) {
    expect(await errorFor(iss), iss).toBe("INVALID_TOKEN");
  }
});

test.each([
  [
    "an unverified primary address",
    emails(["u@example.com", true, false], ["v@example.com", false, true]),
  ],
  ["no address", []],
  ["no list", { message: "Not Found" }],
])("GitHub verifies no address with %s", async (_, list) => {
  server.provider.github = { user: { id: 4711, login: "x", email: "x@example.com" }, emails: list };
  expect((await server.signIn("github", {})).body.code).toBe("ACCOUNT_NOT_LINKED");
});

test("GitHub without an id is refused", async () => {
  for (const user of [{}, { id: null }, { id: "octocat" }, { id: -1 }, [], "x"]) {
    server.provider.github = { user, emails: emails(["a@example.com", true, true]) };
    expect((await server.back("github", {})).error).toBe("INVALID_TOKEN");
  }
  const sent = { provider: "github", idToken: "x", nonce: "n" };
  expect((await server.anonymous.post("/auth/provider/id-token", sent)).status).toBe(401);
});

test("Apple answers with a form, with a name the first time, and gets a secret made for the request", async () => {
  const began = await server.anonymous.post<{ url: string }>("/auth/provider", {
    provider: "apple",
    challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    returnTo: "https://shop.example.com/sign-in/provider",
  });
  const { searchParams } = new URL(began.body.url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_mode: "form_post",
    response_type: "code",
    scope: "openid email name",
    client_id: "com.example.shop.web",
  });
  const claims = { sub: "001", email: "relay@privaterelay.appleid.com", email_verified: "true" };
  const form = server.provider.approve(began.body.url, claims);
  const user = { name: { firstName: "Jane", lastName: "Apple" }, email: "mallory@example.com" };
  form.set("user", JSON.stringify(user));
  const back = await server.anonymous.send("POST", "/auth/provider/callback", {
    text: form.toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(back.status).toBe(303);
  const ticket = new URL(back.headers.location ?? "").searchParams.get("ticket");
  const secret = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const reply = await server.anonymous.post("/auth/provider/verify", { ticket, secret });
  expect(reply.body).toMatchObject({
    user: { name: "Jane Apple", email: "relay@privaterelay.appleid.com" },
  });

  const sent = server.provider.forms.at(-1);
  const jwt = sent?.get("client_secret") ?? "";
  expect(decodeProtectedHeader(jwt)).toEqual({ alg: "ES256", kid: "KEY0123456" });
  const currentDate = server.services.clock.now();
  const { payload } = await jwtVerify(
    jwt,
    createPublicKey(key.publicKey.export({ type: "spki", format: "pem" }).toString()),
    { currentDate },
  );
  expect(payload).toMatchObject({
    iss: "TEAM012345",
    sub: "com.example.shop.web",
    aud: server.provider.url,
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(3600);
  expect(server.provider.headers.at(-1)?.authorization).toBeUndefined();
});

test("Apple's form is accepted only as a form", async () => {
  for (const [text, type] of [
    ["{}", "application/json"],
    ["state=x", "text/plain"],
  ] as const) {
    const headers = { "content-type": type };
    const reply = await server.anonymous.send("POST", "/auth/provider/callback", { text, headers });
    expect(reply.status).toBe(415);
  }
  const huge = await server.anonymous.send("POST", "/auth/provider/callback", {
    text: `state=${"x".repeat(20_000)}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(huge.status).toBe(413);
});

const entra = { tid: tenant, oid: "object-1", sub: "pairwise", email: "e@example.com" };

test("Microsoft's account is its tenant and object, and an address of the trusted tenant counts", async () => {
  const reply = await server.signIn("microsoft", { ...entra, name: "Eva" });
  expect(reply.body).toMatchObject({ user: { email: "e@example.com", name: "Eva" } });
  const moved = { ...entra, sub: "other", email: "victim@example.com", name: "Eve" };
  expect((await server.signIn("microsoft", moved)).body).toMatchObject({
    user: { email: "e@example.com" },
  });
  const [stored] = await server.services.db.query<{ issuer: string; subject: string }>(
    "select issuer, subject from service.identities where provider = 'microsoft'",
  );
  expect(stored).toEqual({
    issuer: `${server.provider.url}/${tenant}/v2.0`,
    subject: "object-1",
  });
});

test("Microsoft without an object, or of another tenant, is refused", async () => {
  for (const claims of [
    { ...entra, oid: undefined },
    { ...entra, tid: undefined },
    { ...entra, tid: otherTenant },
    { ...entra, tid: otherTenant, iss: `${server.provider.url}/${otherTenant}/v2.0` },
  ]) {
    expect((await server.back("microsoft", claims)).error).toBe("INVALID_TOKEN");
  }
});

test("nOAuth: without a trusted tenant no address counts, whatever the claims say", async () => {
  const many = await startProviders(manyTenants);
  try {
    const victim = await many.account("noauth");
    const iss = (tid: string) => ({ tid, iss: `${many.provider.url}/${tid}/v2.0` });
    const attack = {
      ...entra,
      ...iss(otherTenant),
      email: victim,
      email_verified: true,
      xms_edov: true,
    };
    expect((await many.signIn("microsoft", attack)).body.code).toBe("ACCOUNT_NOT_LINKED");
    const personal = { ...entra, ...iss("9188040d-6c67-4c5b-b112-36a304b66dad") };
    expect((await many.back("microsoft", personal)).error).toBe("INVALID_TOKEN");
    const mixed = { ...entra, ...iss(otherTenant), tid: tenant };
    expect((await many.back("microsoft", mixed)).error).toBe("INVALID_TOKEN");
  } finally {
    await many.close();
  }
});

test("Google's address counts if it is verified", async () => {
  const claims = { sub: "g-1", email: "g@example.com", email_verified: true, name: "Gus" };
  expect((await server.signIn("google", claims)).body).toMatchObject({ user: { name: "Gus" } });
  const asText = { sub: "g-2", email: "h@example.com", email_verified: "true" };
  expect((await server.signIn("google", asText)).status).toBe(201);
  for (const email_verified of [false, "false", undefined, 1]) {
    const no = { sub: "g-3", email: "i@example.com", email_verified };
    expect((await server.signIn("google", no)).body.code).toBe("ACCOUNT_NOT_LINKED");
  }
});

test("email_claim names the claim with the address, and no other counts", async () => {
  const named = await startProviders(byOtherClaims);
  const statusOf = async (...sent: Parameters<ProviderServer["signIn"]>) => {
    const { status, body } = await named.signIn(...sent);
    return status === 201 ? body.user.email : body.code;
  };
  try {
    const noMailbox = { tid: tenant, oid: "object-9", sub: "9", upn: "Eva@example.com" };
    expect(await statusOf("microsoft", noMailbox)).toBe("eva@example.com");
    const username = { sub: "9", preferred_username: "ann@example.com" };
    expect(await statusOf("acme", { ...username, email_verified: "true" })).toBe("ann@example.com");
    const unproved = { sub: "10", preferred_username: "bob@example.com" };
    expect(await statusOf("acme", unproved)).toBe("ACCOUNT_NOT_LINKED");
    const mailbox = { sub: "11", email: "cid@example.com", email_verified: true };
    named.provider.lies.userInfo = { sub: "11", email: "cid@example.com", email_verified: true };
    expect(await statusOf("acme", mailbox)).toBe("ACCOUNT_NOT_LINKED");
    const info = { ...named.provider.lies.userInfo, preferred_username: "dan@example.com" };
    named.provider.lies.userInfo = info;
    expect(await statusOf("acme", mailbox)).toBe("dan@example.com");
    // Of GitHub's addresses only the primary verified one is vouched for, whatever the claim.
    const user = { id: 99, login: "x", notification_email: "Fay@example.com" };
    named.provider.github = { user, emails: emails(["other@example.com", true, true]) };
    expect(await statusOf("github", {})).toBe("ACCOUNT_NOT_LINKED");
    named.provider.github = { user, emails: emails(["fay@example.com", true, true]) };
    expect(await statusOf("github", {})).toBe("fay@example.com");
  } finally {
    await named.close();
  }
});
