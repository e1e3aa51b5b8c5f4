import jsqr from "jsqr";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Client, client, type Reply } from "../../../support/http/client.js";
import { test, testFirst } from "../../../support/rare.js";
import { mailedCode, otherCode } from "../support/mails.js";
import { type Person, person, trySignIn } from "../support/people.js";
import { forgetPassword } from "../support/rows.js";
import {
  addApp,
  appPerson,
  type Confirmed,
  challenge,
  emailPerson,
  enableApp,
  type Invited,
  totp,
  verify,
} from "../support/second-step.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuth(
    "app: { name: 'Ben & Söhne' }\nauth: { check_breached_passwords: false }\n",
  );
});
beforeEach(() => server.clock.moveOn(61));
afterAll(() => server.close());

const wrong = {
  error: "Wrong code",
  code: "INVALID_TWO_FACTOR_CODE",
  issues: [{ path: "code", message: "Is wrong" }],
};
const notOn = { error: "The second step is not enabled", code: "TWO_FACTOR_NOT_ENABLED" };
const alreadyOn = {
  error: "The second step is already enabled",
  code: "TWO_FACTOR_ALREADY_ENABLED",
};
const password = rightPassword;

/** What a camera would read of the picture. */
async function readQrCode(picture: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const read = jsqr as unknown as typeof jsqr.default;
  return read(new Uint8ClampedArray(data), info.width, info.height)?.data;
}

function enable(caller: Client, method?: string): Promise<Reply<Invited>> {
  return caller.post<Invited>("/auth/two-factor/enable", { password, method });
}

function confirm(caller: Client, code: string, more: object = {}): Promise<Reply<Confirmed>> {
  return caller.post<Confirmed>("/auth/two-factor/confirm", { code, ...more });
}

async function isOn({ caller }: Person): Promise<boolean> {
  const { body } = await caller.get<{ user: { twoFactorEnabled: boolean } }>("/auth/me");
  return body.user.twoFactorEnabled;
}

test("an authenticator is shown as text, address and picture, and nothing is enabled yet", async () => {
  const someone = await person(server, "o'hara");
  const { status, body, headers } = await enable(someone.caller);
  expect(status).toBe(200);
  expect(headers["cache-control"]).toBe("no-store");
  expect(Object.keys(body)).toEqual(["method", "secret", "uri", "qrCode"]);
  expect(body).toMatchObject({ method: "totp", secret: expect.stringMatching(/^[A-Z2-7]{32}$/) });
  expect(body.uri).toBe(
    `otpauth://totp/Ben%20%26%20S%C3%B6hne:o'hara%40example.com?secret=${body.secret}` +
      "&issuer=Ben%20%26%20S%C3%B6hne&algorithm=SHA1&digits=6&period=30",
  );
  const [, svg = ""] = /^data:image\/svg\+xml;base64,([A-Za-z0-9+/]+=*)$/.exec(body.qrCode) ?? [];
  expect(Buffer.from(svg, "base64").toString()).toMatch(/^<svg xmlns="http[^>]* width="240"/);
  expect(await readQrCode(Buffer.from(svg, "base64"))).toBe(body.uri);
  expect(await isOn(someone)).toBe(false);
  expect((await trySignIn(server, someone.email)).status).toBe(201);
});

test("its first right code enables it and shows ten backup codes", async () => {
  const someone = await person(server, "first");
  const { secret } = await enableApp(someone.caller);
  const { status, body, headers } = await confirm(someone.caller, totp(server, secret), {
    password,
  });
  expect(status).toBe(200);
  expect(headers["cache-control"]).toBe("no-store");
  expect(Object.keys(body)).toEqual(["backupCodes"]);
  expect(new Set(body.backupCodes).size).toBe(10);
  for (const code of body.backupCodes) {
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){4}$/);
  }
  expect(await isOn(someone)).toBe(true);
  expect((await trySignIn(server, someone.email)).body.methods).toEqual([
    "totp",
    "email",
    "backup",
  ]);
  const again = await confirm(someone.caller, totp(server, secret, 1));
  expect([again.status, again.body]).toEqual([422, notOn]);
});

test("an emailed code is mailed, and its first right one enables the method", async () => {
  const someone = await person(server, "mailed");
  server.outbox.clear();
  const reply = await enable(someone.caller, "email");
  expect([reply.status, reply.body]).toEqual([200, { method: "email" }]);
  const code = mailedCode(server, someone.email);
  const { email: to } = someone;
  expect(server.outbox.messages).toEqual([
    { kind: "set-up-code", to, name: "mailed", code, minutes: 10 },
  ]);
  const missed = await confirm(someone.caller, otherCode(code));
  expect([missed.status, missed.body]).toEqual([422, wrong]);
  expect(await isOn(someone)).toBe(false);
  const { status, body } = await confirm(someone.caller, ` ${code} `);
  expect([status, body.backupCodes.length]).toEqual([200, 10]);
  expect((await trySignIn(server, to)).body.methods).toEqual(["email", "backup"]);
});

test("an app replaces email and keeps the backup codes", async () => {
  const someone = await emailPerson(server, "replaced");
  const { secret, backupCodes } = await addApp(server, someone);
  expect(backupCodes).toEqual([]);
  const { rows } = await enrolled(someone);
  expect(rows).toEqual([{ app: true, email: false }]);
  const [code = ""] = someone.backupCodes;
  for (const proof of [
    { method: "backup", code },
    { method: "totp", code: totp(server, secret, 1) },
  ]) {
    const waiting = await challenge(server, someone.email);
    expect((await verify(server, { challenge: waiting, ...proof })).status).toBe(201);
  }
});

testFirst(
  ["totp", "email"],
  "an account without backup codes left gets ten new ones with the next kind, after %s",
  async (first) => {
    const someone =
      first === "totp"
        ? await appPerson(server, "used-up-app")
        : await emailPerson(server, "used-up-mail");
    for (const code of someone.backupCodes) {
      server.clock.moveOn(61);
      const waiting = await challenge(server, someone.email);
      const reply = await verify(server, { challenge: waiting, method: "backup", code });
      expect(reply.status).toBe(201);
    }
    let backupCodes: readonly string[];
    if (first === "totp") {
      await enable(someone.caller, "email");
      const { body } = await confirm(someone.caller, mailedCode(server, someone.email));
      backupCodes = body.backupCodes;
    } else {
      backupCodes = (await addApp(server, someone)).backupCodes;
    }
    expect(new Set([...backupCodes, ...someone.backupCodes]).size).toBe(20);
    server.clock.moveOn(61);
    const [code = ""] = backupCodes;
    const waiting = await challenge(server, someone.email);
    expect((await verify(server, { challenge: waiting, method: "backup", code })).status).toBe(201);
  },
);

test("email can be added to an app and keeps the backup codes", async () => {
  const someone = await appPerson(server, "beside");
  await enable(someone.caller, "email");
  const { status, body } = await confirm(someone.caller, mailedCode(server, someone.email));
  expect([status, body]).toEqual([200, { backupCodes: [] }]);
  expect((await enrolled(someone)).rows).toEqual([{ app: true, email: true }]);
  const code = totp(server, someone.secret, 1);
  const waiting = await challenge(server, someone.email);
  expect((await verify(server, { challenge: waiting, method: "totp", code })).status).toBe(201);
  for (const method of ["totp", "email"]) {
    const reply = await enable(someone.caller, method);
    expect([reply.status, reply.body]).toEqual([422, alreadyOn]);
  }
});

async function enrolled({ email }: Person) {
  const rows = await server.services.db.query<object>(
    `select authenticator_secret is not null as app, s.email
     from service.second_steps s
     join service.users u on u.id = s.user_id
     where u.email = $1`,
    [email],
  );
  return { rows };
}

test("the same method twice is refused", async () => {
  const someone = await emailPerson(server, "twice");
  const reply = await enable(someone.caller, "email");
  expect([reply.status, reply.body]).toEqual([422, alreadyOn]);
});

test("the time step of the confirmation is used, and those before it with it", async () => {
  const { email, secret } = await appPerson(server, "confirming");
  const waiting = await challenge(server, email);
  for (const [stepsAway, status] of [
    [0, 401],
    [-1, 401],
    [1, 201],
  ] as const) {
    const code = totp(server, secret, stepsAway);
    const reply = await verify(server, { challenge: waiting, method: "totp", code });
    expect(reply.status).toBe(status);
  }
});

test("enabling it ends sign-ins in progress; devices that are signed in stay", async () => {
  const someone = await emailPerson(server, "stay");
  const waiting = await challenge(server, someone.email);
  const [code = ""] = someone.backupCodes;
  expect(await begun(someone)).toEqual({ generation: 1, challenges: 1 });
  await addApp(server, someone);
  expect(await begun(someone)).toEqual({ generation: 2, challenges: 0 });
  const reply = await verify(server, { challenge: waiting, method: "backup", code });
  expect(reply.body).toMatchObject({ code: "OTP_EXPIRED" });
  expect(await isOn(someone)).toBe(true);
});

/** What decides whether sign-ins under way may continue. */
async function begun({ email }: Person): Promise<object | undefined> {
  const rows = await server.services.db.query<object>(
    `select generation,
       (select count(*)::int from service.challenges where user_id = u.id) as challenges
     from service.users u
     where email = $1`,
    [email],
  );
  return rows[0];
}

test("every wrong password is reported with its path and changes nothing", async () => {
  const someone = await appPerson(server, "asked");
  const bodies = [
    ["enable", { password: "wrong password", method: "email" }],
    ["disable", { password: "wrong password" }],
    ["backup-codes", { password: "wrong password" }],
    ["confirm", { password: "wrong password", code: "123456" }],
  ] as const;
  for (const [path, body] of bodies) {
    const reply = await someone.caller.post<object>(`/auth/two-factor/${path}`, body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      error: "Wrong password",
      code: "INVALID_PASSWORD",
      issues: [{ path: "password", message: "Is wrong" }],
    });
  }
  expect(await isOn(someone)).toBe(true);
});

test("a wrong password at confirming costs no guess", async () => {
  const someone = await person(server, "costless");
  const { secret } = await enableApp(someone.caller);
  for (let count = 0; count < 6; count += 1) {
    await confirm(someone.caller, "123456", { password: "wrong password" });
  }
  expect((await confirm(someone.caller, totp(server, secret))).status).toBe(200);
});

test("repeated passwords count towards the ten a minute", async () => {
  const someone = await person(server, "ten");
  server.clock.moveOn(61);
  const wrongPassword = { password: "wrong password" };
  for (let count = 0; count < 10; count += 1) {
    const reply = await someone.caller.post("/auth/two-factor/disable", wrongPassword);
    expect(reply.status).toBe(422);
  }
  for (const path of ["enable", "disable", "backup-codes"]) {
    const reply = await someone.caller.post<object>(`/auth/two-factor/${path}`, { password });
    expect([reply.status, reply.body]).toMatchObject([429, { code: "TOO_MANY_ATTEMPTS" }]);
    expect(reply.headers["retry-after"]).toBe("60");
  }
});

test("an account without a password is refused with the hint how to get one", async () => {
  const someone = await person(server, "passwordless");
  await forgetPassword(server, someone.email);
  for (const path of ["enable", "disable", "backup-codes"]) {
    const reply = await someone.caller.post<object>(`/auth/two-factor/${path}`, { password });
    expect([reply.status, reply.body]).toMatchObject([422, { code: "PASSWORD_NOT_SET" }]);
  }
});

test("confirming without a set-up, and disabling or replacing a second step that is off, is refused", async () => {
  const { caller } = await person(server, "off");
  for (const reply of [
    await confirm(caller, "123456"),
    await caller.post("/auth/two-factor/disable", { password }),
    await caller.post("/auth/two-factor/backup-codes", { password }),
  ]) {
    expect([reply.status, reply.body]).toEqual([422, notOn]);
  }
});

test("a set-up expires after ten minutes", async () => {
  const someone = await person(server, "slow");
  const { secret } = await enableApp(someone.caller);
  server.clock.moveOn(599.999);
  expect((await confirm(someone.caller, "000000")).body).toEqual(wrong);
  server.clock.moveOn(0.001);
  const late = await confirm(someone.caller, totp(server, secret));
  expect([late.status, late.body]).toEqual([422, notOn]);
});

test("a set-up allows five guesses; further ones are 429 until it expires", async () => {
  const someone = await person(server, "guessing");
  await enable(someone.caller, "email");
  const code = mailedCode(server, someone.email);
  server.clock.moveOn(60.5);
  for (let count = 0; count < 5; count += 1) {
    expect((await confirm(someone.caller, otherCode(code))).body).toEqual(wrong);
  }
  for (const guess of [otherCode(code), code]) {
    const reply = await confirm(someone.caller, guess);
    expect([reply.status, reply.body]).toMatchObject([429, { code: "TOO_MANY_ATTEMPTS" }]);
    expect(reply.headers["retry-after"]).toBe("540");
  }
  server.clock.moveOn(539.5);
  expect((await confirm(someone.caller, code)).body).toEqual(notOn);
  await enable(someone.caller, "email");
  expect((await confirm(someone.caller, mailedCode(server, someone.email))).status).toBe(200);
});

test("a new set-up replaces the previous one of either kind, and has its own guesses", async () => {
  const { caller, email } = await person(server, "anew");
  const former = await enableApp(caller);
  for (let count = 0; count < 5; count += 1) await confirm(caller, "000000");
  await enable(caller, "email");
  const mailed = mailedCode(server, email);
  expect((await confirm(caller, totp(server, former.secret))).body).toEqual(wrong);
  const { secret } = await enableApp(caller);
  expect((await confirm(caller, totp(server, former.secret))).body).toEqual(wrong);
  expect((await confirm(caller, mailed)).body).toEqual(wrong);
  expect((await confirm(caller, totp(server, secret))).status).toBe(200);
});

test("the set-up of one account does not affect another", async () => {
  const [one, other] = [await person(server, "one"), await person(server, "other")];
  await enable(one.caller, "email");
  await enable(other.caller, "email");
  const code = mailedCode(server, one.email);
  if (code === mailedCode(server, other.email)) return;
  expect((await confirm(other.caller, code)).body).toEqual(wrong);
  expect((await confirm(one.caller, code)).status).toBe(200);
});

test("six set-up codes an hour are mailed, and others are counted separately", async () => {
  const someone = await person(server, "six");
  server.outbox.clear();
  for (let count = 0; count < 6; count += 1) {
    expect((await enable(someone.caller, "email")).status).toBe(200);
  }
  const code = mailedCode(server, someone.email);
  const reply = await enable(someone.caller, "email");
  expect([reply.status, reply.body]).toMatchObject([429, { code: "TOO_MANY_ATTEMPTS" }]);
  expect(reply.headers["retry-after"]).toBe("3600");
  expect(server.outbox.messages).toHaveLength(6);
  expect((await confirm(someone.caller, code)).status).toBe(200);
  const body = { challenge: await challenge(server, someone.email) };
  expect((await client(server.url, null).post("/auth/two-factor/send", body)).status).toBe(204);
});

test("disabling it removes everything and ends sign-ins in progress", async () => {
  const someone = await appPerson(server, "switched-off");
  const waiting = await challenge(server, someone.email);
  await enable(someone.caller, "email");
  const { status, text } = await someone.caller.post("/auth/two-factor/disable", { password });
  expect([status, text]).toEqual([204, ""]);
  expect(await isOn(someone)).toBe(false);
  expect(await begun(someone)).toEqual({ generation: 2, challenges: 0 });
  const [code = ""] = someone.backupCodes;
  const late = await verify(server, { challenge: waiting, method: "backup", code });
  expect(late.body).toMatchObject({ code: "OTP_EXPIRED" });
  expect((await confirm(someone.caller, mailedCode(server, someone.email))).body).toEqual(notOn);
  expect((await trySignIn(server, someone.email)).status).toBe(201);

  server.clock.moveOn(61);
  const { secret, backupCodes } = await addApp(server, someone);
  expect([secret === someone.secret, backupCodes.length]).toEqual([false, 10]);
  const next = await challenge(server, someone.email);
  const old = await verify(server, { challenge: next, method: "backup", code });
  expect(old.body).toMatchObject({ code: "INVALID_TWO_FACTOR_CODE" });
});

test("ten new backup codes invalidate the old ones", async () => {
  const someone = await appPerson(server, "renewed");
  const path = "/auth/two-factor/backup-codes";
  const { status, body } = await someone.caller.post<Confirmed>(path, { password });
  expect([status, new Set([...body.backupCodes, ...someone.backupCodes]).size]).toEqual([200, 20]);
  const waiting = await challenge(server, someone.email);
  const [old = ""] = someone.backupCodes;
  const [code = ""] = body.backupCodes;
  const refused = await verify(server, { challenge: waiting, method: "backup", code: old });
  expect(refused.body).toMatchObject({ code: "INVALID_TWO_FACTOR_CODE" });
  expect((await verify(server, { challenge: waiting, method: "backup", code })).status).toBe(201);
});

test.each(["enable", "confirm", "disable", "backup-codes"])("%s needs a token", async (path) => {
  const reply = await client(server.url, null).post(`/auth/two-factor/${path}`, { password });
  expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
});

test.each([
  ["enable", {}, ["password"]],
  ["enable", { password, method: "backup" }, ["method"]],
  ["enable", { password, method: null }, ["method"]],
  ["confirm", {}, ["code"]],
  ["confirm", { code: 123456, password: 5, method: "totp" }, ["code", "password", "method"]],
  ["disable", { password, all: true }, ["all"]],
  ["backup-codes", {}, ["password"]],
])("%s refuses the body %j", async (path, body, paths) => {
  const { caller } = await person(server, `shape-${Math.random()}`);
  const reply = await caller.post<object>(`/auth/two-factor/${path}`, body);
  expect(reply.status).toBe(422);
  expect(reply.body).toEqual({
    error: "The values are not valid",
    issues: paths.map((name) => ({ path: name, message: expect.stringMatching(/./) })),
  });
});
