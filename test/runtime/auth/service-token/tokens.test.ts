import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  createToken,
  type ListedToken,
  listTokens,
  revokeToken,
} from "../../../../runtime/auth/index.js";
import { type Client, client } from "../../../support/http/client.js";
import { signInWith, trySignIn } from "../support/people.js";
import { addSecondStep, disable } from "../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;
let email: string;

beforeAll(async () => {
  server = await startAuth(
    "auth: { check_breached_passwords: false, token_lifetime_days: 2, operators: [admin] }\n",
  );
});
beforeEach(async () => {
  server.clock.moveOn(61);
  await server.services.db.query("delete from service.users");
  email = await server.account("robot", "admin");
});
afterAll(() => server.close());

const day = 86_400;

interface Made extends ListedToken {
  readonly token: string;
  readonly caller: Client;
}

async function made(days: number | "never" | null = null, name = "Nightly export"): Promise<Made> {
  const result = await createToken(server.services, { email, name, days });
  if (result?.kind !== "made") throw new Error(`No token: ${result?.kind}`);
  return { ...result.listed, token: result.token, caller: client(server.url, result.token) };
}

const statusOf = async (caller: Client) => (await caller.get("/auth/me")).status;

const kinds = async () => {
  const text = "select kind, by_id from service.account_events order by id";
  return server.services.db.query<{ kind: string; by_id: string | null }>(text);
};

test("a service token acts as its account and is a device in its list", async () => {
  const { id, caller } = await made();
  const owner = await signInWith(server, email);
  expect((await caller.get("/auth/me")).body).toMatchObject({
    user: { email, role: "admin" },
    session: { id },
    operator: true,
  });
  const { body } = await owner.caller.get<{ data: readonly object[] }>("/auth/sessions");
  const now = server.services.clock.now();
  expect(body.data.at(1)).toEqual({
    id,
    name: "Nightly export",
    browser: null,
    ipAddress: null,
    current: false,
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 2 * day * 1000).toISOString(),
  });
});

test("only its hash is stored", async () => {
  const { token } = await made();
  expect(token).toMatch(/^[\w-]{43}$/);
  const rows = await server.services.db.query("select * from service.sessions");
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("it lives as long as a sign-in, for the requested days, or until it is revoked", async () => {
  const [usual, long, endless] = [await made(), await made(3), await made("never")];
  expect(endless.expiresAt).toBeNull();
  const statuses = () => Promise.all([usual, long, endless].map(({ caller }) => statusOf(caller)));
  server.clock.moveOn(2 * day - 5);
  expect(await statuses()).toEqual([200, 200, 200]);
  server.clock.moveOn(10);
  expect(await statuses()).toEqual([401, 200, 200]);
  server.clock.moveOn(day);
  expect(await statuses()).toEqual([401, 401, 200]);
  const { caller } = await signInWith(server, email);
  const list = await caller.get<{ data: readonly object[] }>("/auth/sessions");
  expect(list.body.data).toMatchObject([{ current: true }, { id: endless.id, expiresAt: null }]);
  expect(await listTokens(server.services)).toMatchObject([{ id: endless.id, expiresAt: null }]);
  server.clock.moveOn(3000 * day);
  expect(await statuses()).toEqual([401, 401, 200]);
});

test("it is never a fresh sign-in: it adds no passkey and writes no account", async () => {
  const { caller } = await made();
  const stale = { status: 403, body: { code: "SESSION_NOT_FRESH" } };
  expect(await caller.post("/auth/passkeys/options", {})).toMatchObject(stale);
  const invitation = { name: "Ann", email: "ann@example.com" };
  expect(await caller.post("/_service/accounts", invitation)).toMatchObject(stale);
  expect((await caller.get("/_service/accounts")).status).toBe(200);
});

test("it ends itself by its id, in either case, and nothing else", async () => {
  const [one, two, three] = [await made(), await made(), await made()];
  const unknown = "0190a000-0000-7000-8000-000000000000";
  for (const id of [two.id, unknown, "x"]) {
    const reply = await one.caller.delete(`/auth/sessions/${id}`);
    expect(reply, id).toMatchObject({ status: 403, body: { code: "SESSION_NOT_FRESH" } });
  }
  expect((await two.caller.delete(`/auth/sessions/${two.id.toUpperCase()}`)).status).toBe(204);
  expect((await three.caller.delete("/auth/token")).status).toBe(204);
  expect(await statusOf(one.caller)).toBe(200);
  expect([await statusOf(two.caller), await statusOf(three.caller)]).toEqual([401, 401]);
});

test("sign-ins beyond a hundred devices end no service token", async () => {
  const { caller } = await made("never");
  await server.services.db.query(
    `insert into service.sessions
       (id, user_id, token_hash, proofs, created_at, last_used_at, expires_at)
     select gen_random_uuid(), id, sha256(n::text::bytea), '{password}',
       now() + interval '10 years', now() + interval '10 years', now() + interval '20 years'
     from service.users, generate_series(1, 100) as n`,
  );
  const device = await signInWith(server, email);
  const { body } = await device.caller.get<{ data: readonly object[] }>("/auth/sessions");
  expect(body.data).toHaveLength(101);
  expect(await statusOf(caller)).toBe(200);
});

test("it ends as other devices do", async () => {
  const owner = await signInWith(server, email);
  const [one, two, three] = [await made(), await made(), await made()];
  expect((await owner.caller.delete(`/auth/sessions/${one.id}`)).status).toBe(204);
  expect(await statusOf(one.caller)).toBe(401);
  expect((await two.caller.delete("/auth/token")).status).toBe(204);
  expect(await statusOf(two.caller)).toBe(401);
  await owner.caller.post("/auth/password", {
    currentPassword: rightPassword,
    newPassword: "another password",
  });
  expect(await statusOf(three.caller)).toBe(401);
});

test("it is revoked at once, by its own id only", async () => {
  const { id, caller } = await made("never");
  const device = await signInWith(server, email);
  expect(await revokeToken(server.services, device.sessionId)).toBe(false);
  expect(await revokeToken(server.services, "0190a000-0000-7000-8000-000000000000")).toBe(false);
  expect(await revokeToken(server.services, id)).toBe(true);
  expect(await revokeToken(server.services, id)).toBe(false);
  expect(await statusOf(caller)).toBe(401);
  expect(await statusOf(device.caller)).toBe(200);
});

test("each is recorded: created and revoked on the command line, and ended by its owner", async () => {
  await server.services.db.query("delete from service.account_events");
  const [one, two] = [await made(), await made()];
  await revokeToken(server.services, one.id);
  await two.caller.delete("/auth/token");
  const [row] = await server.services.db.query<{ id: string }>("select id from service.users");
  expect(await kinds()).toEqual([
    { kind: "token-created", by_id: null },
    { kind: "token-created", by_id: null },
    { kind: "token-revoked", by_id: null },
    { kind: "token-revoked", by_id: row?.id },
  ]);
});

test("a disabled or unknown account gets none, and no account more than a hundred", async () => {
  const request = { email, name: "Export", days: null };
  expect(await createToken(server.services, { ...request, email: "x@example.com" })).toBeNull();
  await expect(createToken(server.services, { ...request, name: " " })).rejects.toThrow();
  for (let at = 0; at < 100; at += 1) await made("never");
  expect(await createToken(server.services, request)).toEqual({ kind: "too-many", limit: 100 });
  await disable(server, email);
  expect(await createToken(server.services, request)).toEqual({ kind: "disabled-account" });
});

test("a token needs no second step, and signing in still does", async () => {
  await addSecondStep(server, email, "email");
  const { caller } = await made();
  expect(await statusOf(caller)).toBe(200);
  expect((await trySignIn(server, email)).status).toBe(200);
});
