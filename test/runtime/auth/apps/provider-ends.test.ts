import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, client } from "../../../support/http/client.js";
import { type DocumentSite, startDocumentSite } from "../../../support/oauth/documents.js";
import { connect, newCode, refresh, sendForm, type Tokens } from "../../../support/oauth/flow.js";
import { type ProviderServer, startProviders, webUrl } from "../support/providers.js";

// Apps end with the sign-in at a provider that allowed them.

const hour = 3600;

let site: DocumentSite;
let server: ProviderServer;
let app: string;
let names = 0;
let sub: string;

beforeAll(async () => {
  site = await startDocumentSite();
  server = await startProviders(
    (url) => `
  registration: true
  apps: { allow: ["${site.host}"], access_minutes: 60, refresh_days: 30 }
  providers:
    acme: { issuer: "${url}/acme", client_id: shop, client_secret: s }
    other: { issuer: "${url}/other", client_id: shop, client_secret: s }
    short: { issuer: "${url}/short", client_id: shop, client_secret: s, session_hours: 8 }
webhooks: { allow: [127.0.0.1] }
`,
  );
  app = site.publish("/client.json", {});
});
beforeEach(() => {
  names += 1;
  sub = `ada-${names}`;
});
afterAll(async () => {
  await server.close();
  await site.close();
});

async function device(provider: string): Promise<Client> {
  const claims = { sub, email: `${sub}@example.com`, email_verified: true };
  const { body, status, text } = await server.signIn(provider, claims);
  expect(status, text).toBe(201);
  return client(server.url, body.token);
}

const allowedBy = (caller: Client): Promise<Tokens> =>
  connect(server.url, caller, app, { resource: `${webUrl}/api` });

const statusOf = async ({ access_token }: Tokens) =>
  (await client(server.url, access_token).get("/auth/me")).status;

async function signOutAtProvider(): Promise<void> {
  const iat = Math.floor(server.services.clock.now().getTime() / 1000);
  const claims = {
    iss: `${server.provider.url}/acme`,
    ...{ aud: "shop", sub, iat, exp: iat + 120, jti: randomUUID() },
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
  const logout_token = await server.provider.sign(claims, { typ: "logout+jwt" });
  const reply = await server.anonymous.send("POST", "/auth/provider/logout", {
    text: new URLSearchParams({ logout_token }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(reply.status, reply.text).toBe(200);
}

test("a sign-out at the provider ends the apps that its sign-ins allowed, and no others", async () => {
  const byAcme = await device("acme");
  const [one, two] = [await allowedBy(byAcme), await allowedBy(await device("other"))];
  // Also of a sign-in that has ended before.
  expect((await byAcme.delete("/auth/token")).status).toBe(204);
  expect([await statusOf(one), await statusOf(two)]).toEqual([200, 200]);
  await signOutAtProvider();
  expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200]);
  expect((await refresh(server.url, app, one.refresh_token)).body.error).toBe("invalid_grant");
  expect((await refresh(server.url, app, two.refresh_token)).status).toBe(200);
});

test("a sign-out at the provider ends codes that were not exchanged yet", async () => {
  const code = await newCode(await device("acme"), app);
  await signOutAtProvider();
  const reply = await sendForm(server.url, "/oauth/token", code);
  expect([reply.status, reply.body.error]).toEqual([400, "invalid_grant"]);
});

test("session_hours also limit the apps that a sign-in allowed, refreshed or not", async () => {
  const caller = await device("short");
  server.clock.moveOn(2 * hour);
  const first = await allowedBy(caller);
  server.clock.moveOn(5 * hour + 3_000);
  const { body: next } = await refresh(server.url, app, first.refresh_token);
  expect(await statusOf(next)).toBe(200);
  // Eight hours after the sign-in, though the access token lasts longer.
  server.clock.moveOn(601);
  expect(await statusOf(next)).toBe(401);
  expect((await refresh(server.url, app, next.refresh_token)).body.error).toBe("invalid_grant");
});
