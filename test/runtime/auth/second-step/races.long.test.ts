import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authenticatorSecret, encryptFor } from "../../../../runtime/auth/second-step/encrypted.js";
import { atOnce, countStatuses } from "../support/concurrency.js";
import { mailedCode } from "../support/mails.js";
import { person, trySignIn } from "../support/people.js";
import {
  type AppPerson,
  addApp,
  appPerson,
  type Confirmed,
  challenge,
  enableApp,
  send,
  totp,
  verify,
} from "../support/second-step.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuth();
});
beforeEach(() => server.clock.moveOn(61));
afterAll(() => server.close());

async function challenges(email: string, count: number): Promise<readonly string[]> {
  const made: string[] = [];
  while (made.length < count) {
    if (made.length % 10 === 0) server.clock.moveOn(61);
    made.push(await challenge(server, email));
  }
  return made;
}

/** The same concurrent attempt at each of the challenges; the number of each status. */
async function crowd(
  waiting: readonly string[],
  proof: { readonly method: string; readonly code: string },
): Promise<Readonly<Record<string, number>>> {
  const attempt = async (one: string) => {
    const body = { challenge: one, ...proof };
    let reply = await verify(server, body);
    // On a busy machine the last of them wait too long for the one row, and then nothing has been done.
    while (reply.status === 503) reply = await verify(server, body);
    return reply;
  };
  return countStatuses(await Promise.all(waiting.map(attempt)));
}

async function sessionsOf({ email }: { readonly email: string }): Promise<number> {
  const rows = await server.services.db.query<{ count: number }>(
    `select count(*)::int as count
     from service.sessions s
     join service.users u on u.id = s.user_id
     where u.email = $1`,
    [email],
  );
  return rows[0]?.count ?? 0;
}

test("one of twenty concurrent uses of a challenge, each with a different code, succeeds", async () => {
  const someone = await appPerson(server, "challenge");
  const waiting = await challenge(server, someone.email);
  const codes = Array.from({ length: 20 }, (_, at) => someone.backupCodes[at % 10] ?? "");
  const replies = await Promise.all(
    codes.map((code) => verify(server, { challenge: waiting, method: "backup", code })),
  );
  expect(countStatuses(replies)).toEqual({ 201: 1, 401: 19 });
  for (const { status, body } of replies) {
    if (status === 401) expect(body.code).toBe("OTP_EXPIRED");
  }
  expect(await sessionsOf(someone)).toBe(2);
  const left = await server.services.db.query(
    `select digest
     from service.backup_codes c
     join service.users u on u.id = c.user_id
     where u.email = $1`,
    [someone.email],
  );
  expect(left).toHaveLength(9);
});

test("one of twenty concurrent uses of an authenticator step succeeds, each with its own challenge", async () => {
  const someone = await appPerson(server, "step");
  const waiting = await challenges(someone.email, 20);
  const code = totp(server, someone.secret);
  expect(await crowd(waiting, { method: "totp", code })).toEqual({ 201: 1, 401: 19 });
  expect(await sessionsOf(someone)).toBe(2);
});

test("one of twenty concurrent uses of a backup code succeeds, each with its own challenge", async () => {
  const someone = await appPerson(server, "backup");
  const waiting = await challenges(someone.email, 20);
  const [code = ""] = someone.backupCodes;
  expect(await crowd(waiting, { method: "backup", code })).toEqual({ 201: 1, 401: 19 });
  expect(await sessionsOf(someone)).toBe(2);
});

test("one of twenty concurrent uses of an emailed code succeeds", async () => {
  const someone = await appPerson(server, "email");
  const waiting = await challenge(server, someone.email);
  await send(server, waiting);
  const code = mailedCode(server, someone.email);
  const same = Array.from({ length: 20 }, () => waiting);
  expect(await crowd(same, { method: "email", code })).toEqual({ 201: 1, 401: 19 });
  expect(await sessionsOf(someone)).toBe(2);
});

test("two different backup codes used concurrently both work, and never again", async () => {
  const someone = await appPerson(server, "two");
  const both = someone.backupCodes.slice(0, 2);
  const waiting = await challenges(someone.email, 4);
  const tryBoth = (pair: readonly string[]) =>
    Promise.all(
      both.map((code, at) => verify(server, { challenge: pair[at] ?? "", method: "backup", code })),
    );
  expect(countStatuses(await tryBoth(waiting.slice(0, 2)))).toEqual({ 201: 2 });
  expect(countStatuses(await tryBoth(waiting.slice(2)))).toEqual({ 401: 2 });
});

test("a step is used once, the next one after it, and none before it again", async () => {
  const someone = await appPerson(server, "order");
  server.clock.moveOn(61);
  const steps: [number, number][] = [
    [-2, 401],
    [2, 401],
    [0, 201],
    [0, 401],
    [-1, 401],
    [1, 201],
    [0, 401],
  ];
  for (const [stepsAway, status] of steps) {
    const code = totp(server, someone.secret, stepsAway);
    const waiting = await challenge(server, someone.email);
    const reply = await verify(server, { challenge: waiting, method: "totp", code });
    expect([stepsAway, reply.status]).toEqual([stepsAway, status]);
  }
});

test("two accounts with the same secret do not affect each other", async () => {
  const [one, other] = [await appPerson(server, "twin"), await person(server, "other-twin")];
  const { secret } = await enableApp(other.caller);
  const code = totp(server, secret);
  await other.caller.post<Confirmed>("/auth/two-factor/confirm", { code });
  await shareSecret(one, other.email);
  server.clock.moveOn(61);
  const shared = totp(server, one.secret);
  for (const { email } of [one, other]) {
    const waiting = await challenge(server, email);
    const proof = { challenge: waiting, method: "totp", code: shared };
    expect((await verify(server, proof)).status).toBe(201);
  }
});

/** Gives another account the same secret, encrypted for that account. */
async function shareSecret({ secret }: AppPerson, email: string): Promise<void> {
  const { db, config } = server.services;
  const rows = await db.query<{ id: string }>("select id from service.users where email = $1", [
    email,
  ]);
  const id = rows[0]?.id ?? "";
  await db.query("update service.second_steps set authenticator_secret = $2 where user_id = $1", [
    id,
    encryptFor(config, { column: authenticatorSecret, accountId: id }, Buffer.from(secret)),
  ]);
}

test("one of twenty concurrent confirmations succeeds", async () => {
  const someone = await person(server, "confirm");
  const { secret } = await enableApp(someone.caller);
  const code = totp(server, secret);
  const replies = await atOnce(20, () =>
    someone.caller.post<Confirmed>("/auth/two-factor/confirm", { code }),
  );
  expect(countStatuses(replies)).toEqual({ 200: 1, 422: 19 });
  expect(replies.filter(({ body }) => body.backupCodes?.length === 10)).toHaveLength(1);
});

test("five of fifty concurrent wrong confirmations are checked", async () => {
  const someone = await person(server, "wrong-confirm");
  await enableApp(someone.caller);
  const replies = await atOnce(50, () =>
    someone.caller.post<object>("/auth/two-factor/confirm", { code: "no code" }),
  );
  expect(countStatuses(replies)).toEqual({ 422: 5, 429: 45 });
});

test("a sign-in checked before the second step was enabled gets no token", async () => {
  for (let round = 0; round < 5; round += 1) {
    const someone = await person(server, `flight-${round}`);
    const { secret } = await enableApp(someone.caller);
    const before = await sessionsOf(someone);
    const code = totp(server, secret);
    const [confirmed, ...signIns] = await Promise.all([
      someone.caller.post<Confirmed>("/auth/two-factor/confirm", { code }),
      ...Array.from({ length: 5 }, () => trySignIn(server, someone.email)),
    ]);
    expect(confirmed?.status).toBe(200);
    const generation = await generationOf(someone.email);
    const tokens = signIns.flatMap(({ body }) => body.token ?? []);
    for (const token of tokens) {
      // One that won the race was there before the second step was; it counts as signed in.
      expect(await openedBefore(token, someone.email)).toBe(true);
    }
    expect(await sessionsOf(someone)).toBe(before + tokens.length);
    expect(generation).toBe(1);
  }
});

async function generationOf(email: string): Promise<number> {
  const rows = await server.services.db.query<{ generation: number }>(
    "select generation from service.users where email = $1",
    [email],
  );
  return rows[0]?.generation ?? -1;
}

/** By the order of the transactions that wrote the rows. */
async function openedBefore(token: string, email: string): Promise<boolean> {
  const rows = await server.services.db.query<{ before: boolean }>(
    `select s.xmin::text::bigint < t.xmin::text::bigint as before
     from service.sessions s, service.second_steps t
     join service.users u on u.id = t.user_id
     where s.token_hash = $1
       and u.email = $2`,
    [createHash("sha256").update(token).digest(), email],
  );
  return rows[0]?.before ?? false;
}

test("disabling it and a concurrent second step take effect in either order, never mixed", async () => {
  for (let round = 0; round < 5; round += 1) {
    const someone = await person(server, `off-${round}`);
    const { backupCodes } = await addApp(server, someone);
    const waiting = await challenge(server, someone.email);
    const [code = ""] = backupCodes;
    const password = rightPassword;
    const [off, reply] = await Promise.all([
      someone.caller.post("/auth/two-factor/disable", { password }),
      verify(server, { challenge: waiting, method: "backup", code }),
    ]);
    expect(off.status).toBe(204);
    expect([201, 401]).toContain(reply.status);
    expect(await sessionsOf(someone)).toBe(reply.status === 201 ? 2 : 1);
    const signed = await trySignIn(server, someone.email);
    expect(signed.status).toBe(201);
  }
});
