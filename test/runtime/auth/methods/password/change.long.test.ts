import argon2 from "argon2";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectRefusal, paths } from "../../../../support/apps/shop.js";
import { client, type Reply } from "../../../../support/http/client.js";
import { newestMail, tokenIn } from "../../support/mails.js";
import { type SignedInDevice, signInWith, statusesOf } from "../../support/people.js";
import { addSecondStep } from "../../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../../support/server.js";

let server: AuthServer;
let email: string;
let device: SignedInDevice;

const newPassword = "another right password";

beforeAll(async () => {
  server = await startAuth();
});
beforeEach(async () => {
  server.clock.moveOn(61);
  await server.services.db.query("delete from service.users");
  email = await server.account("ada");
  device = await signInWith(server, email);
});
afterAll(() => server.close());

function change(currentPassword: unknown, next: unknown = newPassword, by = device) {
  return by.caller.post("/auth/password", { currentPassword, newPassword: next });
}

async function signInStatus(password: string): Promise<number> {
  return (await client(server.url, null).post("/auth/token", { email, password })).status;
}

function expectWrong(reply: Reply): void {
  expect([reply.status, reply.body]).toEqual([
    422,
    {
      error: "Wrong password",
      code: "INVALID_PASSWORD",
      issues: [{ path: "currentPassword", message: "Is wrong" }],
    },
  ]);
}

test("the new password works from now on, and every other device is signed out", async () => {
  const others = [await signInWith(server, email), await signInWith(server, email)];
  const reply = await change(rightPassword);
  expect([reply.status, reply.text]).toEqual([204, ""]);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(await statusesOf([device, ...others])).toEqual([200, 401, 401]);
  expect(await signInStatus(rightPassword)).toBe(401);
  expect(await signInStatus(newPassword)).toBe(201);
});

test("earlier codes, links and challenges no longer work", async () => {
  const anonymous = client(server.url, null);
  await server.services.db.query("delete from service.mailed_proofs");
  for (const path of ["/auth/email-code", "/auth/magic-link", "/auth/password/forgot"]) {
    expect((await anonymous.post(path, { email })).status).toBe(204);
  }
  await addSecondStep(server, email, "email");
  const signIn = { email, password: rightPassword };
  const pending = await anonymous.post<{ challenge: string }>("/auth/token", signIn);
  const { challenge } = pending.body;
  expect((await change(rightPassword)).status).toBe(204);

  const { code } = newestMail(server, email, "sign-in-code");
  const link = tokenIn(newestMail(server, email, "sign-in-link").link);
  const reset = tokenIn(newestMail(server, email, "reset-link").link);
  const replies = [
    await anonymous.post("/auth/email-code/verify", { email, code }),
    await anonymous.post("/auth/magic-link/verify", { token: link }),
    await anonymous.post("/auth/password/reset", { token: reset, newPassword }),
    await anonymous.post("/auth/two-factor/send", { challenge }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
});

test("a wrong current password changes nothing", async () => {
  const other = await signInWith(server, email);
  expectWrong(await change("wrong password"));
  expectWrong(await change("x".repeat(300)));
  expect(await statusesOf([device, other])).toEqual([200, 200]);
  expect(await signInStatus(rightPassword)).toBe(201);
});

test("an account without a password gets the hint to set one by a reset link", async () => {
  await server.services.db.query("update service.users set password_hash = null");
  const reply = await change("");
  expectRefusal(reply, 422, ["code"]);
  expect(reply.body).toMatchObject({ code: "PASSWORD_NOT_SET" });
});

test("checks the rules for the new password, after the current one is right", async () => {
  const short = await change(rightPassword, "short");
  expect(short.body).toEqual({
    error: "The password is too short",
    code: "PASSWORD_TOO_SHORT",
    issues: [{ path: "newPassword", message: "Must have at least 8 characters" }],
  });
  expect((await change(rightPassword, "x".repeat(257))).body).toMatchObject({
    code: "PASSWORD_TOO_LONG",
  });
  expectWrong(await change("wrong password", "short"));
  expect(await signInStatus(rightPassword)).toBe(201);
});

test("attempts count towards the ten a minute, sign-ins included", async () => {
  for (let tries = 1; tries < 10; tries += 1) expectWrong(await change("wrong password"));
  const late = await change(rightPassword);
  expect([late.status, late.body]).toEqual([
    429,
    { error: "Too many attempts", code: "TOO_MANY_ATTEMPTS" },
  ]);
  expect(late.headers["retry-after"]).toBe("60");
  expect(await signInStatus(rightPassword)).toBe(429);
  server.clock.moveOn(60);
  expect((await change(rightPassword)).status).toBe(204);
});

test.each([
  [{}, ["currentPassword", "newPassword"]],
  [{ currentPassword: 5, newPassword: null }, ["currentPassword", "newPassword"]],
  [{ currentPassword: "a", newPassword: "b", password: "c" }, ["password"]],
])("refuses the body %j", async (body, expected) => {
  expect(paths(await device.caller.post("/auth/password", body))).toEqual(expected);
});

test("without a token it is 401", async () => {
  const body = { currentPassword: rightPassword, newPassword };
  expectRefusal(await client(server.url, null).post("/auth/password", body), 401);
});

test("one of five concurrent changes succeeds, and only its device stays signed in", async () => {
  const devices = [device];
  while (devices.length < 5) devices.push(await signInWith(server, email));
  const replies = await Promise.all(
    devices.map((by, at) => change(rightPassword, `password number ${at}`, by)),
  );
  const winner = replies.findIndex(({ status }) => status === 204);
  expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
  for (const { status } of replies) expect([204, 401, 422]).toContain(status);
  expect(await statusesOf(devices)).toEqual(devices.map((_, at) => (at === winner ? 200 : 401)));
  server.clock.moveOn(61);
  expect(await signInStatus(`password number ${winner}`)).toBe(201);
});

test("the later of two changes from one device is refused as wrong", async () => {
  const replies = await Promise.all([
    change(rightPassword, "password number 1"),
    change(rightPassword, "password number 2"),
  ]);
  const [first, late] = replies.sort((one, other) => one.status - other.status);
  expect(first.status).toBe(204);
  expectWrong(late);
});

test("a weak hash that a sign-in replaces meanwhile does not stop the change", async () => {
  const weak = await argon2.hash(rightPassword, { timeCost: 2, memoryCost: 4096, parallelism: 1 });
  await server.services.db.query("update service.users set password_hash = $1", [weak]);
  const replies = await Promise.all([change(rightPassword), signInStatus(rightPassword)]);
  expect(replies[0].status).toBe(204);
  expect(await signInStatus(newPassword)).toBe(201);
});
