import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { client } from "../../../support/http/client.js";
import { atOnce, countStatuses } from "../support/concurrency.js";
import { type Person, person, signInWith } from "../support/people.js";
import { addPasskey, forgetPassword } from "../support/rows.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

const settings =
  "auth: { check_breached_passwords: false, delete_own_account: true, operators: [admin] }\n";

let server: AuthServer;
let ada: Person;
let names = 0;

beforeAll(async () => {
  server = await startAuth(settings);
});
beforeEach(async () => {
  names += 1;
  ada = await person(server, `ada-${names}`);
});
afterAll(() => server.close());

const remove = (body?: object, caller = ada.caller) =>
  caller.send("DELETE", "/auth/me", body === undefined ? {} : { text: JSON.stringify(body) });

test("an account is deleted with its devices and passkeys by its password; its event stays", async () => {
  const other = await signInWith(server, ada.email);
  await addPasskey(server, ada.email);
  const reply = await remove({ password: rightPassword });
  expect([reply.status, reply.text]).toEqual([204, ""]);
  expect((await ada.caller.get("/auth/me")).status).toBe(401);
  expect((await other.caller.get("/auth/me")).status).toBe(401);
  const { db } = server.services;
  expect(await db.query("select from service.users where email = $1", [ada.email])).toEqual([]);
  const events = await db.query(
    `select kind, by_id = account_id as "isOwn"
     from service.account_events
     order by at desc, id desc
     limit 1`,
  );
  expect(events).toEqual([{ kind: "account-deleted", isOwn: true }]);
});

test("the password is required if there is one", async () => {
  for (const body of [undefined, {}]) {
    const missing = await remove(body);
    expect(missing.status).toBe(422);
    expect(missing.body).toMatchObject({ issues: [{ path: "password" }] });
  }
  const wrong = await remove({ password: "wrong password" });
  expect([wrong.status, wrong.body]).toMatchObject([422, { code: "INVALID_PASSWORD" }]);
  expect((await remove({ password: rightPassword, other: 1 })).status).toBe(422);
  expect((await ada.caller.get("/auth/me")).status).toBe(200);
});

test.each([[undefined], [{}]])(
  "an account without a password needs a fresh sign-in, with the body %j",
  async (body) => {
    await forgetPassword(server, ada.email);
    server.clock.moveOn(86_401);
    const stale = await remove(body);
    expect([stale.status, stale.body]).toMatchObject([403, { code: "SESSION_NOT_FRESH" }]);
    server.clock.moveOn(-86_401);
    expect((await remove(body)).status).toBe(204);
  },
);

test("the last enabled operator stays, also if all of them leave at once", async () => {
  await server.services.db.query("delete from service.users");
  const operators = await atOnce(8, async (at) => {
    const email = await server.account(`op-${at}`, "admin");
    return signInWith(server, email);
  });
  const replies = await Promise.all(
    operators.map(({ caller }) => remove({ password: rightPassword }, caller)),
  );
  expect(countStatuses(replies)).toEqual({ 204: 7, 422: 1 });
  const [refused] = replies.filter(({ status }) => status === 422);
  expect(refused?.body).toEqual({ error: "This is the last enabled operator" });
});

test("without a token nothing is deleted", async () => {
  expect((await remove({ password: rightPassword }, client(server.url, null))).status).toBe(401);
});

test("the configuration shows it, and without the key the method does not exist", async () => {
  const { body } = await ada.caller.get<object>("/auth/config");
  expect(body).toMatchObject({ deleteOwnAccount: true });
  const other = await startAuth();
  try {
    const config = await client(other.url, null).get<object>("/auth/config");
    expect(config.body).not.toHaveProperty("deleteOwnAccount");
    const someone = await person(other, "ada");
    const reply = await remove({ password: rightPassword }, someone.caller);
    expect([reply.status, reply.headers.allow]).toEqual([405, "GET, HEAD, PATCH, OPTIONS"]);
  } finally {
    await other.close();
  }
});
