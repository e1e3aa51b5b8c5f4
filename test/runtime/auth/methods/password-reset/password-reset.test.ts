import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Client, client, type Reply } from "../../../../support/http/client.js";
import { rare, test } from "../../../../support/rare.js";
import { newestMail, tokenIn } from "../../support/mails.js";
import {
  addPasskey,
  addSecondStep,
  forgetPassword,
  forgetProof,
  introduce,
} from "../../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../../support/server.js";

const newPassword = "a new password";

let list: Server;
let asked: number;
let server: AuthServer;
let anonymous: Client;
let email: string;
let accounts = 0;

beforeAll(async () => {
  list = createServer((_, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => list.listen(0, "127.0.0.1", resolve));
  const { port } = list.address() as AddressInfo;
  server = await startAuth("", { SERVICE_BREACH_URL: `http://127.0.0.1:${port}` });
  anonymous = client(server.url, null);
});
beforeEach(async () => {
  accounts += 1;
  email = await server.account(`person-${accounts}`);
  asked = 0;
});
afterAll(async () => {
  await server.close();
  list.closeAllConnections();
  list.close();
});

function signIn(password: string) {
  return anonymous.post<{ token?: string; challenge?: string }>("/auth/token", { email, password });
}

async function resetToken(): Promise<string> {
  await anonymous.post("/auth/password/forgot", { email });
  return tokenIn(newestMail(server, email, "reset-link").link);
}

function reset(token: string, password = newPassword): Promise<Reply<object>> {
  return anonymous.post<object>("/auth/password/reset", { token, newPassword: password });
}

async function count(table: string): Promise<number> {
  const rows = await server.services.db.query<{ rows: number }>(
    `select count(*)::int as rows
     from service.${table} t
     join service.users u on u.id = t.user_id
     where u.email = $1`,
    [email],
  );
  return rows[0]?.rows ?? -1;
}

test("the mail greets its reader by name and holds the link and how long it works", async () => {
  const reply = await anonymous.post("/auth/password/forgot", { email });
  expect(reply.status).toBe(204);
  expect(server.outbox.to(email)).toEqual([
    {
      kind: "reset-link",
      to: email,
      name: `person-${accounts}`,
      link: expect.stringMatching(/^http:\/\/localhost:3001\/reset-password\?token=[\w-]{43}$/),
      minutes: 60,
    },
  ]);
});

test("no mail is sent if its link would not work", async () => {
  const without = await startAuth("auth: { magic_link: false, passkeys: false }\n", {
    NODE_ENV: "production",
  });
  try {
    const body = { email: await without.account("ada") };
    const reply = await client(without.url, null).post("/auth/password/forgot", body);
    expect(reply.status).toBe(204);
    expect(without.outbox.messages).toEqual([]);
  } finally {
    await without.close();
  }
});

test("the link sets another password and gives no token", async () => {
  const reply = await reset(await resetToken());
  expect(reply.status).toBe(204);
  expect(reply.text).toBe("");
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect((await signIn(rightPassword)).status).toBe(401);
  expect((await signIn(newPassword)).status).toBe(201);
});

test("an account without a password gets one", async () => {
  await forgetPassword(server, email);
  expect((await reset(await resetToken())).status).toBe(204);
  expect((await signIn(newPassword)).status).toBe(201);
});

test("every device is signed out with the next request", async () => {
  const tokens = await Promise.all([signIn(rightPassword), signIn(rightPassword)]);
  const devices = tokens.map(({ body }) => client(server.url, body.token ?? null));
  for (const device of devices) expect((await device.get("/auth/me")).status).toBe(200);
  expect((await reset(await resetToken())).status).toBe(204);
  for (const device of devices) expect((await device.get("/auth/me")).status).toBe(401);
  expect(await count("sessions")).toBe(0);
});

test("a verified account keeps its passkeys and its second step; pending sign-ins end", async () => {
  await addPasskey(server, email);
  await addSecondStep(server, email, "authenticator");
  expect((await signIn(rightPassword)).body.challenge).toBeDefined();
  expect(await count("challenges")).toBe(1);
  expect((await reset(await resetToken())).status).toBe(204);
  expect(await count("challenges")).toBe(0);
  expect(await count("passkeys")).toBe(1);
  expect((await signIn(newPassword)).body).toMatchObject({ twoFactor: true });
});

test("on an unverified account it proves the address, removes passkeys and keeps the second step", async () => {
  await forgetProof(server, email);
  await addPasskey(server, email);
  await addSecondStep(server, email, "email");
  expect((await reset(await resetToken())).status).toBe(204);
  expect(await count("passkeys")).toBe(0);
  expect((await signIn(newPassword)).body).toMatchObject({ twoFactor: true });
  const text = "select email_verified_at as at from service.users where email = $1";
  expect(await server.services.db.query(text, [email])).toEqual([
    { at: server.services.clock.now() },
  ]);
});

test("on an unverified account it removes the name and the picture; a verified one keeps them", async () => {
  const text = "select name, avatar from service.users where email = $1";
  for (const [prepare, left] of [
    [forgetProof, { name: `person-${accounts}`, avatar: null }],
    [async () => {}, { name: "Mallory", avatar: `users/avatar/${email}` }],
  ] as const) {
    await server.services.db.query("update service.users set avatar = null");
    await server.services.db.query("delete from service.uploads");
    await introduce(server, email, "Mallory");
    await prepare(server, email);
    expect((await reset(await resetToken())).status).toBe(204);
    expect(await server.services.db.query(text, [email])).toEqual([left]);
  }
});

test.each([
  ["1234567", "PASSWORD_TOO_SHORT"],
  ["x".repeat(257), "PASSWORD_TOO_LONG"],
])("the password %j is refused, and the link still works", async (password, code) => {
  const token = await resetToken();
  const refused = await reset(token, password);
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ code, issues: [{ path: "newPassword" }] });
  expect((await signIn(rightPassword)).status).toBe(201);
  expect((await reset(token)).status).toBe(204);
});

test("an invalid link is refused before the password is checked", async () => {
  const token = await resetToken();
  await reset(token);
  asked = 0;
  for (const password of ["short", newPassword]) {
    const reply = await reset(token, password);
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ code: "INVALID_TOKEN" });
  }
  expect(asked).toBe(0);
});

test.each([
  [{}, ["token", "newPassword"]],
  [{ token: "a", newPassword: 12345678 }, ["newPassword"]],
  [{ token: "a", newPassword, email: "ada@example.com" }, ["email"]],
])("refuses the body %j", async (body, paths) => {
  const reply = await anonymous.post<{ issues: readonly { path: string }[] }>(
    "/auth/password/reset",
    body,
  );
  expect(reply.status).toBe(422);
  expect(reply.body.issues.map((issue) => issue.path)).toEqual(paths);
});

rare("no sign-in in progress with the old password survives", async () => {
  let opened = 0;
  for (let round = 0; round < 20; round += 1) {
    accounts += 1;
    email = await server.account(`person-${accounts}`);
    const token = await resetToken();
    const signIns = Array.from({ length: 6 }, async (_, at) => {
      await pause(at * 12);
      return signIn(rightPassword);
    });
    const [done, ...replies] = await Promise.all([reset(token), ...signIns]);
    expect(done.status).toBe(204);
    for (const { body, status } of replies) {
      expect([201, 401]).toContain(status);
      if (body.token === undefined) continue;
      opened += 1;
      expect((await client(server.url, body.token).get("/auth/me")).status).toBe(401);
    }
  }
  // Else nothing was tried.
  expect(opened).toBeGreaterThan(0);
});
