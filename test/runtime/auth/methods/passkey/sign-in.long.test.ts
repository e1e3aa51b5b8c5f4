import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Authenticator } from "../../../../support/accounts/authenticator.js";
import { client } from "../../../../support/http/client.js";
import { countStatuses } from "../../support/concurrency.js";
import {
  expectRefused,
  type PasskeyPerson,
  type PasskeyServer,
  startPasskeys,
} from "../../support/passkeys.js";
import { addUntilPruned } from "../../support/pruning.js";
import { rightPassword } from "../../support/server.js";

let server: PasskeyServer;
let ada: PasskeyPerson;

beforeAll(async () => {
  server = await startPasskeys();
  ada = await server.person();
});
afterAll(() => server.close());

function send(credential: unknown) {
  return server.anonymous.post("/auth/passkey", { credential });
}

function query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return server.services.db.query<Row>(text, values);
}

test("the options name no credential and ask for user verification", async () => {
  const reply = await server.anonymous.post("/auth/passkey/options", {});
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    rpId: "shop.example.com",
    challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    timeout: 300_000,
    userVerification: "required",
  });
  expect(reply.headers["cache-control"]).toBe("no-store");
});

test("only the hash of a challenge is stored", async () => {
  const { challenge } = await server.requestOptions();
  const rows = await query<{ hash: Buffer }>(
    "select challenge_hash as hash from service.passkey_challenges",
  );
  const stored = rows.map(({ hash }) => hash.toString("base64url"));
  expect(stored).not.toContain(challenge);
});

test.each(["ES256", "EdDSA", "RS256"] as const)("a passkey with %s signs in", async (algorithm) => {
  const authenticator = await ada.enrolled({ algorithm });
  const reply = await server.signIn(authenticator);
  expect(reply.status, reply.text).toBe(201);
  expect(reply.body).toEqual({
    token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    user: { id: ada.id, name: ada.name, email: ada.email, role: null },
  });
  const me = await client(server.url, reply.body.token).get<{ user: object }>("/auth/me");
  expect(me.status).toBe(200);
  expect(me.body.user).toMatchObject({ id: ada.id });
});

test("a passkey needs neither a second step nor a verified address", async () => {
  const strict = await startPasskeys("require_email_verification: true");
  try {
    const person = await strict.person();
    const authenticator = await person.enrolled();
    await strict.services.db.query(
      `insert into service.second_steps (user_id, authenticator_secret, email, backup_key)
       values ($1, 'secret', true, 'key')`,
      [person.id],
    );
    await strict.services.db.query("update service.users set email_verified_at = null");
    expect((await strict.signIn(authenticator)).status).toBe(201);
  } finally {
    await strict.close();
  }
});

/** Without letting any time pass. */
async function signInAtOnce(authenticator: Authenticator) {
  return send(authenticator.get(await server.requestOptions()));
}

test("passkeys and passwords together have ten attempts a minute", async () => {
  const person = await server.person();
  const authenticator = await person.enrolled();
  const password = { email: person.email, password: rightPassword };
  // The person has signed in with the password once.
  for (let count = 0; count < 8; count += 1) {
    expect((await signInAtOnce(authenticator)).status).toBe(201);
  }
  expect((await server.anonymous.post("/auth/token", password)).status).toBe(201);
  for (const reply of [
    await signInAtOnce(authenticator),
    await server.anonymous.post("/auth/token", password),
  ]) {
    expect(reply.status).toBe(429);
    expect(reply.body).toMatchObject({ code: "TOO_MANY_ATTEMPTS" });
    expect(reply.headers["retry-after"]).toBe("60");
  }
  server.clock.moveOn(60);
  expect((await signInAtOnce(authenticator)).status).toBe(201);
});

test("an unknown passkey is refused in the same sequence as a known one", async () => {
  const stranger = await server.person();
  const authenticator = await stranger.enrolled();
  await query("delete from service.passkeys where user_id = $1", [stranger.id]);
  for (let count = 0; count < 10; count += 1) expectRefused(await signInAtOnce(authenticator));
  expect((await signInAtOnce(authenticator)).status).toBe(429);
});

test("the session has the device's name and the proof, and the passkey its last use", async () => {
  const person = await server.person();
  const authenticator = await person.enrolled();
  const credential = authenticator.get(await server.requestOptions());
  server.clock.moveOn(10);
  const reply = await server.anonymous.post("/auth/passkey", { credential, deviceName: " Phone " });
  expect(reply.status, reply.text).toBe(201);
  const sessions = await query(
    "select name, proofs from service.sessions where user_id = $1 order by created_at desc limit 1",
    [person.id],
  );
  expect(sessions).toEqual([{ name: "Phone", proofs: ["passkey"] }]);
  const { body } = await person.client.get<{ data: object[] }>("/auth/passkeys");
  expect(body.data).toMatchObject([{ lastUsedAt: server.services.clock.now().toISOString() }]);
});

test("an assertion works once", async () => {
  const authenticator = await ada.enrolled();
  const credential = authenticator.get(await server.requestOptions());
  expect((await send(credential)).status).toBe(201);
  expectRefused(await send(credential));
});

test("a failed verification consumes the challenge", async () => {
  const authenticator = await (await server.person()).enrolled();
  const options = await server.requestOptions();
  expectRefused(await send(authenticator.get(options, { rpId: "example.com" })));
  expectRefused(await send(authenticator.get(options)));
});

test("a server error does not consume it", async () => {
  const authenticator = await (await server.person()).enrolled();
  const credential = authenticator.get(await server.requestOptions());
  await query("alter table service.sessions add constraint full_up check (false) not valid");
  try {
    expect((await send(credential)).status).toBe(500);
  } finally {
    await query("alter table service.sessions drop constraint full_up");
  }
  expect((await send(credential)).status).toBe(201);
});

test("a challenge works for five minutes", async () => {
  const authenticator = await (await server.person()).enrolled();
  const options = [await server.requestOptions(), await server.requestOptions()];
  const [inTime, late] = options.map((one) => authenticator.get(one));
  server.clock.moveOn(299);
  expect((await send(inTime)).status).toBe(201);
  server.clock.moveOn(1);
  expectRefused(await send(late));
});

test("expired challenges are deleted as new ones are created", async () => {
  for (let asked = 0; asked < 15; asked += 1) await server.requestOptions();
  await query("update service.passkey_challenges set expires_at = '2020-01-01'");
  const expired = () =>
    query("select from service.passkey_challenges where expires_at = '2020-01-01'");
  const added = await addUntilPruned(expired, () => server.requestOptions());
  expect(await query("select from service.passkey_challenges")).toHaveLength(added);
});

test("the challenge for adding a passkey cannot be used to sign in", async () => {
  const person = await server.person();
  const authenticator = await person.enrolled();
  const { challenge } = await person.creationOptions();
  expectRefused(await send(authenticator.get({ challenge, rpId: "shop.example.com" })));
});

test("exactly one of twenty concurrent uses of an assertion succeeds", async () => {
  const authenticator = await (await server.person()).enrolled({ counting: false });
  const credential = authenticator.get(await server.requestOptions());
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(credential)));
  // The person has signed in with the password once.
  expect(countStatuses(replies)).toEqual({ 201: 1, 401: 8, 429: 11 });
  for (const reply of replies.filter(({ status }) => status === 401)) expectRefused(reply);
});

test("exactly one of twenty concurrent assertions with the same counter succeeds", async () => {
  const authenticator = await (await server.person()).enrolled();
  const options = await Promise.all(Array.from({ length: 20 }, () => server.requestOptions()));
  const replies = await Promise.all(
    options.map((one) => send(authenticator.get(one, { counter: 7 }))),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("a counter that does not advance is refused", async () => {
  const authenticator = await (await server.person()).enrolled();
  expect((await server.signIn(authenticator, { counter: 5 })).status).toBe(201);
  expectRefused(await server.signIn(authenticator, { counter: 5 }));
  expectRefused(await server.signIn(authenticator, { counter: 4 }));
  expectRefused(await server.signIn(authenticator, { counter: 0 }));
  const synced = { isBackupEligible: true, isBackedUp: true };
  expectRefused(await server.signIn(authenticator, { counter: 5, ...synced }));
  expect((await server.signIn(authenticator, { counter: 4_294_967_295 })).status).toBe(201);
});

test("an authenticator without a counter can sign in repeatedly", async () => {
  const authenticator = await (await server.person()).enrolled({ counting: false });
  for (let times = 0; times < 3; times += 1) {
    expect((await server.signIn(authenticator)).status).toBe(201);
  }
});

test("the counter of a synced passkey may stay the same, which is logged", async () => {
  const person = await server.person();
  const authenticator = await person.enrolled({ synced: true });
  const warn = vi.spyOn(server.services.log, "warn");
  for (const counter of [5, 6, 6, 3, 4]) {
    expect((await server.signIn(authenticator, { counter })).status).toBe(201);
  }
  const { body } = await person.client.get<{ data: { id: string }[] }>("/auth/passkeys");
  const still = { passkey: body.data[0]?.id, stored: 6, verdict: "stands-still" };
  expect(warn.mock.calls.map(([line]) => line)).toEqual([
    { ...still, shown: 6 },
    { ...still, shown: 3 },
    { ...still, shown: 4 },
  ]);
  warn.mockRestore();
});

test("a passkey reports at each sign-in whether it is backed up", async () => {
  const person = await server.person();
  const authenticator = await person.enrolled({ synced: true });
  const state = async () =>
    (await person.client.get<{ data: object[] }>("/auth/passkeys")).body.data;
  expect(await state()).toMatchObject([{ deviceType: "multiDevice", backedUp: true }]);
  await server.signIn(authenticator, { isBackedUp: false });
  expect(await state()).toMatchObject([{ deviceType: "multiDevice", backedUp: false }]);
});

test("a disabled account is refused", async () => {
  const person = await server.person();
  const authenticator = await person.enrolled();
  await query("update service.users set disabled_at = now() where id = $1", [person.id]);
  expectRefused(await server.signIn(authenticator));
});

test("a passkey that was removed is refused", async () => {
  const person = await server.person();
  const authenticator = await person.enrolled();
  const { body } = await person.client.get<{ data: { id: string }[] }>("/auth/passkeys");
  expect((await person.client.delete(`/auth/passkeys/${body.data[0]?.id}`)).status).toBe(204);
  expectRefused(await server.signIn(authenticator));
});
