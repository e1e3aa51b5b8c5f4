import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { storeUses } from "../../../../runtime/auth/session/last-use/store.js";
import { expectRefusal } from "../../../support/apps/shop.js";
import { client, type Reply } from "../../../support/http/client.js";
import { newestMail, tokenIn } from "../support/mails.js";
import { type SignedInDevice, signInWith, statusesOf } from "../support/people.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

interface Devices {
  readonly data: readonly { readonly id: string; readonly name: string | null }[];
}

let server: AuthServer;
let ada: string;

beforeAll(async () => {
  server = await startAuth(
    "auth: { check_breached_passwords: false, token_lifetime_days: 1 }\n" +
      "server: { trust_proxy: 1 }\n",
  );
  ada = await server.account("ada");
});
beforeEach(async () => {
  server.clock.moveOn(61);
  await server.services.db.query("delete from service.sessions");
});
afterAll(() => server.close());

const list = ({ caller }: SignedInDevice) => caller.get<Devices>("/auth/sessions");

function namesIn(reply: Reply<Devices>): (string | null)[] {
  return reply.body.data.map(({ name }) => name);
}

test("a device is listed with all its known details", async () => {
  const opened = server.services.clock.now();
  const device = await signInWith(server, ada, { deviceName: "Laptop" });
  server.clock.moveOn(90);
  const reply = await list(device);
  expect(reply.status).toBe(200);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.body).toEqual({
    data: [
      {
        id: device.sessionId,
        name: "Laptop",
        browser: null,
        ipAddress: "127.0.0.1",
        current: true,
        createdAt: opened.toISOString(),
        // The statement that lists them comes after the token's check has recorded the use.
        lastUsedAt: server.services.clock.now().toISOString(),
        expiresAt: new Date(opened.getTime() + 86_400_000).toISOString(),
      },
    ],
  });
  expect(Object.keys(reply.body.data[0] ?? {})).toEqual([
    "id",
    "name",
    "browser",
    "ipAddress",
    "current",
    "createdAt",
    "lastUsedAt",
    "expiresAt",
  ]);
});

test("the caller's device comes first, then the one last used; ties are broken by id", async () => {
  const one = await signInWith(server, ada, { deviceName: "one" });
  const two = await signInWith(server, ada, { deviceName: "two" });
  const three = await signInWith(server, ada, { deviceName: "three" });
  server.clock.moveOn(61);
  await two.caller.get("/auth/me");
  server.clock.moveOn(61);
  const tied = [one, three].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const names = tied.map((device) => (device === one ? "one" : "three"));
  const reply = await list(await signInWith(server, ada, { deviceName: "four" }));
  expect(namesIn(reply)).toEqual(["four", "two", ...names]);
});

test("another account's devices, and expired ones, are not listed", async () => {
  await signInWith(server, ada, { deviceName: "old" });
  server.clock.moveOn(86_399);
  await signInWith(server, await server.account("bob"), { deviceName: "Bob's" });
  const device = await signInWith(server, ada, { deviceName: "new" });
  expect(namesIn(await list(device))).toEqual(["new", "old"]);
  server.clock.moveOn(1);
  expect(namesIn(await list(device))).toEqual(["new"]);
});

test("signing out the others leaves the caller's device only", async () => {
  const eve = await signInWith(server, await server.account("eve"));
  const devices = [await signInWith(server, ada), await signInWith(server, ada)];
  const device = await signInWith(server, ada);
  const reply = await device.caller.delete("/auth/sessions");
  expect([reply.status, reply.text]).toEqual([204, ""]);
  expect(await statusesOf([...devices, device, eve])).toEqual([401, 401, 200, 200]);
  expect((await device.caller.delete("/auth/sessions")).status).toBe(204);
});

test("signing out the others ends no code, link or set-up", async () => {
  const device = await signInWith(server, ada);
  const anonymous = client(server.url, null);
  await anonymous.post("/auth/email-code", { email: ada });
  await anonymous.post("/auth/password/forgot", { email: ada });
  const asked = { password: rightPassword, method: "email" };
  expect((await device.caller.post("/auth/two-factor/enable", asked)).status).toBe(200);
  expect((await device.caller.delete("/auth/sessions")).status).toBe(204);

  const { code } = newestMail(server, ada, "sign-in-code");
  const signIn = await anonymous.post("/auth/email-code/verify", { email: ada, code });
  expect(signIn.status).toBe(201);
  const setUp = newestMail(server, ada, "set-up-code");
  const confirmed = await device.caller.post("/auth/two-factor/confirm", { code: setUp.code });
  expect(confirmed.status).toBe(200);
  const token = tokenIn(newestMail(server, ada, "reset-link").link);
  const reset = { token, newPassword: rightPassword };
  expect((await anonymous.post("/auth/password/reset", reset)).status).toBe(204);
  await server.services.db.query("delete from service.second_steps");
});

test("one device is signed out, the caller's included", async () => {
  const [one, two] = [await signInWith(server, ada), await signInWith(server, ada)];
  const first = await one.caller.delete(`/auth/sessions/${two.sessionId}`);
  expect([first.status, first.text]).toEqual([204, ""]);
  expect(await statusesOf([one, two])).toEqual([200, 401]);
  expect((await one.caller.delete(`/auth/sessions/${one.sessionId.toUpperCase()}`)).status).toBe(
    204,
  );
  expect(await statusesOf([one])).toEqual([401]);
});

test("a session that is not one of the caller's devices is 404, and stays signed in", async () => {
  const expired = await signInWith(server, ada);
  server.clock.moveOn(86_400);
  const mallory = await signInWith(server, await server.account("mallory"));
  const device = await signInWith(server, ada);
  const other = await signInWith(server, ada);
  await device.caller.delete(`/auth/sessions/${other.sessionId}`);
  for (const id of [
    other.sessionId,
    mallory.sessionId,
    expired.sessionId,
    "01890000-0000-7000-8000-000000000000",
    "current",
    "%00",
    `${device.sessionId}x`,
  ]) {
    expectRefusal(await device.caller.delete(`/auth/sessions/${id}`), 404);
  }
  expect(await statusesOf([device, mallory])).toEqual([200, 200]);
});

/** Sessions past the API: `device 1` was used longest ago. */
async function addDevices(email: string, count: number): Promise<void> {
  await server.services.db.query(
    `insert into service.sessions (id, user_id, token_hash, name, proofs, last_used_at, expires_at)
     select gen_random_uuid(), u.id, sha256(n::text::bytea), 'device ' || n, '{password}',
       $2::timestamptz - ($3 - n) * interval '1 second', $2::timestamptz + interval '1 day'
     from service.users u
     cross join generate_series(1, $3::int) n
     where u.email = $1`,
    [email, server.services.clock.now(), count],
  );
}

async function deviceNames(): Promise<readonly string[]> {
  const rows = await server.services.db.query<{ name: string }>(
    "select coalesce(name, 'new') as name from service.sessions order by last_used_at, name",
  );
  return rows.map(({ name }) => name);
}

test("a sign-in beyond a hundred devices ends the one used longest ago", async () => {
  await addDevices(ada, 99);
  server.clock.moveOn(1);
  const hundredth = await signInWith(server, ada);
  expect((await list(hundredth)).body.data).toHaveLength(100);
  server.clock.moveOn(1);
  const newest = await signInWith(server, ada);
  const left = Array.from({ length: 98 }, (_, at) => `device ${at + 2}`);
  expect(await deviceNames()).toEqual([...left, "new", "new"]);
  expect(await statusesOf([hundredth, newest])).toEqual([200, 200]);
});

test("at most a hundred devices stay after many concurrent sign-ins, including all new ones", async () => {
  const bea = await server.account("bea");
  await addDevices(bea, 100);
  server.clock.moveOn(1);
  const devices = await Promise.all(Array.from({ length: 10 }, () => signInWith(server, bea)));
  expect(await statusesOf(devices)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(await deviceNames()).toHaveLength(100);
  expect((await deviceNames())[0]).toBe("device 11");
});

test("a hundred of thousands from before the limit are listed, and one sign-in ends the others", async () => {
  const device = await signInWith(server, ada, { deviceName: "Laptop" });
  await server.services.db.query(
    `insert into service.sessions
       (id, user_id, token_hash, proofs, created_at, last_used_at, expires_at)
     select gen_random_uuid(), user_id, sha256(n::text::bytea), proofs, created_at,
       last_used_at - interval '1 hour', expires_at
     from service.sessions
     cross join generate_series(1, 3000) as n`,
  );
  const listed = (await list(device)).body.data;
  expect(listed).toHaveLength(100);
  expect(listed[0]?.name).toBe("Laptop");
  await signInWith(server, ada);
  expect(
    await server.services.db.query("select count(*)::int as sessions from service.sessions"),
  ).toEqual([{ sessions: 100 }]);
});

test("another's devices are not counted", async () => {
  await addDevices(await server.account("cleo"), 100);
  await signInWith(server, ada);
  expect(await deviceNames()).toHaveLength(101);
});

test("none of this works without a token", async () => {
  const device = await signInWith(server, ada);
  const anonymous = client(server.url, null);
  expectRefusal(await anonymous.get("/auth/sessions"), 401);
  expectRefusal(await anonymous.delete("/auth/sessions"), 401);
  expectRefusal(await anonymous.delete(`/auth/sessions/${device.sessionId}`), 401);
  expect(await statusesOf([device])).toEqual([200]);
});

test("a use less than a minute after the recorded one is not written", async () => {
  const { db, config, clock } = server.services;
  const { sessionId } = await signInWith(server, ada);
  const start = clock.now().getTime() + 60_000;
  for (const at of [start, start + 1, start + 59_999, start + 60_000, start + 60_001]) {
    await storeUses(db, config, [{ sessionId, at: new Date(at) }]);
    const expected = at < start + 60_000 ? start : start + 60_000;
    expect((await lastUse())?.getTime()).toBe(expected);
  }
});

async function lastUse(): Promise<Date | undefined> {
  const rows = await server.services.db.query<{ at: Date }>(
    "select last_used_at as at from service.sessions",
  );
  return rows[0]?.at;
}
