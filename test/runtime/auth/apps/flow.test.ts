import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { client } from "../../../support/http/client.js";
import {
  callback,
  type DocumentSite,
  startDocumentSite,
} from "../../../support/oauth/documents.js";
import {
  connect,
  decide,
  newCode,
  newVerifier,
  queryOf,
  refresh,
  sendForm,
} from "../../../support/oauth/flow.js";
import { type Person, person } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

const web = "https://shop.example.com";
const mcp = `${web}/api/_service/mcp`;

let site: DocumentSite;
let server: AuthServer;
let ada: Person;
let app: string;
let people = 0;
beforeAll(async () => {
  site = await startDocumentSite();
  server = await startAuth(
    `auth: { check_breached_passwords: false, apps: { allow: ["${site.host}"] } }
webhooks: { allow: [127.0.0.1] }
`,
    { SERVICE_WEB_URL: web },
  );
  app = site.publish("/client.json", {});
});
beforeEach(async () => {
  server.clock.moveOn(61);
  server.outbox.clear();
  await server.services.db.query("delete from service.account_events");
  people += 1;
  ada = await person(server, `ada${people}`);
});
afterAll(async () => {
  await server.close();
  await site.close();
});

const events = async () => {
  const rows = await server.services.db.query<{ kind: string }>(
    "select kind from service.account_events where kind like 'app-%' order by id",
  );
  return rows.map(({ kind }) => kind);
};

test("reading the request decides nothing", async () => {
  const query = queryOf(app, newVerifier().challenge);
  const reply = await ada.caller.post<object>("/oauth/authorize", { query });
  expect(reply.body).toEqual({
    client: { id: app, host: site.host, name: "Test assistant" },
    redirectHost: "app.example.com",
    scope: "read write",
    resource: mcp,
  });
  expect(await server.services.db.query("select 1 from service.app_codes")).toEqual([]);
});

test("a connected app must be allowed again each time", async () => {
  await connect(server.url, ada.caller, app);
  const query = queryOf(app, newVerifier().challenge);
  const { status, body } = await ada.caller.post<object>("/oauth/authorize", { query });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty("redirectTo");
  expect(body).toMatchObject({ client: { id: app }, scope: "read write" });
});

test("an allowed app gets a code, and exchanges it for tokens", async () => {
  const { verifier, challenge } = newVerifier();
  const back = await decide(ada.caller, queryOf(app, challenge));
  expect(back.origin + back.pathname).toBe(callback);
  const { code, ...rest } = Object.fromEntries(back.searchParams);
  expect(rest).toEqual({ state: "xyz", iss: web });
  const reply = await sendForm(server.url, "/oauth/token", {
    grant_type: "authorization_code",
    code,
    redirect_uri: callback,
    client_id: app,
    code_verifier: verifier,
  });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.body).toEqual({
    access_token: expect.stringMatching(/^app_[A-Za-z0-9_-]{43}$/),
    token_type: "Bearer",
    expires_in: 28_800,
    refresh_token: expect.any(String),
    scope: "read write",
  });
  expect(await events()).toEqual(["app-connected"]);
  expect(server.outbox.notices).toMatchObject([{ kind: "app-connected", host: site.host }]);
});

test("a denied app gets an error", async () => {
  const query = queryOf(app, newVerifier().challenge);
  const back = await decide(ada.caller, query, { allow: false });
  expect(Object.fromEntries(back.searchParams)).toEqual({
    error: "access_denied",
    state: "xyz",
    iss: web,
  });
});

test("the person who allows an app may restrict it to reading", async () => {
  const { verifier, challenge } = newVerifier();
  const back = await decide(ada.caller, queryOf(app, challenge), { allow: true, scope: "read" });
  const form = {
    grant_type: "authorization_code",
    code: back.searchParams.get("code") ?? "",
    redirect_uri: callback,
    client_id: app,
    code_verifier: verifier,
  };
  expect((await sendForm(server.url, "/oauth/token", form)).body.scope).toBe("read");
});

test("an account sees its apps as devices too, and disconnects them", async () => {
  const tokens = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const acting = client(server.url, tokens.access_token);
  expect((await acting.get("/auth/me")).status).toBe(200);
  const { body } = await ada.caller.get<{ data: readonly { id: string }[] }>("/auth/apps");
  const now = server.services.clock.now().toISOString();
  const [{ id = "" } = {}] = body.data;
  expect(body.data).toEqual([
    {
      ...{ id, name: "Test assistant", client: app, scope: "read write" },
      ...{ resource: `${web}/api`, createdAt: now, lastUsedAt: now },
    },
  ]);
  const devices = await ada.caller.get<{ data: readonly object[] }>("/auth/sessions");
  expect(devices.body.data).toMatchObject([{ current: true }, { id, kind: "app" }]);
  expect((await ada.caller.delete(`/auth/apps/${id}`)).status).toBe(204);
  expect((await ada.caller.delete(`/auth/apps/${id}`)).status).toBe(404);
  expect((await acting.get("/auth/me")).status).toBe(401);
  expect((await refresh(server.url, app, tokens.refresh_token)).body.error).toBe("invalid_grant");
  expect(await events()).toEqual(["app-connected", "app-disconnected"]);
});

test("an app outlives the sign-in that allowed it, but not a change of the password", async () => {
  const { access_token } = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const acting = client(server.url, access_token);
  expect((await ada.caller.delete("/auth/token")).status).toBe(204);
  expect((await acting.get("/auth/me")).status).toBe(200);
  const again = await person(server, `ada${people}`);
  const changed = { currentPassword: "right password", newPassword: "another password" };
  expect((await again.caller.post("/auth/password", changed)).status).toBe(204);
  expect((await acting.get("/auth/me")).status).toBe(401);
});

test("twenty concurrent refreshes all succeed, and one grant stays valid", async () => {
  const first = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => refresh(server.url, app, first.refresh_token)),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const { body } = await ada.caller.get<{ data: readonly object[] }>("/auth/apps");
  expect(body.data).toHaveLength(1);
  for (const { body: tokens } of replies) {
    expect((await client(server.url, tokens.access_token).get("/auth/me")).status).toBe(200);
    expect((await refresh(server.url, app, tokens.refresh_token)).status).toBe(200);
  }
  expect(await events()).toEqual(["app-connected"]);
});

test("a refresh token works again for two minutes; afterwards it ends the grant", async () => {
  const first = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const second = (await refresh(server.url, app, first.refresh_token)).body;
  server.clock.moveOn(119);
  const third = (await refresh(server.url, app, first.refresh_token)).body;
  expect(third.access_token).toMatch(/^app_/);
  server.clock.moveOn(1);
  const late = await refresh(server.url, app, first.refresh_token);
  expect(late).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  for (const { access_token, refresh_token } of [second, third]) {
    expect((await client(server.url, access_token).get("/auth/me")).status).toBe(401);
    expect((await refresh(server.url, app, refresh_token)).body.error).toBe("invalid_grant");
  }
  expect(await events()).toEqual(["app-connected", "app-token-reused"]);
  expect(server.outbox.notices.at(-1)).toMatchObject({ kind: "app-token-reused", host: site.host });
});

test("a refresh token that was replaced long ago still ends the grant", async () => {
  const first = await connect(server.url, ada.caller, app);
  let { refresh_token } = first;
  for (let day = 0; day < 3; day += 1) {
    refresh_token = (await refresh(server.url, app, refresh_token)).body.refresh_token;
    server.clock.moveOn(20 * 86_400);
  }
  expect((await refresh(server.url, app, first.refresh_token)).body.error).toBe("invalid_grant");
  expect((await refresh(server.url, app, refresh_token)).body.error).toBe("invalid_grant");
  expect(await events()).toContain("app-token-reused");
});

test("a code works once; a second use ends the grant", async () => {
  const form = await newCode(ada.caller, app, { resource: `${web}/api` });
  const first = await sendForm(server.url, "/oauth/token", form);
  expect(first.status, first.text).toBe(200);
  const acting = client(server.url, first.body.access_token);
  expect((await acting.get("/auth/me")).status).toBe(200);
  expect(await sendForm(server.url, "/oauth/token", form)).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
  expect((await acting.get("/auth/me")).status).toBe(401);
  expect(await events()).toEqual(["app-connected", "app-token-reused"]);
});

test("a code is valid for a minute, and until a change of the account", async () => {
  const late = await newCode(ada.caller, app);
  server.clock.moveOn(60);
  expect((await sendForm(server.url, "/oauth/token", late)).body.error).toBe("invalid_grant");
  const changed = await newCode(ada.caller, app);
  expect((await ada.caller.delete("/auth/sessions")).status).toBe(204);
  expect((await sendForm(server.url, "/oauth/token", changed)).body.error).toBe("invalid_grant");
});

test("an access token ends before its grant does", async () => {
  const { access_token, refresh_token } = await connect(server.url, ada.caller, app, {
    resource: `${web}/api`,
  });
  server.clock.moveOn(480 * 60);
  expect((await client(server.url, access_token).get("/auth/me")).status).toBe(401);
  const { body } = await refresh(server.url, app, refresh_token);
  expect((await client(server.url, body.access_token).get("/auth/me")).status).toBe(200);
});

test("an app that is not used for thirty days is disconnected, as after its end", async () => {
  const first = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  server.clock.moveOn(30 * 86_400 - 1);
  const { status, body } = await refresh(server.url, app, first.refresh_token);
  expect(status).toBe(200);
  server.clock.moveOn(30 * 86_400);
  expect((await refresh(server.url, app, body.refresh_token)).body.error).toBe("invalid_grant");
  const again = await person(server, `ada${people}`);
  expect((await again.caller.get("/auth/apps")).body).toEqual({ data: [] });
  expect(await events()).toEqual(["app-connected"]);
});

test("revoking a refresh token ends the app, revoking an access token only that", async () => {
  const tokens = await connect(server.url, ada.caller, app, { resource: `${web}/api` });
  const revoke = (token: string) =>
    sendForm(server.url, "/oauth/revoke", { token, client_id: app });
  expect((await revoke(tokens.access_token)).status).toBe(200);
  expect((await client(server.url, tokens.access_token).get("/auth/me")).status).toBe(401);
  const { body } = await refresh(server.url, app, tokens.refresh_token);
  expect((await revoke(body.refresh_token)).status).toBe(200);
  expect((await client(server.url, body.access_token).get("/auth/me")).status).toBe(401);
  expect((await revoke("never one")).status).toBe(200);
  expect(await events()).toEqual(["app-connected", "app-disconnected"]);
});

test("the hundred apps used last stay, and no device ends", async () => {
  const first = await connect(server.url, ada.caller, app);
  await server.services.db.query(
    `insert into service.sessions (id, user_id, token_hash, proofs, created_at, last_used_at, expires_at)
     select gen_random_uuid(), user_id, sha256(convert_to(user_id::text || n, 'UTF8')), proofs, created_at,
       last_used_at + interval '1 second', expires_at
     from service.sessions, generate_series(1, 99) as n
     where proofs = '{app}'
       and user_id = (select id from service.users where email = $1)`,
    [ada.email],
  );
  await connect(server.url, ada.caller, app);
  expect((await refresh(server.url, app, first.refresh_token)).body.error).toBe("invalid_grant");
  expect((await ada.caller.get("/auth/me")).status).toBe(200);
  const [row] = await server.services.db.query<{ n: number }>(
    "select count(*)::int as n from service.sessions where proofs = '{app}' and user_id = (select id from service.users where email = $1)",
    [ada.email],
  );
  expect(row?.n).toBe(100);
});
