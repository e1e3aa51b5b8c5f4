import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { lockAccount } from "../../../../runtime/auth/account/store.js";
import { disableAccount } from "../../../../runtime/auth/index.js";
import { type KeptSessions, revoke } from "../../../../runtime/auth/session/revoke.js";
import { lockWaiters } from "../../../support/database/lock-waits.js";
import { client } from "../../../support/http/client.js";
import { type SignedInDevice, signInWith, statusesOf } from "../support/people.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;
/** A connection that blocks others. */
let other: pg.Client;
let email: string;
let device: SignedInDevice;

beforeAll(async () => {
  server = await startAuth();
  other = new pg.Client({ connectionString: server.services.config.database.url });
  await other.connect();
});
beforeEach(async () => {
  server.clock.moveOn(61);
  await server.services.db.query("delete from service.mailed_proofs");
  await server.services.db.query("delete from service.users");
  email = await server.account("ada");
  device = await signInWith(server, email);
});
// A test that fails leaves no lock to those after it.
afterEach(() => other.query("rollback"));
afterAll(async () => {
  await other.end();
  await server.close();
});

async function count(table: string): Promise<number> {
  const rows = await server.services.db.query<{ count: number }>(
    `select count(*)::int as count from service.${table}`,
  );
  return rows[0]?.count ?? 0;
}

test.each<[string, (kept: SignedInDevice) => KeptSessions, readonly number[]]>([
  ["all", () => "all", [200, 200]],
  ["one", ({ sessionId }) => ({ sessionId }), [200, 401]],
  ["none", () => "none", [401, 401]],
])("operations in progress end; devices that stay: %s", async (_, survivors, statuses) => {
  const { services } = server;
  const lost = await signInWith(server, email);
  const bob = await signInWith(server, await server.account("bob"));
  await services.db.query(
    `insert into service.challenges (token_hash, user_id, generation, proof, expires_at)
     select sha256(email::bytea), id, 0, 'password', now()
     from service.users`,
  );
  await services.db.query(
    `insert into service.mailed_proofs (purpose, email, code_digest, token_hash, expires_at)
     select purpose, email, '', sha256((purpose || email)::bytea), now()
     from service.users
     cross join unnest(array['reset', 'sign-in-link', 'sign-in-code', 'verification']) as purpose`,
  );
  await services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { email });
    if (account === null) throw new Error("There is no account");
    expect(await revoke(tx, account, survivors(device))).toBe(1);
  });
  expect(await statusesOf([device, lost])).toEqual(statuses);
  expect(await statusesOf([bob])).toEqual([200]);
  expect([await count("challenges"), await count("mailed_proofs")]).toEqual([1, 4]);
});

const signIn = () =>
  client(server.url, null).post<{ token: string }>("/auth/token", {
    email,
    password: rightPassword,
  });

/** Waits until so many statements wait for a lock. */
async function untilWaiting(statements: number): Promise<void> {
  const waiting = async () => (await other.query(lockWaiters)).rowCount;
  await expect.poll(waiting, { interval: 5 }).toBe(statements);
}

/** Begins the work while the account is locked by somebody else; what it holds comes to its end after that. */
async function whileLocked<T>(work: () => Promise<Begun<T>>): Promise<T> {
  await other.query("begin");
  await other.query("select id from service.users where email = $1 for no key update", [email]);
  try {
    const { begun } = await work();
    return begun;
  } finally {
    await other.query("commit");
  }
}

/** A promise that is handed on without being waited for. */
interface Begun<T> {
  readonly begun: Promise<T>;
}

test.each([
  ["a grown generation", "update service.users set generation = generation + 1"],
  ["a disabled account", "update service.users set disabled_at = now()"],
  ["a deleted account", "delete from service.users"],
])("a sign-in that waited finds %s and opens nothing", async (_, change) => {
  await server.services.db.query("delete from service.sessions");
  const reply = await whileLocked(async () => {
    const begun = signIn();
    await untilWaiting(1);
    await other.query(change);
    return { begun };
  });
  expect(reply.status).toBe(401);
  expect(reply.body).toEqual({
    error: "Wrong email or password",
    code: "INVALID_EMAIL_OR_PASSWORD",
  });
  expect(await count("sessions")).toBe(0);
});

test("a sign-in that waited for a change of another kind opens its session", async () => {
  const reply = await whileLocked(async () => {
    const begun = signIn();
    await untilWaiting(1);
    await other.query("update service.users set name = 'Ada Lovelace'");
    return { begun };
  });
  expect(reply.status).toBe(201);
});

type Act = [string, () => Promise<unknown>, number];

/** Acts that no sign-in survives, and what of the device that does it is left. */
const acts: readonly Act[] = [
  ["signing out the others", () => device.caller.delete("/auth/sessions"), 200],
  [
    "changing the password",
    () =>
      device.caller.post("/auth/password", {
        currentPassword: rightPassword,
        newPassword: "another right password",
      }),
    200,
  ],
  ["disabling the account", () => disableAccount(server.services, email), 401],
];

test.each(acts)("a sign-in that is a step behind %s does not survive it", async (_, act, left) => {
  const [, reply] = await whileLocked(async () => {
    const acted = act();
    await untilWaiting(1);
    const begun = Promise.all([acted, signIn()]);
    await untilWaiting(2);
    return { begun };
  });
  expect(reply.status).toBe(401);
  expect(await statusesOf([device])).toEqual([left]);
  expect(await count("sessions")).toBe(left === 200 ? 1 : 0);
});

test.each(acts)(
  "a sign-in that is a step ahead of %s does not survive it",
  async (_, act, left) => {
    const [reply] = await whileLocked(async () => {
      const signedIn = signIn();
      await untilWaiting(1);
      const begun = Promise.all([signedIn, act()]);
      await untilWaiting(2);
      return { begun };
    });
    expect(reply.status).toBe(201);
    expect((await client(server.url, reply.body.token).get("/auth/me")).status).toBe(401);
    expect(await statusesOf([device])).toEqual([left]);
    expect(await count("sessions")).toBe(left === 200 ? 1 : 0);
  },
);

test("no sign-in from before a sign-out of the others survives it", async () => {
  const early = await Promise.all([signIn(), signIn(), signIn()]);
  const out = device.caller.delete("/auth/sessions");
  const during = await Promise.all([signIn(), signIn(), signIn()]);
  expect((await out).status).toBe(204);
  for (const { body } of early) {
    expect((await client(server.url, body.token).get("/auth/me")).status).toBe(401);
  }
  for (const { status } of during) expect([201, 401]).toContain(status);
  expect((await signIn()).status).toBe(201);
});
