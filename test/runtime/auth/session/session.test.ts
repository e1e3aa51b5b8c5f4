import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { detailsOf } from "../../../support/apps/round.js";
import { type Client, client } from "../../../support/http/client.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;
let anonymous: Client;
let email: string;

beforeAll(async () => {
  server = await startAuth("auth: { check_breached_passwords: false, token_lifetime_days: 2 }\n");
  anonymous = client(server.url, null);
  email = await server.account("ada", "admin");
});
beforeEach(async () => {
  server.clock.moveOn(61);
  await server.services.db.query("update service.users set disabled_at = null, avatar = null");
});
afterAll(() => server.close());

async function signedIn(): Promise<Client> {
  const password = rightPassword;
  const reply = await anonymous.post<{ token: string }>("/auth/token", { email, password });
  return client(server.url, reply.body.token);
}

async function lastUse(): Promise<Date | undefined> {
  const rows = await server.services.db.query<{ at: Date }>(
    "select last_used_at as at from service.sessions order by created_at desc limit 1",
  );
  return rows[0]?.at;
}

test("me returns the whole user and the caller's session", async () => {
  const caller = await signedIn();
  const reply = await caller.get<object>("/auth/me");
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    user: {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: "ada",
      email: "ada@example.com",
      role: "admin",
      emailVerified: true,
      twoFactorEnabled: false,
      avatar: null,
      avatarFile: null,
      image: null,
    },
    session: { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) },
    operator: false,
  });
  expect(reply.headers["cache-control"]).toBe("no-store");
});

test("me has the picture's key twice and its file details as they were stored", async () => {
  const key = "users/avatar/2030/01/picture.webp";
  const details = detailsOf(key);
  await server.services.db.query(
    `insert into service.uploads (key, resource, field, details)
     values ($1, 'users', 'avatar', $2)`,
    [key, JSON.stringify(details)],
  );
  await server.services.db.query("update service.users set avatar = $1", [key]);
  const reply = await (await signedIn()).get<object>("/auth/me");
  expect(reply.body).toMatchObject({ user: { avatar: key, avatarFile: details, image: key } });
});

test("a revoked token is refused immediately, others of the account still work", async () => {
  const [one, other] = [await signedIn(), await signedIn()];
  const reply = await one.delete("/auth/token");
  expect(reply.status).toBe(204);
  expect(reply.text).toBe("");
  expect(reply.headers["cache-control"]).toBe("no-store");
  const after = await one.get("/auth/me");
  expect(after.status).toBe(401);
  expect(after.body).toEqual({ error: "Sign in first" });
  expect(after.headers["www-authenticate"]).toBe("Bearer");
  expect((await one.delete("/auth/token")).status).toBe(401);
  expect((await other.get("/auth/me")).status).toBe(200);
});

test("a token lives exactly as long as configured", async () => {
  const caller = await signedIn();
  server.clock.moveOn(2 * 86_400 - 0.001);
  expect((await caller.get("/auth/me")).status).toBe(200);
  server.clock.moveOn(0.001);
  expect((await caller.get("/auth/me")).status).toBe(401);
});

test("a disabled account's tokens are refused immediately", async () => {
  const caller = await signedIn();
  await server.services.db.query("update service.users set disabled_at = now()");
  expect((await caller.get("/auth/me")).status).toBe(401);
});

test("a missing, malformed or unknown token is 401", async () => {
  const token = "a".repeat(43);
  expect((await anonymous.get("/auth/me")).status).toBe(401);
  expect((await client(server.url, token).get("/auth/me")).status).toBe(401);
  expect((await client(server.url, `${token}'; --`).get("/auth/me")).status).toBe(401);
  expect((await anonymous.get(`/auth/me?access_token=${token}`)).status).toBe(401);
});

test("the last use is written at most once a minute", async () => {
  const caller = await signedIn();
  const opened = server.services.clock.now();
  server.clock.moveOn(59.999);
  await caller.get("/auth/me");
  expect(await lastUse()).toEqual(opened);
  server.clock.moveOn(0.001);
  await caller.get("/auth/me");
  await expect.poll(lastUse).toEqual(server.services.clock.now());
});

test("the configuration shows which sign-in methods are on", async () => {
  const reply = await anonymous.get<object>("/auth/config");
  expect(reply.status).toBe(200);
  expect(reply.text).toBe(
    '{"registration":false,"password":true,"magicLink":true,"emailCode":true,"passkeys":true,' +
      '"twoFactor":{"authenticator":true,"email":true},"requireEmailVerification":false,' +
      '"passwordMinLength":8}',
  );
  expect(reply.headers["cache-control"]).toBe("no-store");
});
