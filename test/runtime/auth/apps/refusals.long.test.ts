import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { client } from "../../../support/http/client.js";
import {
  callback,
  type DocumentSite,
  startDocumentSite,
} from "../../../support/oauth/documents.js";
import {
  type Asked,
  connect,
  decide,
  newCode,
  newVerifier,
  queryOf,
  refresh,
  sendForm,
  sendText,
} from "../../../support/oauth/flow.js";
import { type Person, person } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

const web = "https://shop.example.com";
const mcp = `${web}/api/_service/mcp`;
const { challenge } = newVerifier();

let site: DocumentSite;
let server: AuthServer;
let ada: Person;
let app: string;
beforeAll(async () => {
  site = await startDocumentSite();
  server = await startAuth(
    `auth:
  check_breached_passwords: false
  return_to: [com.example.shop]
  apps: { allow: ["${site.host}"] }
webhooks: { allow: [127.0.0.1] }
`,
    { SERVICE_WEB_URL: `${web}/` },
  );
  app = site.publish("/client.json", {
    redirect_uris: [
      callback,
      `${callback}?a=1`,
      "http://127.0.0.1/callback",
      "http://localhost:1/callback",
      "com.example.shop:/back",
      "javascript:alert(1)",
      "http://app.example.com/callback",
    ],
  });
  ada = await person(server, "ada");
});
beforeEach(() => {
  server.clock.moveOn(61);
  server.outbox.clear();
});
afterAll(async () => {
  await server.close();
  await site.close();
});

const ask = (query: string, more: object = {}) =>
  ada.caller.post<{ redirectTo?: string; error?: string; redirectHost?: string }>(
    "/oauth/authorize",
    { query, ...more },
  );

const errorOf = async (query: string): Promise<string | null> => {
  for (const more of [{}, { allow: true }, { allow: false }]) {
    const { status, body, text } = await ask(query, more);
    expect(status, text).toBe(200);
    const back = new URL(body.redirectTo ?? expect.unreachable(text));
    expect(back.origin + back.pathname).toBe(callback);
    expect(back.searchParams.get("iss")).toBe(web);
    expect(back.searchParams.has("code")).toBe(false);
    if (more.allow === false) return back.searchParams.get("error");
  }
  return null;
};

test.each<[string, Asked]>([
  ["no client_id", { client_id: undefined }],
  ["an empty one", { client_id: "" }],
  ["a client_id that is no address", { client_id: "claude" }],
  ["one that is too long", { client_id: `https://claude.ai/${"a".repeat(2_000)}` }],
  ["one without a path", { client_id: "https://claude.ai" }],
  ["one with a bare slash", { client_id: "https://claude.ai/" }],
  ["one over http", { client_id: "http://claude.ai/client.json" }],
  ["one of a host that is not allowed", { client_id: "https://evil.example.com/client.json" }],
  ["no redirect_uri", { redirect_uri: undefined }],
  ["a redirect_uri that is not listed", { redirect_uri: `${callback}/` }],
  ["one in another case", { redirect_uri: callback.replace("callback", "Callback") }],
  ["one with another query", { redirect_uri: `${callback}?a=2` }],
  ["one with a fragment", { redirect_uri: `${callback}#a` }],
  ["a script, though it is listed", { redirect_uri: "javascript:alert(1)" }],
  [
    "plain http elsewhere, though it is listed",
    { redirect_uri: "http://app.example.com/callback" },
  ],
  ["another path on this machine", { redirect_uri: "http://127.0.0.1:4000/other" }],
  ["another name of this machine", { redirect_uri: "http://127.0.0.2:4000/callback" }],
  ["https on this machine", { redirect_uri: "https://127.0.0.1:4000/callback" }],
])("no redirect follows a request with %s", async (_, more) => {
  for (const decision of [{}, { allow: true }, { allow: false }]) {
    expect(await ask(queryOf(app, challenge, more), decision)).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    });
  }
});

test("a client_id is compared as it is written", async () => {
  const { origin } = site;
  for (const id of [
    `${origin}/a/../client.json`,
    `${origin}/./client.json`,
    `${origin}/%2e%2e/client.json`,
    `${origin}/client.json#a`,
    `${origin}/client.json#`,
    `${origin}\\client.json`,
    ` ${app}`,
    app.replace("https", "HTTPS"),
    app.replace("https://", "https://user@"),
    app.replace("https://", "https://user:word@"),
  ]) {
    const { status } = await ask(queryOf(app, challenge, { client_id: id }));
    expect([id, status]).toEqual([id, 400]);
  }
});

test.each(["client_id", "redirect_uri"])("%s must not be repeated", async (name) => {
  const query = queryOf(app, challenge);
  const value = new URLSearchParams(query).get(name) ?? "";
  const { status } = await ask(`${query}&${name}=${encodeURIComponent(value)}`);
  expect(status).toBe(400);
});

test.each<[string, string, Asked]>([
  ["no response_type", "invalid_request", { response_type: undefined }],
  ["an implicit one", "unsupported_response_type", { response_type: "token" }],
  ["one in capitals", "unsupported_response_type", { response_type: "CODE" }],
  ["no challenge", "invalid_request", { code_challenge: undefined }],
  ["one that is too short", "invalid_request", { code_challenge: "a" }],
  ["one that is too long", "invalid_request", { code_challenge: "A".repeat(44) }],
  ["no method of it", "invalid_request", { code_challenge_method: undefined }],
  ["the plain one", "invalid_request", { code_challenge_method: "plain" }],
  ["it in lower case", "invalid_request", { code_challenge_method: "s256" }],
  ["unknown scopes", "invalid_scope", { scope: "openid profile" }],
  ["scopes in capitals", "invalid_scope", { scope: "READ" }],
  ["another server", "invalid_target", { resource: "https://other.example.com/api" }],
  ["a path of this one", "invalid_target", { resource: `${web}/api/products` }],
  ["the path in capitals", "invalid_target", { resource: `${web}/API` }],
  ["two slashes at its end", "invalid_target", { resource: `${web}/api//` }],
  ["an answer in a fragment", "invalid_request", { response_mode: "fragment" }],
])("a request with %s is refused with %s", async (_, error, more) => {
  expect(await errorOf(queryOf(app, challenge, more))).toBe(error);
});

test.each([
  ["response_type", "invalid_request"],
  ["state", "invalid_request"],
  ["scope", "invalid_request"],
  ["code_challenge", "invalid_request"],
  ["code_challenge_method", "invalid_request"],
  ["resource", "invalid_target"],
])("%s must not be repeated", async (name, error) => {
  const query = queryOf(app, challenge, { resource: mcp });
  const value = new URLSearchParams(query).get(name) ?? "";
  expect(await errorOf(`${query}&${name}=${encodeURIComponent(value)}`)).toBe(error);
});

test.each([
  "Client_id",
  "Redirect_URI",
  "RESPONSE_TYPE",
  "Code_Challenge",
  "code_challenge_METHOD",
])("a parameter spelled %s counts as missing", async (name) => {
  const query = queryOf(app, challenge).replace(`${name.toLowerCase()}=`, `${name}=`);
  const { status, body } = await ask(query);
  expect(status === 400 || body.redirectTo?.includes("error=invalid_request")).toBe(true);
});

test.each<[string, string, Asked]>([
  ["nothing", "read", { scope: undefined }],
  ["an empty scope", "read", { scope: "" }],
  ["write alone", "read write", { scope: "write" }],
  ["scopes of others beside", "read", { scope: "openid read offline_access" }],
])("an app that requests %s is shown as %s", async (_, scope, more) => {
  expect((await ask(queryOf(app, challenge, more))).body).toMatchObject({ scope });
});

test.each<[string, string]>([
  [mcp, mcp],
  [`${mcp}/`, mcp],
  [mcp.replace(web, web.toUpperCase()), mcp],
  [`${web}/api`, `${web}/api`],
  [`${web}/api/`, `${web}/api`],
])("the resource %s is %s", async (written, resource) => {
  const { body } = await ask(queryOf(app, challenge, { resource: written }));
  expect(body).toMatchObject({ resource });
});

test.each<[string, string]>([
  ["http://127.0.0.1:4711/callback", "127.0.0.1:4711"],
  ["http://127.0.0.1/callback", "127.0.0.1"],
  ["http://localhost:4711/callback", "localhost:4711"],
  ["com.example.shop:/back", "com.example.shop"],
  [`${callback}?a=1`, "app.example.com"],
])("a browser may be redirected to %s, which is shown as %s", async (redirect_uri, host) => {
  const query = queryOf(app, challenge, { redirect_uri });
  expect((await ask(query)).body.redirectHost).toBe(host);
  const back = await decide(ada.caller, query);
  expect(back.href.startsWith(redirect_uri)).toBe(true);
  expect(back.searchParams.get("code")).toMatch(/^[\w-]{43}$/);
});

test("the query has a limit, and the body no other keys", async () => {
  const long = queryOf(app, challenge, { state: "s".repeat(8_192) });
  expect((await ask(long)).status).toBe(422);
  const state = "s".repeat(7_000);
  const back = await decide(ada.caller, queryOf(app, challenge, { state }));
  expect(back.searchParams.get("state")).toBe(state);
  for (const more of [{ allow: "yes" }, { scope: "write" }, { scope: "all" }, { more: 1 }]) {
    expect((await ask(queryOf(app, challenge), more)).status).toBe(422);
  }
});

test("a state is returned unchanged, with any contents", async () => {
  const state = "a&b=c ü\u0000%#?";
  const back = await decide(ada.caller, queryOf(app, challenge, { state }));
  expect(back.searchParams.get("state")).toBe(state);
  const without = await decide(ada.caller, queryOf(app, challenge, { state: undefined }));
  expect(without.searchParams.has("state")).toBe(false);
});

test("only a signed-in person decides", async () => {
  const query = queryOf(app, challenge);
  expect((await client(server.url, null).post("/oauth/authorize", { query })).status).toBe(401);
  const made = await ada.caller.post<{ token: string }>("/auth/service-tokens", { name: "Export" });
  const program = client(server.url, made.body.token);
  expect((await program.post("/oauth/authorize", { query, allow: true })).status).toBe(403);
  const { access_token } = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const acting = client(server.url, access_token);
  expect((await acting.post("/oauth/authorize", { query, allow: true })).status).toBe(403);
});

test.each<[string, string, Asked]>([
  ["no grant_type", "invalid_request", { grant_type: undefined }],
  ["another one", "unsupported_grant_type", { grant_type: "password" }],
  ["one in capitals", "unsupported_grant_type", { grant_type: "AUTHORIZATION_CODE" }],
  ["no code", "invalid_request", { code: undefined }],
  ["an empty code", "invalid_request", { code: "" }],
  ["a code that never was", "invalid_grant", { code: "a".repeat(43) }],
  ["one that is too long", "invalid_grant", { code: "a".repeat(9_000) }],
  ["no redirect_uri", "invalid_request", { redirect_uri: undefined }],
  ["another redirect_uri", "invalid_grant", { redirect_uri: `${callback}?a=1` }],
  ["no client_id", "invalid_request", { client_id: undefined }],
  ["another app's client_id", "invalid_grant", { client_id: "https://claude.ai/client.json" }],
  ["no verifier", "invalid_request", { code_verifier: undefined }],
  ["another verifier", "invalid_grant", { code_verifier: newVerifier().verifier }],
  ["the challenge in its place", "invalid_grant", { code_verifier: challenge }],
  ["one that is too short", "invalid_grant", { code_verifier: "a" }],
  ["another resource", "invalid_target", { resource: `${web}/api` }],
  ["a resource of another server", "invalid_target", { resource: "https://other.example.com" }],
])("a code with %s gets %s, and no tokens", async (_, error, more) => {
  const form = await newCode(ada.caller, app);
  const reply = await sendForm(server.url, "/oauth/token", { ...form, ...more });
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual({ error, error_description: expect.any(String) });
  expect((await sendForm(server.url, "/oauth/token", form)).status).toBe(200);
});

test("a code that is injected into another sign-in is refused there", async () => {
  const stolen = await newCode(ada.caller, app);
  const victim = newVerifier();
  const reply = await sendForm(server.url, "/oauth/token", {
    ...stolen,
    code_verifier: victim.verifier,
  });
  expect(reply.body.error).toBe("invalid_grant");
});

test.each(["grant_type", "code", "redirect_uri", "client_id", "code_verifier", "resource"])(
  "%s must not be repeated in a form",
  async (name) => {
    const form = await newCode(ada.caller, app);
    const once = new URLSearchParams(form as Record<string, string>);
    if (name === "resource") once.set(name, mcp);
    once.append(name, once.get(name) ?? "");
    const reply = await sendText(server.url, "/oauth/token", once.toString());
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  },
);

test.each<[string, string, Asked]>([
  ["no token", "invalid_request", { refresh_token: undefined }],
  ["no client_id", "invalid_request", { client_id: undefined }],
  ["another app's client_id", "invalid_grant", { client_id: "https://claude.ai/client.json" }],
  ["more than was allowed", "invalid_scope", { scope: "read write" }],
  ["unknown scopes", "invalid_scope", { scope: "admin" }],
  ["another resource", "invalid_target", { resource: `${web}/api` }],
])("a refresh with %s gets %s, and the app stays connected", async (_, error, more) => {
  const { refresh_token } = await connect(server.url, ada.caller, app, { scope: "read" });
  const form = { grant_type: "refresh_token", refresh_token, client_id: app };
  const reply = await sendForm(server.url, "/oauth/token", { ...form, ...more });
  expect(reply).toMatchObject({ status: 400, body: { error } });
  const good = await sendForm(server.url, "/oauth/token", {
    ...form,
    scope: "read",
    resource: mcp,
  });
  expect(good).toMatchObject({ status: 200, body: { scope: "read" } });
});

test("an access token is not a refresh token, and vice versa", async () => {
  const tokens = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const crossed = await refresh(server.url, app, tokens.access_token);
  expect(crossed.body.error).toBe("invalid_grant");
  const acting = client(server.url, tokens.refresh_token);
  expect((await acting.get("/auth/me")).status).toBe(401);
});

test("tokens and revocations are forms", async () => {
  for (const path of ["/oauth/token", "/oauth/revoke"]) {
    expect((await client(server.url, null).post(path, { token: "a" })).status).toBe(415);
    expect((await client(server.url, null).get(path)).status).toBe(405);
    const long = await sendText(server.url, path, `token=${"a".repeat(20_000)}`);
    expect(long.status).toBe(413);
  }
  expect((await sendForm(server.url, "/oauth/revoke", {})).body.error).toBe("invalid_request");
  const { refresh_token: token } = await connect(server.url, ada.caller, app);
  const foreign = { token, client_id: "https://claude.ai/client.json" };
  expect((await sendForm(server.url, "/oauth/revoke", foreign)).status).toBe(400);
  expect((await refresh(server.url, app, token)).status).toBe(200);
});

test("an app may only read its account below /auth", async () => {
  const { access_token } = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const acting = client(server.url, access_token);
  expect((await acting.get("/auth/me")).status).toBe(200);
  expect((await acting.get("/auth/me/")).status).toBe(200);
  expect((await acting.get("/auth/config")).status).toBe(200);
  for (const path of ["sessions", "apps", "passkeys", "service-tokens"]) {
    expect([path, (await acting.get(`/auth/${path}`)).status]).toEqual([path, 403]);
  }
  expect((await acting.patch("/auth/me", { name: "Eve" })).status).toBe(403);
  expect((await acting.delete("/auth/token")).status).toBe(403);
  expect((await acting.delete("/auth/sessions")).status).toBe(403);
  expect((await acting.post("/auth/password", {})).status).toBe(403);
  expect((await acting.post("/auth/email/change", {})).status).toBe(403);
  const confirmed = await acting.post("/auth/email/change/verify", { code: "123456" });
  expect(confirmed.status).toBe(403);
});

test("a token for the assistant's address is valid nowhere else", async () => {
  const { access_token } = await connect(server.url, ada.caller, app);
  expect((await client(server.url, access_token).get("/auth/me")).status).toBe(401);
});
