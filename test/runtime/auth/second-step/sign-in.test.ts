import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { codeDigest } from "../../../../runtime/auth/token/code.js";
import { client } from "../../../support/http/client.js";
import { mailedCode, otherCode } from "../support/mails.js";
import { person, type SignInAnswer, trySignIn } from "../support/people.js";
import { addUntilPruned } from "../support/pruning.js";
import { disable, forgetProof } from "../support/rows.js";
import {
  appPerson,
  challenge,
  challengeByMail,
  emailPerson,
  send,
  totp,
  verify,
} from "../support/second-step.js";
import { type AuthServer, startAuth } from "../support/server.js";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuth();
});
beforeEach(() => server.clock.moveOn(61));
afterAll(() => server.close());

const wrong = { error: "Wrong code", code: "INVALID_TWO_FACTOR_CODE" };
const over = { error: "The code is not valid or has expired", code: "OTP_EXPIRED" };

async function query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return server.services.db.query<Row>(text, values);
}

test("a password alone gives a challenge, and no token", async () => {
  const { email } = await appPerson(server, "app");
  const reply = await trySignIn(server, email);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    twoFactor: true,
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    methods: ["totp", "email", "backup"],
  });
  expect((await trySignIn(server, (await emailPerson(server, "mail")).email)).body.methods).toEqual(
    ["email", "backup"],
  );
});

test("an authenticator's code completes a sign-in", async () => {
  const { email, secret } = await appPerson(server, "totp");
  const code = totp(server, secret, 1);
  const reply = await verify(server, {
    challenge: await challenge(server, email),
    method: "totp",
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    user: { id: expect.any(String), name: "totp", email, role: null },
  });
  expect(reply.headers["cache-control"]).toBe("no-store");
  const me = await client(server.url, reply.body.token).get<object>("/auth/me");
  expect(me.body).toMatchObject({ user: { email, twoFactorEnabled: true } });
  expect(await sessionOf(reply.body.token)).toEqual({ name: null, proofs: ["password", "totp"] });
});

test("expired challenges are deleted as new ones are created", async () => {
  const { email } = await appPerson(server, "again");
  for (let count = 0; count < 3; count += 1) await challenge(server, email);
  await query("update service.challenges set expires_at = '2020-01-01'");
  const expired = () => query("select from service.challenges where expires_at = '2020-01-01'");
  const added = await addUntilPruned(expired, async () => {
    server.clock.moveOn(61);
    await challenge(server, email);
  });
  expect(await query("select from service.challenges")).toHaveLength(added);
});

async function sessionOf(token: string): Promise<object | undefined> {
  const hash = createHash("sha256").update(token).digest();
  const rows = await query<object>(
    "select name, proofs from service.sessions where token_hash = $1",
    [hash],
  );
  return rows[0];
}

test("a backup code completes one, in any spelling, and never again", async () => {
  const { email, backupCodes } = await appPerson(server, "backup");
  const [one = "", other = ""] = backupCodes;
  const typed = ` ${one.toUpperCase().replaceAll("-", " \u2013 ")} `;
  for (const code of [typed, other.replaceAll("-", "")]) {
    const waiting = await challenge(server, email);
    expect(await verify(server, { challenge: waiting, method: "backup", code })).toMatchObject({
      status: 201,
    });
  }
  const again = await challenge(server, email);
  const reply = await verify(server, { challenge: again, method: "backup", code: one });
  expect([reply.status, reply.body]).toEqual([401, wrong]);
});

test("a code requested at once works for ten minutes, as its mail says", async () => {
  const { email } = await emailPerson(server, "prompt");
  for (const [seconds, minutes] of [
    [0, 10],
    [5, 10],
    [61, 8],
  ] as const) {
    const waiting = await challenge(server, email);
    server.outbox.clear();
    server.clock.moveOn(seconds);
    expect((await send(server, waiting)).status).toBe(204);
    expect(server.outbox.messages).toMatchObject([{ minutes }]);
  }
});

test("an emailed code completes one; it is mailed on demand and lives as long as its challenge", async () => {
  const { email } = await emailPerson(server, "email");
  server.outbox.clear();
  const waiting = await challenge(server, email);
  expect(server.outbox.messages).toEqual([]);
  server.clock.moveOn(121);
  const sent = await send(server, waiting);
  expect([sent.status, sent.text, sent.headers["cache-control"]]).toEqual([204, "", "no-store"]);
  expect(server.outbox.messages).toEqual([
    {
      kind: "second-step-code",
      to: email,
      name: "email",
      code: expect.stringMatching(/^\d{6}$/),
      minutes: 7,
    },
  ]);
  server.clock.moveOn(600 - 121 - 0.001);
  const code = mailedCode(server, email);
  expect((await verify(server, { challenge: waiting, method: "email", code })).status).toBe(201);
});

test("requesting another code invalidates the previous one, of any challenge", async () => {
  const { email } = await appPerson(server, "again");
  const [one, other] = [await challenge(server, email), await challenge(server, email)];
  const codes: string[] = [];
  for (const waiting of [one, one, other]) {
    await send(server, waiting);
    codes.push(mailedCode(server, email));
  }
  const [first = "", second = "", third = ""] = codes;
  // One in a million codes is the same as another; then there is nothing to see.
  if (new Set(codes).size < 3) return;
  const tries = [
    [one, first],
    [one, second],
    [one, third],
    [other, first],
    [other, second],
  ] as const;
  for (const [waiting, code] of tries) {
    const reply = await verify(server, { challenge: waiting, method: "email", code });
    expect([reply.status, reply.body]).toEqual([401, wrong]);
  }
  const right = { challenge: other, method: "email", code: third };
  expect((await verify(server, right)).status).toBe(201);
});

test("a challenge that is used, expired, unknown or malformed is OTP_EXPIRED", async () => {
  const { email, backupCodes } = await appPerson(server, "over");
  const [used, expired] = [await challenge(server, email), await challenge(server, email)];
  const [code = "", next = ""] = backupCodes;
  await verify(server, { challenge: used, method: "backup", code });
  server.clock.moveOn(599.999);
  expect((await send(server, expired)).status).toBe(204);
  server.clock.moveOn(0.001);
  for (const waiting of [used, expired, "a".repeat(43), "", "'; --\u0000"]) {
    const body = { challenge: waiting, method: "backup", code: next };
    const replies = [await verify(server, body), await send(server, waiting)];
    for (const reply of replies) expect([reply.status, reply.body]).toEqual([401, over]);
  }
  const waiting = await challenge(server, email);
  expect((await verify(server, { challenge: waiting, method: "backup", code: next })).status).toBe(
    201,
  );
});

test("a method that the challenge does not offer is refused and costs no guess", async () => {
  const { email, backupCodes } = await emailPerson(server, "methods");
  const waiting = await challenge(server, email);
  for (let count = 0; count < 6; count += 1) {
    const reply = await verify(server, { challenge: waiting, method: "totp", code: "123456" });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ issues: [{ path: "method" }] });
  }
  const [code = ""] = backupCodes;
  expect((await verify(server, { challenge: waiting, method: "backup", code })).status).toBe(201);
});

test.each(["magic-link", "email-code"] as const)(
  "after a %s an emailed code does not count as a second step, and others prove the address",
  async (proof) => {
    const { email, secret, backupCodes } = await appPerson(server, `by-${proof}`);
    await forgetProof(server, email);
    const waiting = await challengeByMail(server, email, proof);
    const sent = await send(server, waiting);
    expect([sent.status, sent.body]).toMatchObject([422, { issues: [{ path: "challenge" }] }]);
    const emailed = await verify(server, { challenge: waiting, method: "email", code: "123456" });
    expect([emailed.status, emailed.body]).toMatchObject([422, { issues: [{ path: "method" }] }]);

    const before = await accountOf(email);
    const code = totp(server, secret, 1);
    const reply = await verify(server, { challenge: waiting, method: "totp", code });
    expect(reply.status).toBe(201);
    const me = await client(server.url, reply.body.token).get<object>("/auth/me");
    expect(me.body).toMatchObject({ user: { emailVerified: true, twoFactorEnabled: true } });
    const after = await accountOf(email);
    expect(after).toEqual({ ...before, sessions: before.sessions + 1 });

    const [backup = ""] = backupCodes;
    const next = await challengeByMail(server, email, proof);
    expect((await verify(server, { challenge: next, method: "backup", code: backup })).status).toBe(
      201,
    );
  },
);

test("a sign-in by an emailed code asks for the app, and its code does not count as the second step", async () => {
  const { email, secret } = await appPerson(server, "by-code");
  const anonymous = client(server.url, null);
  await anonymous.post("/auth/email-code", { email });
  const code = mailedCode(server, email);
  const first = await anonymous.post<SignInAnswer>("/auth/email-code/verify", { email, code });
  expect([first.status, first.body.methods]).toEqual([200, ["totp", "backup"]]);
  const waiting = first.body.challenge;
  for (const method of ["totp", "backup"]) {
    const reply = await verify(server, { challenge: waiting, method, code });
    expect([reply.status, reply.body]).toEqual([401, wrong]);
  }
  const right = { challenge: waiting, method: "totp", code: totp(server, secret, 1) };
  const reply = await verify(server, right);
  expect(reply.status).toBe(201);
  const proofs = ["email-code", "totp"];
  expect(await sessionOf(reply.body.token)).toEqual({ name: null, proofs });
});

test("a second-step code cannot be used to sign in by mail", async () => {
  const { email } = await emailPerson(server, "no-first-step");
  await send(server, await challenge(server, email));
  const code = mailedCode(server, email);
  const anonymous = client(server.url, null);
  await anonymous.post("/auth/email-code", { email });
  const reply = await anonymous.post("/auth/email-code/verify", { email, code });
  expect([reply.status, reply.body]).toMatchObject([401, { code: "INVALID_OTP" }]);
});

async function accountOf(email: string) {
  const [row] = await query<{ password: string; generation: number; sessions: number }>(
    `select password_hash as password, generation,
       (select count(*)::int from service.sessions where user_id = u.id) as sessions
     from service.users u
     where email = $1`,
    [email],
  );
  if (row === undefined) throw new Error(`${email} has no account`);
  return row;
}

test("after a password the second step proves no address", async () => {
  const { email, backupCodes } = await appPerson(server, "unverified");
  await forgetProof(server, email);
  const [code = ""] = backupCodes;
  const waiting = await challenge(server, email);
  const { body } = await verify(server, { challenge: waiting, method: "backup", code });
  const me = await client(server.url, body.token).get<object>("/auth/me");
  expect(me.body).toMatchObject({ user: { emailVerified: false } });
  server.outbox.clear();
  await send(server, await challenge(server, email));
  expect(server.outbox.messages).toMatchObject([{ to: email, name: null }]);
});

test("the device keeps the name of the first step unless the second gives another", async () => {
  const { email, backupCodes } = await appPerson(server, "device");
  for (const [at, deviceName, expected] of [
    [0, undefined, "Laptop"],
    [1, null, "Laptop"],
    [2, "Phone", "Phone"],
  ] as const) {
    const { body } = await trySignIn(server, email, { deviceName: "Laptop" });
    const code = backupCodes[at];
    const more = { challenge: body.challenge, method: "backup", code, deviceName };
    const path = "/auth/two-factor/verify";
    const reply = await client(server.url, null).post<{ token: string }>(path, more);
    expect(reply.status).toBe(201);
    expect(await sessionOf(reply.body.token)).toMatchObject({ name: expected });
  }
});

test("a challenge from before a change of the account is OTP_EXPIRED", async () => {
  const { email, backupCodes } = await appPerson(server, "changed");
  const waiting = await challenge(server, email);
  await query("update service.users set generation = generation + 1 where email = $1", [email]);
  const [code = ""] = backupCodes;
  const reply = await verify(server, { challenge: waiting, method: "backup", code });
  expect([reply.status, reply.body]).toEqual([401, over]);
});

test("a challenge of a disabled account is OTP_EXPIRED", async () => {
  const { email, backupCodes } = await appPerson(server, "disabled");
  const waiting = await challenge(server, email);
  await disable(server, email);
  const [code = ""] = backupCodes;
  for (const reply of [
    await verify(server, { challenge: waiting, method: "backup", code }),
    await send(server, waiting),
  ]) {
    expect([reply.status, reply.body]).toEqual([401, over]);
  }
});

test("a challenge of an account whose second step was removed is OTP_EXPIRED", async () => {
  const { email, backupCodes } = await appPerson(server, "gone");
  const waiting = await challenge(server, email);
  const gone = "delete from service.second_steps s using service.users u";
  await query(`${gone} where u.id = s.user_id and u.email = $1`, [email]);
  const [code = ""] = backupCodes;
  const reply = await verify(server, { challenge: waiting, method: "backup", code });
  expect([reply.status, reply.body]).toEqual([401, over]);
});

test("a challenge is not a bearer token, nor a token a challenge", async () => {
  const { email, token, backupCodes } = await appPerson(server, "bearer");
  const waiting = await challenge(server, email);
  expect((await client(server.url, waiting).get("/auth/me")).status).toBe(401);
  const [code = ""] = backupCodes;
  expect((await verify(server, { challenge: token, method: "backup", code })).body).toEqual(over);
});

test("a code mailed for another purpose does not count as a second step", async () => {
  const { email } = await emailPerson(server, "purpose");
  const waiting = await challenge(server, email);
  await send(server, waiting);
  const code = mailedCode(server, email);
  const { config } = server.services;
  for (const place of [`sign-in-code:${email}`, `set-up:${email}`, "second-step:00", email]) {
    const digest = codeDigest(config, code, place);
    await query("update service.challenges set email_code_digest = $1", [digest]);
    const reply = await verify(server, { challenge: waiting, method: "email", code });
    expect([reply.status, reply.body]).toEqual([401, wrong]);
  }
  await send(server, waiting);
  const right = { challenge: waiting, method: "email", code: mailedCode(server, email) };
  expect((await verify(server, right)).status).toBe(201);
});

test("a sign-in code does not work as a second step while both are pending", async () => {
  const { email } = await emailPerson(server, "beside");
  const waiting = await challenge(server, email);
  await send(server, waiting);
  const signInCode = otherCode(mailedCode(server, email));
  const now = server.services.clock.now();
  await query(
    `insert into service.mailed_proofs (purpose, email, code_digest, token_hash, expires_at)
     values ('sign-in-code', $1, $2, $3, $4)`,
    [
      email,
      codeDigest(server.services.config, signInCode, `sign-in-code:${email}`),
      Buffer.from("the hash of a link's token"),
      new Date(now.getTime() + 300_000),
    ],
  );
  for (const method of ["email", "backup"]) {
    const reply = await verify(server, { challenge: waiting, method, code: signInCode });
    expect([reply.status, reply.body]).toEqual([401, wrong]);
  }
});

test("if no code was mailed, every code is wrong", async () => {
  const { email } = await emailPerson(server, "unsent");
  const waiting = await challenge(server, email);
  for (const code of ["", "000000", "null"]) {
    const reply = await verify(server, { challenge: waiting, method: "email", code });
    expect([reply.status, reply.body]).toEqual([401, wrong]);
  }
});

test("an account without a second step is signed in immediately", async () => {
  const { email } = await person(server, "plain");
  expect((await trySignIn(server, email)).status).toBe(201);
});

test.each([
  ["verify", {}, ["challenge", "method", "code"]],
  ["verify", { challenge: 1, method: "sms", code: 123456 }, ["challenge", "method", "code"]],
  ["verify", { challenge: "a", method: "totp", code: "1", remember: true }, ["remember"]],
  ["verify", { challenge: "a", method: "totp", code: "1", deviceName: "" }, ["deviceName"]],
  ["send", {}, ["challenge"]],
  ["send", { challenge: "a", email: "a@example.com" }, ["email"]],
])("%s refuses the body %j", async (path, body, paths) => {
  const reply = await client(server.url, null).post<object>(`/auth/two-factor/${path}`, body);
  expect(reply.status).toBe(422);
  expect(reply.body).toEqual({
    error: "The values are not valid",
    issues: paths.map((name) => ({ path: name, message: expect.stringMatching(/./) })),
  });
});
