import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { client, type Reply } from "../../../../support/http/client.js";
import { atOnce, countStatuses } from "../../support/concurrency.js";
import { newestMail, otherCode, tokenIn } from "../../support/mails.js";
import { type Person, person, signInWith, trySignIn } from "../../support/people.js";
import {
  addPasskey,
  addSecondStep,
  disable,
  forgetPassword,
  forgetProof,
} from "../../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../../support/server.js";

const settings = "auth: { check_breached_passwords: false, registration: true }\n";

let server: AuthServer;
let ada: Person;
let names = 0;

beforeAll(async () => {
  server = await startAuth(settings);
});
beforeEach(async () => {
  server.clock.moveOn(3601);
  server.outbox.clear();
  names += 1;
  ada = await person(server, `ada-${names}`);
});
afterAll(() => server.close());

const anonymous = () => client(server.url, null);
const free = () => `new-${names}@example.com`;

function request(email: string, password: string | undefined = rightPassword, who = ada) {
  const body = password === "" ? { email } : { email, password };
  return who.caller.post("/auth/email/change", body);
}

function verify(body: object, caller = ada.caller): Promise<Reply<Refused>> {
  return caller.post("/auth/email/change/verify", body);
}

interface Refused {
  readonly error: string;
  readonly code?: string;
  readonly field?: string;
  readonly issues?: readonly { readonly path: string }[];
}

/** Requests an address, and returns what was mailed to it. */
async function requested(email: string) {
  const reply = await request(email);
  expect(reply.status, reply.text).toBe(204);
  const { code, link } = newestMail(server, email, "email-change");
  return { code, token: tokenIn(link) };
}

async function emailOf(who = ada): Promise<string> {
  const { body } = await who.caller.get<{ user: { email: string; emailVerified: boolean } }>(
    "/auth/me",
  );
  expect(body.user.emailVerified).toBe(true);
  return body.user.email;
}

test("a code and a link go to the new address, and a notice to the old one", async () => {
  const reply = await request(" NEW.Address@Example.COM ");
  expect([reply.status, reply.text]).toEqual([204, ""]);
  expect(server.outbox.messages).toEqual([
    {
      kind: "email-change",
      to: "new.address@example.com",
      name: null,
      code: expect.stringMatching(/^\d{6}$/),
      link: expect.stringMatching(/^http:\/\/localhost:3001\/change-email\?token=[\w-]{43}$/),
      minutes: 60,
    },
  ]);
  expect(server.outbox.notices).toMatchObject([{ kind: "email-change-requested", to: ada.email }]);
  expect(await emailOf()).toBe(ada.email);
});

test.each(["code", "link"])("the %s changes the address, once, and keeps devices", async (by) => {
  const other = await signInWith(server, ada.email);
  const { code, token } = await requested(free());
  const send = () => (by === "code" ? verify({ code }) : verify({ token }, anonymous()));
  const reply = await send();
  expect([reply.status, reply.text]).toEqual([204, ""]);
  expect(await emailOf()).toBe(free());
  expect(await emailOf({ ...ada, caller: other.caller })).toBe(free());
  expect((await trySignIn(server, free())).status).toBe(201);
  expect((await trySignIn(server, ada.email)).status).toBe(401);
  const again = await send();
  expect([again.status, again.body.code]).toEqual(
    by === "code" ? [422, "OTP_EXPIRED"] : [401, "INVALID_TOKEN"],
  );
  const events = await server.services.db.query<{ kind: string; isOwn: boolean }>(
    `select kind, by_id = account_id as "isOwn" from service.account_events
     where kind = 'email-changed' and account_id = (select id from service.users where email = $1)`,
    [free()],
  );
  expect(events).toEqual([{ kind: "email-changed", isOwn: true }]);
});

test("a change verifies an unverified account's address, and keeps its sign-in methods", async () => {
  await forgetProof(server, ada.email);
  await addPasskey(server, ada.email);
  const { code } = await requested(free());
  expect(server.outbox.notices).toMatchObject([{ to: ada.email, name: null }]);
  expect((await verify({ code })).status).toBe(204);
  expect(await emailOf()).toBe(free());
  expect((await trySignIn(server, free())).status).toBe(201);
  const { body } = await ada.caller.get<{ data: readonly object[] }>("/auth/passkeys");
  expect(body.data).toHaveLength(1);
});

test("open codes, links and challenges of both addresses end with the change", async () => {
  await addSecondStep(server, ada.email, "email");
  const pending = await trySignIn(server, ada.email);
  await anonymous().post("/auth/password/forgot", { email: ada.email });
  await anonymous().post("/auth/email-code", { email: free() });
  const { link } = newestMail(server, ada.email, "reset-link");
  const { code } = await requested(free());
  expect((await verify({ code })).status).toBe(204);
  const { db } = server.services;
  const rows = await db.query("select from service.mailed_proofs where email = any ($1)", [
    [ada.email, free()],
  ]);
  expect(rows).toEqual([]);
  const { challenge } = pending.body;
  const step = await anonymous().post("/auth/two-factor/send", { challenge });
  expect(step.body).toMatchObject({ code: "OTP_EXPIRED" });
  const reset = { token: tokenIn(link), newPassword: "another password" };
  expect((await anonymous().post("/auth/password/reset", reset)).status).toBe(401);
});

test("a taken address gets the same response, storage and limits as a free one, and its owner gets a notice", async () => {
  const bob = await server.account(`bob-${names}`);
  await requested(free());
  const { db } = server.services;
  const stored = () =>
    db.query<object>("select email, tries, expires_at from service.email_changes order by email");
  await db.query("delete from service.email_changes where email <> $1", [free()]);
  const [before] = await stored();
  server.outbox.clear();
  const reply = await request(bob.toUpperCase());
  expect([reply.status, reply.text]).toEqual([204, ""]);
  expect(await stored()).toEqual([{ ...before, email: bob }]);
  expect(server.outbox.messages).toEqual([{ kind: "email-wanted", to: bob, name: `bob-${names}` }]);
  expect(server.outbox.notices).toMatchObject([{ kind: "email-change-requested", to: ada.email }]);
  for (let guess = 0; guess < 5; guess += 1) {
    const wrong = await verify({ code: `00000${guess}` });
    expect([wrong.status, wrong.body.code]).toEqual([422, "INVALID_OTP"]);
  }
  expect((await verify({ code: "000000" })).status).toBe(429);
  expect(await emailOf()).toBe(ada.email);
});

test("the owner of a disabled account is mailed nothing", async () => {
  const bob = await server.account(`bob-${names}`);
  await disable(server, bob);
  expect((await request(bob)).status).toBe(204);
  expect(server.outbox.messages).toEqual([]);
});

test("the caller's own address is refused, in another case too, and nothing is mailed", async () => {
  for (const own of [ada.email, ` ${ada.email.toUpperCase()} `]) {
    const reply = await request(own);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ issues: [{ path: "email" }] });
  }
  expect([...server.outbox.messages, ...server.outbox.notices]).toEqual([]);
});

test("the password is required if there is one, and a wrong one counts towards the ten a minute", async () => {
  const missing = await request(free(), "");
  expect(missing.status).toBe(422);
  expect(missing.body).toMatchObject({ issues: [{ path: "password" }] });
  const wrong = await request(free(), "wrong password");
  expect(wrong.status).toBe(422);
  expect(wrong.body).toMatchObject({ code: "INVALID_PASSWORD", issues: [{ path: "password" }] });
  // One sign-in and one attempt are counted.
  for (let count = 2; count < 10; count += 1) await request(free(), "wrong password");
  const limited = await request(free());
  expect([limited.status, limited.headers["retry-after"]]).toEqual([429, expect.any(String)]);
  expect(server.outbox.messages).toEqual([]);
});

test("an account without a password needs a fresh sign-in", async () => {
  await forgetPassword(server, ada.email);
  expect((await request(free())).body).toMatchObject({ code: "PASSWORD_NOT_SET" });
  expect((await request(free(), "")).status).toBe(204);
  server.clock.moveOn(86_401);
  const stale = await request(free(), "");
  expect([stale.status, stale.body]).toMatchObject([403, { code: "SESSION_NOT_FRESH" }]);
});

test("a wrong code costs a guess, and after five every code is refused until the hour is over", async () => {
  const { code } = await requested(free());
  for (let guess = 0; guess < 5; guess += 1) {
    const wrong = await verify({ code: otherCode(code) });
    expect(wrong.status).toBe(422);
    expect(wrong.body).toMatchObject({ code: "INVALID_OTP", issues: [{ path: "code" }] });
  }
  const late = await verify({ code });
  expect([late.status, late.body.code]).toEqual([429, "TOO_MANY_ATTEMPTS"]);
  expect(late.headers["retry-after"]).toBe("3600");
  server.clock.moveOn(3601);
  expect((await verify({ code })).body).toMatchObject({ code: "OTP_EXPIRED" });
});

test("a code and a link work for an hour", async () => {
  const { code, token } = await requested(free());
  server.clock.moveOn(3601);
  expect((await verify({ code })).body.code).toBe("OTP_EXPIRED");
  expect((await verify({ token }, anonymous())).body.code).toBe("INVALID_TOKEN");
});

test("a second request invalidates the previous code and link, for any address", async () => {
  const first = await requested(free());
  const second = await requested(`other-${names}@example.com`);
  expect((await verify({ token: first.token }, anonymous())).body.code).toBe("INVALID_TOKEN");
  expect((await verify({ code: first.code })).body.code).toBe("INVALID_OTP");
  expect((await verify({ code: second.code })).status).toBe(204);
  expect(await emailOf()).toBe(`other-${names}@example.com`);
});

test("one of several concurrent changes is open, and one of twenty verifications applies it", async () => {
  const addresses = [0, 1, 2, 3].map((at) => `at-once-${at}-${names}@example.com`);
  const replies = await Promise.all(addresses.map((email) => request(email)));
  expect(countStatuses(replies)).toEqual({ 204: 4 });
  const links = addresses.map((to) => tokenIn(newestMail(server, to, "email-change").link));
  const verified = await Promise.all(
    links.flatMap((token) => [0, 1, 2, 3, 4].map(() => verify({ token }, anonymous()))),
  );
  expect(countStatuses(verified)).toEqual({ 204: 1, 401: 19 });
});

test("a code of another account, and a code without a token, change nothing", async () => {
  const { code } = await requested(free());
  const bob = await person(server, `bob-${names}`);
  expect((await verify({ code }, bob.caller)).body.code).toBe("OTP_EXPIRED");
  expect((await verify({ code }, anonymous())).status).toBe(401);
  expect((await verify({ code })).status).toBe(204);
});

test.each(["change", "reset"])(
  "a code and a link are invalid after a password %s",
  async (what) => {
    const { code, token } = await requested(free());
    if (what === "change") {
      const body = { currentPassword: rightPassword, newPassword: "another password" };
      expect((await ada.caller.post("/auth/password", body)).status).toBe(204);
    } else {
      await anonymous().post("/auth/password/forgot", { email: ada.email });
      const { link } = newestMail(server, ada.email, "reset-link");
      const body = { token: tokenIn(link), newPassword: "another password" };
      expect((await anonymous().post("/auth/password/reset", body)).status).toBe(204);
    }
    expect((await verify({ token }, anonymous())).body.code).toBe("INVALID_TOKEN");
    const late = await verify({ code });
    expect(late.status).toBe(what === "reset" ? 401 : 422);
  },
);

test("an address taken meanwhile is refused with 409, in a race with a registration too", async () => {
  const { code, token } = await requested(free());
  const registration = { name: "Bob", email: free(), password: rightPassword };
  expect((await anonymous().post("/auth/register", registration)).status).toBe(201);
  for (const reply of [await verify({ code }), await verify({ token }, anonymous())]) {
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ code: "USER_ALREADY_EXISTS", field: "email" });
  }
  const raced = `raced-${names}@example.com`;
  const late = await requested(raced);
  const [verified, registered] = await Promise.all([
    verify({ code: late.code }),
    anonymous().post("/auth/register", { ...registration, email: raced }),
  ]);
  const statuses = [verified.status, registered.status];
  expect(statuses[0] === 204 ? [409, 422] : [201]).toContain(statuses[1]);
  expect(statuses[1] === 201 ? 409 : 204).toBe(statuses[0]);
});

test("one of two accounts that change to one address concurrently gets 409", async () => {
  const bob = await person(server, `bob-${names}`);
  const one = await requested(free());
  const two = await request(free(), rightPassword, bob);
  expect(two.status).toBe(204);
  const { code } = newestMail(server, free(), "email-change");
  const replies = await Promise.all([verify({ code: one.code }), verify({ code }, bob.caller)]);
  expect(countStatuses(replies)).toEqual({ 204: 1, 409: 1 });
});

test("six requests an hour are allowed for an address, and six for an account", async () => {
  const others = await atOnce(3, (at) => person(server, `limit-${names}-${at}`));
  for (const who of others) {
    expect((await request(free(), rightPassword, who)).status).toBe(204);
    expect((await request(free(), rightPassword, who)).status).toBe(204);
  }
  expect((await request(free())).status).toBe(429);
  const addresses = [0, 1, 2, 3, 4, 5, 6].map((at) => `many-${names}-${at}@example.com`);
  for (const [at, email] of addresses.entries()) {
    expect((await request(email)).status).toBe(at < 6 ? 204 : 429);
    server.clock.moveOn(20);
  }
  // A refused request counts for neither.
  server.clock.moveOn(3600);
  expect((await request(addresses.at(-1) ?? "")).status).toBe(204);
});

test.each([
  ["email/change", {}, ["email"]],
  ["email/change", { email: "nobody", password: 1 }, ["password", "email"]],
  ["email/change", { email: "a@example.com", other: 1 }, ["other"]],
  ["email/change/verify", {}, ["code"]],
  ["email/change/verify", { code: 1 }, ["code"]],
  ["email/change/verify", { code: "123456", email: "a@example.com" }, ["email"]],
  ["email/change/verify", { token: null }, ["token"]],
  ["email/change/verify", { token: "a", code: "123456" }, ["code"]],
])("%s refuses the body %j", async (path, body, paths) => {
  const reply = await ada.caller.post<Refused>(`/auth/${path}`, body);
  expect(reply.status).toBe(422);
  expect(reply.body.issues?.map((issue) => issue.path).toSorted()).toEqual(paths.toSorted());
});

test("without a token no address changes", async () => {
  expect((await anonymous().post("/auth/email/change", { email: free() })).status).toBe(401);
  expect((await verify({ code: "123456" }, anonymous())).status).toBe(401);
});
