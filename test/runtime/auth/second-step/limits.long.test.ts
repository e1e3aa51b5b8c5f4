import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Reply } from "../../../support/http/client.js";
import { mailedCode, otherCode } from "../support/mails.js";
import { breakTable } from "../support/rows.js";
import {
  appPerson,
  challenge,
  challengeByMail,
  emailPerson,
  send,
  totp,
  type Verified,
  verify,
} from "../support/second-step.js";
import { type AuthServer, startAuth } from "../support/server.js";

let server: AuthServer;

beforeAll(async () => {
  // Its log would report every error that a test causes.
  server = await startAuth(undefined, { SERVICE_LOG_LEVEL: "silent" });
});
beforeEach(() => server.clock.moveOn(61));
afterAll(() => server.close());

const guess = { method: "backup", code: "no code" };

function codeOf({ status, body }: Reply<Verified>): string {
  return `${status} ${body?.code ?? ""}`.trim();
}

const wrong = "401 INVALID_TWO_FACTOR_CODE";
const tooMany = "429 TOO_MANY_ATTEMPTS";
const over = "401 OTP_EXPIRED";

test("five wrong codes discard a challenge: 429 until it expires, then OTP_EXPIRED", async () => {
  const { email, backupCodes } = await appPerson(server, "five");
  const [code = ""] = backupCodes;
  const waiting = await challenge(server, email);
  server.clock.moveOn(60.5);
  for (let count = 0; count < 5; count += 1) {
    expect(codeOf(await verify(server, { challenge: waiting, ...guess }))).toBe(wrong);
  }
  for (const reply of [
    await verify(server, { challenge: waiting, ...guess }),
    await verify(server, { challenge: waiting, method: "backup", code }),
    await send(server, waiting),
  ]) {
    expect(reply.body).toEqual({ error: "Too many attempts", code: "TOO_MANY_ATTEMPTS" });
    expect([reply.status, reply.headers["retry-after"]]).toEqual([429, "540"]);
  }
  server.clock.moveOn(539.499);
  const last = await verify(server, { challenge: waiting, ...guess });
  expect([codeOf(last), last.headers["retry-after"]]).toEqual([tooMany, "1"]);
  server.clock.moveOn(0.001);
  expect(codeOf(await verify(server, { challenge: waiting, ...guess }))).toBe(over);
});

test("a fifth code that is right passes, and a new challenge has its own five", async () => {
  const { email, backupCodes } = await appPerson(server, "fifth");
  for (const code of backupCodes.slice(0, 2)) {
    const waiting = await challenge(server, email);
    for (let count = 0; count < 4; count += 1) {
      expect(codeOf(await verify(server, { challenge: waiting, ...guess }))).toBe(wrong);
    }
    const reply = await verify(server, { challenge: waiting, method: "backup", code });
    expect(reply.status).toBe(201);
  }
});

test("the five are shared by all methods, and a new emailed code adds none", async () => {
  const { email, secret } = await appPerson(server, "together");
  const waiting = await challenge(server, email);
  await send(server, waiting);
  const code = mailedCode(server, email);
  const guesses = [
    { method: "email", code: otherCode(code) },
    { method: "totp", code: totp(server, secret, 5) },
    guess,
    { method: "email", code: "" },
    { method: "totp", code: "1234567" },
  ];
  for (const one of guesses) {
    expect(codeOf(await verify(server, { challenge: waiting, ...one }))).toBe(wrong);
    if (one === guess) expect((await send(server, waiting)).status).toBe(204);
  }
  const right = { challenge: waiting, method: "email", code: mailedCode(server, email) };
  expect(codeOf(await verify(server, right))).toBe(tooMany);
});

test("five of fifty concurrent wrong codes are checked", async () => {
  const { email } = await appPerson(server, "fifty");
  const waiting = await challenge(server, email);
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => verify(server, { challenge: waiting, ...guess })),
  );
  const codes = replies.map(codeOf);
  expect(codes.filter((code) => code === wrong)).toHaveLength(5);
  expect(codes.filter((code) => code === tooMany)).toHaveLength(45);
});

test("second steps mail at most six codes an hour, over all challenges", async () => {
  const { email } = await emailPerson(server, "six");
  server.outbox.clear();
  const [one, other] = [await challenge(server, email), await challenge(server, email)];
  for (let count = 0; count < 6; count += 1) {
    expect((await send(server, count < 3 ? one : other)).status).toBe(204);
  }
  const code = mailedCode(server, email);
  for (const waiting of [one, other]) {
    const reply = await send(server, waiting);
    expect([codeOf(reply), reply.headers["retry-after"]]).toEqual([tooMany, "3600"]);
  }
  expect(server.outbox.messages).toHaveLength(6);
  expect((await verify(server, { challenge: other, method: "email", code })).status).toBe(201);
});

/** So many wrong codes, five a challenge. */
async function fail(email: string, failures: number): Promise<void> {
  for (let count = 0; count < failures; count += 5) {
    const waiting = await challenge(server, email);
    for (let at = count; at < Math.min(count + 5, failures); at += 1) {
      expect(codeOf(await verify(server, { challenge: waiting, ...guess }))).toBe(wrong);
    }
  }
}

test("after 25 failures in an hour every attempt is 429, right or wrong, until the hour has passed", async () => {
  const { email, backupCodes } = await appPerson(server, "capped");
  const [code = "", next = ""] = backupCodes;
  await fail(email, 24);
  server.clock.moveOn(100);
  await fail(email, 1);
  const waiting = await challenge(server, email);
  for (const tried of [guess, { method: "backup", code }, { method: "totp", code: "000000" }]) {
    const reply = await verify(server, { challenge: waiting, ...tried });
    expect([codeOf(reply), reply.headers["retry-after"]]).toEqual([tooMany, "3500"]);
  }
  const mailed = await challengeByMail(server, email, "magic-link");
  expect(codeOf(await verify(server, { challenge: mailed, method: "backup", code }))).toBe(tooMany);

  server.clock.moveOn(3499.999);
  const early = await challenge(server, email);
  expect(codeOf(await verify(server, { challenge: early, method: "backup", code }))).toBe(tooMany);
  server.clock.moveOn(0.001);
  expect((await verify(server, { challenge: early, method: "backup", code })).status).toBe(201);
  // 24 have left the window, and a refused try is none.
  await fail(email, 24);
  const last = await challenge(server, email);
  const reply = await verify(server, { challenge: last, method: "backup", code: next });
  expect([codeOf(reply), reply.headers["retry-after"]]).toEqual([tooMany, "100"]);
});

test("a success neither counts nor resets the 25", async () => {
  const { email, backupCodes } = await appPerson(server, "successes");
  for (const code of backupCodes.slice(0, 5)) {
    await fail(email, 5);
    if (code === backupCodes[4]) break;
    const waiting = await challenge(server, email);
    expect((await verify(server, { challenge: waiting, method: "backup", code })).status).toBe(201);
    server.clock.moveOn(61);
  }
  const waiting = await challenge(server, email);
  const [, , , , code = ""] = backupCodes;
  expect(codeOf(await verify(server, { challenge: waiting, method: "backup", code }))).toBe(
    tooMany,
  );
});

test("one account's failures do not count for another", async () => {
  const [one, other] = [await appPerson(server, "full"), await appPerson(server, "free")];
  await fail(one.email, 25);
  const [code = ""] = other.backupCodes;
  const waiting = await challenge(server, other.email);
  expect((await verify(server, { challenge: waiting, method: "backup", code })).status).toBe(201);
});

test("of concurrent wrong codes at eight challenges 25 are checked", async () => {
  const { email, backupCodes } = await appPerson(server, "crowd");
  server.clock.moveOn(61);
  const waiting: string[] = [];
  for (let count = 0; count < 8; count += 1) waiting.push(await challenge(server, email));
  const replies = await Promise.all(
    [0, 1, 2, 3, 4].flatMap(() =>
      waiting.map((one) => verify(server, { challenge: one, ...guess })),
    ),
  );
  const codes = replies.map(codeOf);
  expect(codes.filter((code) => code === wrong)).toHaveLength(25);
  expect(codes.filter((code) => code === tooMany)).toHaveLength(15);
  server.clock.moveOn(61);
  const [code = ""] = backupCodes;
  const next = { challenge: await challenge(server, email), method: "backup", code };
  expect(codeOf(await verify(server, next))).toBe(tooMany);
});

test("a server error costs no guess, consumes nothing and sends nothing", async () => {
  const { email, backupCodes, secret } = await appPerson(server, "broken");
  const [code = ""] = backupCodes;
  const waiting = await challenge(server, email);
  const fixSessions = await breakTable(server, "service.sessions", "insert");
  const byCode = { method: "backup", code };
  const byApp = { method: "totp", code: totp(server, secret, 1) };
  for (let count = 0; count < 6; count += 1) {
    for (const right of [byCode, byApp]) {
      expect((await verify(server, { challenge: waiting, ...right })).status).toBe(500);
    }
  }
  await fixSessions();

  const fixAttempts = await breakTable(server, "service.attempts", "insert");
  for (let count = 0; count < 6; count += 1) {
    expect((await verify(server, { challenge: waiting, ...guess })).status).toBe(500);
  }
  server.outbox.clear();
  expect((await send(server, waiting)).status).toBe(500);
  expect(server.outbox.messages).toEqual([]);
  await fixAttempts();

  expect((await verify(server, { challenge: waiting, ...byCode })).status).toBe(201);
  const next = await challenge(server, email);
  expect((await verify(server, { challenge: next, ...byApp })).status).toBe(201);
});
