import { createHmac, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { endFormerInBackground } from "../../../../../runtime/auth/index.js";
import type { Claims } from "../../../../support/accounts/provider.js";
import { client } from "../../../../support/http/client.js";
import { atOnce, countStatuses } from "../../support/concurrency.js";
import { signInWith } from "../../support/people.js";
import { type ProviderServer, startProviders } from "../../support/providers.js";
import { addSecondStep } from "../../support/rows.js";

let server: ProviderServer;
let names = 0;
let sub: string;

const settings = (url: string) => `
  registration: true
  idle_hours: 5
  providers:
    acme: { issuer: "${url}/acme", client_id: shop, client_secret: s, client_ids: [shop-ios] }
    other: { issuer: "${url}/other", client_id: shop, client_secret: s }
    short: { issuer: "${url}/short", client_id: shop, client_secret: s, session_hours: 8 }
    shortest: { issuer: "${url}/shortest", client_id: shop, client_secret: s, session_hours: 1 }
`;

beforeAll(async () => {
  server = await startProviders(settings);
});
beforeEach(() => {
  names += 1;
  sub = `ada-${names}`;
});
afterEach(() => {
  server.provider.lies.answer = undefined;
});
afterAll(() => server.close());

const person = () => ({ sub, email: `${sub}@example.com`, email_verified: true });
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

function claims(more: Claims = {}): Claims {
  const iat = Math.floor(server.services.clock.now().getTime() / 1000);
  return {
    iss: `${server.provider.url}/acme`,
    aud: "shop",
    sub,
    iat,
    exp: iat + 120,
    jti: randomUUID(),
    events: { [logoutEvent]: {} },
    ...more,
  };
}

const typed = { typ: "logout+jwt" };

const send = (form: Readonly<Record<string, string>>) =>
  server.anonymous.send<object>("POST", "/auth/provider/logout", {
    text: new URLSearchParams(form).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

async function logOut(more: Claims = {}, header: Claims = typed) {
  return send({ logout_token: await server.provider.sign(claims(more), header) });
}

async function device(name: string) {
  const { body, status, text } = await server.signIn(name, person());
  expect(status, text).toBe(201);
  return client(server.url, body.token);
}

const isOpen = async (caller: Awaited<ReturnType<typeof device>>) =>
  (await caller.get("/auth/me")).status === 200;

test("a logout token ends the devices of its identity, and no others", async () => {
  const [one, two] = [await device("acme"), await device("acme")];
  const other = await device("other");
  const before = await server.account(`bystander-${names}`);
  const { caller: bystander } = await signInWith(server, before);
  const reply = await logOut();
  expect([reply.status, reply.body]).toEqual([200, {}]);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(await Promise.all([one, two, other, bystander].map(isOpen))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const me = await other.get<{ user: { id: string } }>("/auth/me");
  const events = await server.services.db.query(
    `select kind from service.account_events where account_id = $1 and kind = 'sessions-ended'`,
    [me.body.user.id],
  );
  expect(events).toHaveLength(1);
  // A person whom the provider signs in again may come back.
  expect(await isOpen(await device("acme"))).toBe(true);
});

test("a sign-in that waits for its second step ends too, and one that passed it is a device of the identity", async () => {
  await device("acme");
  await addSecondStep(server, person().email, "email");
  const { body } = await server.signIn("acme", person());
  expect(body.challenge).toBeDefined();
  expect((await logOut()).status).toBe(200);
  const { challenge } = body;
  expect((await server.anonymous.post("/auth/two-factor/send", { challenge })).status).toBe(401);
  const again = (await server.signIn("acme", person())).body.challenge;
  await server.anonymous.post("/auth/two-factor/send", { challenge: again });
  const mail = server.outbox.to(person().email).at(-1);
  const code = mail !== undefined && "code" in mail ? mail.code : "";
  const verified = await server.anonymous.post<{ token: string }>("/auth/two-factor/verify", {
    challenge: again,
    method: "email",
    code,
  });
  expect(verified.status, verified.text).toBe(201);
  const caller = client(server.url, verified.body.token);
  expect(await isOpen(caller)).toBe(true);
  expect((await logOut()).status).toBe(200);
  expect(await isOpen(caller)).toBe(false);
});

test("a logout token for an unknown identity succeeds", async () => {
  expect((await logOut({ sub: "nobody" })).status).toBe(200);
});

test("optional parts of the specification are accepted", async () => {
  for (const [more, header] of [
    [{}, {}],
    [{}, { typ: "JWT" }],
    [{ sid: "a session" }, typed],
    [{ aud: ["shop"] }, typed],
    [{ aud: "shop-ios" }, typed],
    [{ events: { [logoutEvent]: {}, other: {} } }, typed],
  ] as const) {
    expect((await logOut(more, header)).status, JSON.stringify(more)).toBe(200);
  }
});

const seconds = () => Math.floor(server.services.clock.now().getTime() / 1000);

test.each<[string, () => Claims]>([
  ["no subject, though a session", () => ({ sub: undefined, sid: "a session" })],
  ["an empty subject", () => ({ sub: "" })],
  ["no events", () => ({ events: undefined })],
  ["events of another kind", () => ({ events: { "http://example.com/event": {} } })],
  ["an event that is not an object", () => ({ events: { [logoutEvent]: true } })],
  ["events that are a list", () => ({ events: [logoutEvent] })],
  ["a nonce", () => ({ nonce: "a nonce" })],
  ["no jti", () => ({ jti: undefined })],
  ["a jti that is a number", () => ({ jti: 7 })],
  ["no issue time", () => ({ iat: undefined })],
  ["an issue in the future", () => ({ iat: seconds() + 70 })],
  ["no expiry", () => ({ exp: undefined })],
  ["an expiry in the past", () => ({ exp: seconds() - 70 })],
  ["another audience", () => ({ aud: "shop-of-mallory" })],
  ["one more audience", () => ({ aud: ["shop", "shop-of-mallory"] })],
  ["no audience", () => ({ aud: undefined })],
  ["the issuer of another provider", () => ({ iss: `${server.provider.url}/nobody` })],
  ["an issuer that begins like ours", () => ({ iss: `${server.provider.url}/acme.evil` })],
  ["no issuer", () => ({ iss: undefined })],
])("a token with %s is 400, and ends nothing", async (_, more) => {
  const caller = await device("acme");
  const reply = await logOut(more());
  expect([reply.status, reply.body]).toEqual([400, { error: expect.any(String) }]);
  expect(await isOpen(caller)).toBe(true);
});

test("a token that is unsigned, of another key, an ID token, or missing is 400", async () => {
  const caller = await device("acme");
  const signed = await server.provider.sign(claims(), typed);
  const [, payload = "", signature = ""] = signed.split(".");
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const hmac = `${part({ alg: "HS256" })}.${payload}`;
  const mac = createHmac("sha256", "s").update(hmac).digest("base64url");
  const { events: _, jti: __, ...idClaims } = claims({ nonce: "a nonce" });
  const tokens = [
    `${part({ alg: "none" })}.${payload}.`,
    `${hmac}.${mac}`,
    `${signed.slice(0, -4)}AAAA`,
    `${part({ alg: "RS256", kid: "first" })}.${part(claims({ sub: "other" }))}.${signature}`,
    await server.provider.sign(idClaims),
    "no token",
    "",
    "a.b.c",
  ];
  for (const logout_token of tokens) {
    expect((await send({ logout_token })).status, logout_token).toBe(400);
  }
  expect((await send({})).status).toBe(400);
  const form = `logout_token=${signed}&logout_token=${signed}`;
  for (const [text, type] of [
    [form, "application/x-www-form-urlencoded"],
    [JSON.stringify({ logout_token: signed }), "application/json"],
    ["", "application/x-www-form-urlencoded"],
  ] as const) {
    const headers = { "content-type": type };
    const reply = await server.anonymous.send("POST", "/auth/provider/logout", { text, headers });
    expect(reply.status, text).toBe(400);
  }
  expect(await isOpen(caller)).toBe(true);
});

test("a token is accepted once, so that a replay cannot end later devices", async () => {
  await device("acme");
  const logout_token = await server.provider.sign(claims(), typed);
  const replies = await atOnce(20, () => send({ logout_token }));
  expect(countStatuses(replies)).toEqual({ 200: 1, 400: 19 });
  const later = await device("acme");
  expect((await send({ logout_token })).status).toBe(400);
  expect(await isOpen(later)).toBe(true);
});

test("a provider that does not answer is 503, and the token may be sent again", async () => {
  await server.provider.changeKeys(`later-${names}`);
  server.clock.moveOn(660);
  server.provider.lies.answer = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  const reply = await logOut();
  expect(reply.status).toBe(503);
  expect(reply.body).toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
});

test("session_hours limits a device's lifetime, used or not", async () => {
  const unused = await device("shortest");
  const short = await device("short");
  const end = async (caller: typeof short) => {
    const { body } = await caller.get<{ data: readonly { current: boolean; expiresAt: string }[] }>(
      "/auth/sessions",
    );
    const own = body.data.find(({ current }) => current)?.expiresAt ?? "";
    return Math.round((Date.parse(own) - server.services.clock.now().getTime()) / 3_600_000);
  };
  expect([await end(unused), await end(short)]).toEqual([1, 5]);
  server.clock.moveOn(4 * 3600);
  expect(await isOpen(unused)).toBe(false);
  expect(await end(short)).toBe(4);
  server.clock.moveOn(3 * 3600 + 1800);
  expect(await isOpen(short)).toBe(true);
  server.clock.moveOn(1900);
  expect(await isOpen(short)).toBe(false);
});

test("devices from before session_hours was set end like later ones", async () => {
  const { db, config, log } = server.services;
  const before = await device("short");
  await db.query(
    `update service.sessions
     set latest_end = null, expires_at = created_at + interval '30 days'
     where latest_end is not null`,
  );
  await endFormerInBackground({
    db,
    config: { ...config, auth: { ...config.auth, idleHours: null } },
    log,
  });
  server.clock.moveOn(8 * 3600 - 60);
  expect(await isOpen(before)).toBe(true);
  server.clock.moveOn(120);
  expect(await isOpen(before)).toBe(false);
});
