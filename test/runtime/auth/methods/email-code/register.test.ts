import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, client, type Reply } from "../../../../support/http/client.js";
import { atOnce, countStatuses } from "../../support/concurrency.js";
import { newestMail, otherCode, tokenIn } from "../../support/mails.js";
import { trySignIn } from "../../support/people.js";
import { disable, forgetProof } from "../../support/rows.js";
import { type AuthServer, startAuth } from "../../support/server.js";

let server: AuthServer;
let anonymous: Client;
let email: string;
let names = 0;

beforeAll(async () => {
  server = await startAuth("auth: { check_breached_passwords: false, register_by_email: true }\n");
  anonymous = client(server.url, null);
});
beforeEach(() => {
  server.outbox.clear();
  names += 1;
  email = `nobody-${names}@example.com`;
});
afterAll(() => server.close());

type Way = "code" | "link";
const ways: readonly Way[] = ["code", "link"];
const paths = { code: "/auth/email-code", link: "/auth/magic-link" } as const;

interface SignedIn {
  readonly token: string;
  readonly user: { readonly id: string; readonly name: string; readonly role: string | null };
  readonly code?: string;
}

/** Requests an email, and resolves with the body that proves the address. */
async function mailed(way: Way, to = email): Promise<object> {
  const reply = await anonymous.post(paths[way], { email: to });
  expect([reply.status, reply.text]).toEqual([204, ""]);
  if (way === "code") {
    return { email: to, code: newestMail(server, to, "sign-in-code").code };
  }
  return { token: tokenIn(newestMail(server, to, "sign-in-link").link) };
}

const verify = (way: Way, body: object): Promise<Reply<SignedIn>> =>
  anonymous.post(`${paths[way]}/verify`, body);

async function accounts(): Promise<readonly object[]> {
  return server.services.db.query(
    `select name, role, password_hash, email_verified_at is not null as verified
     from service.users
     where email = $1`,
    [email],
  );
}

test.each(ways)("a %s creates a verified account when it is used, once", async (way) => {
  const proof = await mailed(way);
  expect(await accounts()).toEqual([]);
  const reply = await verify(way, proof);
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body.user).toMatchObject({ name: `nobody-${names}`, role: null });
  expect(await accounts()).toEqual([
    { name: `nobody-${names}`, role: null, password_hash: null, verified: true },
  ]);
  const again = await verify(way, proof);
  expect([again.status, again.body.code]).toEqual([
    401,
    way === "code" ? "OTP_EXPIRED" : "INVALID_TOKEN",
  ]);
  const events = await server.services.db.query(
    "select kind from service.account_events where account_id = $1 order by id",
    [reply.body.user.id],
  );
  expect(events).toEqual([{ kind: "account-created" }, { kind: "signed-in" }]);
});

test.each(ways)("with a %s the name may be sent; a known account keeps its own", async (way) => {
  const proof = await mailed(way);
  expect((await verify(way, { ...proof, name: " Ada Lovelace " })).body.user.name).toBe(
    "Ada Lovelace",
  );
  const later = await mailed(way);
  const reply = await verify(way, { ...later, name: "Somebody else" });
  expect([reply.status, reply.body.user.name]).toEqual([201, "Ada Lovelace"]);
  const wrong = await verify(way, { ...(await mailed(way)), name: "" });
  expect(wrong.status).toBe(422);
});

test.each(ways)("an unknown address is mailed a %s as a known one is", async (way) => {
  const known = await server.account(`known-${names}`);
  await forgetProof(server, known);
  await mailed(way, known);
  await mailed(way);
  const [one, other] = server.outbox.messages.map(({ to: _, ...mail }) => mail);
  const shape = { code: expect.any(String) as unknown, link: expect.any(String) as unknown };
  expect({ ...one, ...shape }).toEqual({ ...other, ...shape });
  const rows = await server.services.db.query(
    `select purpose, tries, spent_at, expires_at from service.mailed_proofs
     where email = any ($1)`,
    [[known, email]],
  );
  expect(rows).toHaveLength(2);
  expect(rows[0]).toEqual(rows[1]);
});

test("an unknown address has the limits of a known one", async () => {
  const replies: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    replies.push((await anonymous.post(paths.code, { email })).status);
  }
  expect(replies).toEqual([204, 204, 204, 204, 204, 204, 429]);
  const { code } = newestMail(server, email, "sign-in-code");
  for (let guess = 0; guess < 5; guess += 1) {
    const wrong = await verify("code", { email, code: otherCode(code) });
    expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_OTP"]);
  }
  expect((await verify("code", { email, code })).status).toBe(429);
  expect(await accounts()).toEqual([]);
});

test.each(ways)("one of twenty concurrent uses of a %s creates the account", async (way) => {
  const proof = await mailed(way);
  const replies = await atOnce(20, () => verify(way, proof));
  expect(countStatuses(replies)).toEqual({ 201: 1, 401: 19 });
  expect(await accounts()).toHaveLength(1);
});

test("a code and a link used at the same moment sign in to one account", async () => {
  const [code, link] = [await mailed("code"), await mailed("link")];
  const replies = await Promise.all([verify("code", code), verify("link", link)]);
  expect(countStatuses(replies)).toEqual({ 201: 2 });
  expect(new Set(replies.map(({ body }) => body.user.id)).size).toBe(1);
  expect(await accounts()).toHaveLength(1);
});

test("an account created meanwhile is signed in to, and a disabled one is not", async () => {
  const proof = await mailed("code");
  const made = await server.account(`nobody-${names}`);
  expect((await verify("code", { ...proof, name: "Other" })).body.user.name).toBe(
    `nobody-${names}`,
  );
  await disable(server, made);
  expect((await anonymous.post(paths.code, { email })).status).toBe(204);
  expect(server.outbox.to(email)).toHaveLength(1);
});

test("no reset link is mailed, and no password opens the account", async () => {
  await anonymous.post("/auth/password/forgot", { email });
  expect(server.outbox.messages).toEqual([]);
  await verify("code", await mailed("code"));
  expect((await trySignIn(server, email)).status).toBe(401);
});

test("the configuration shows it; without the key nothing is mailed, and no name is accepted", async () => {
  const config = await anonymous.get<object>("/auth/config");
  expect(config.body).toMatchObject({ registerByEmail: true });
  const other = await startAuth();
  try {
    const outside = client(other.url, null);
    expect((await outside.get<object>("/auth/config")).body).not.toHaveProperty("registerByEmail");
    for (const way of ways) {
      expect((await outside.post(paths[way], { email })).status).toBe(204);
    }
    expect(other.outbox.messages).toEqual([]);
    for (const body of [{ email, code: "123456" }, { token: "a" }]) {
      const path = "code" in body ? paths.code : paths.link;
      const named = await outside.post<object>(`${path}/verify`, { ...body, name: "Ada" });
      expect([named.status, named.body]).toMatchObject([422, { issues: [{ path: "name" }] }]);
    }
  } finally {
    await other.close();
  }
});
