import type { IncomingMessage } from "node:http";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { sessionGate } from "../../../../runtime/auth/index.js";
import { newLastUses } from "../../../../runtime/auth/session/last-use/last-uses.js";
import { hashToken } from "../../../../runtime/auth/token/token.js";
import type { Database } from "../../../../runtime/db/index.js";
import { client } from "../../../support/http/client.js";
import { type SignedInDevice, signInWith } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

const settings = "auth: { check_breached_passwords: false, idle_hours: 8 }\n";

let server: AuthServer;
let other: pg.Client;
let person: SignedInDevice;
beforeAll(async () => {
  server = await startAuth(settings);
  other = new pg.Client({ connectionString: server.services.config.database.url });
  await other.connect();
  const email = await server.account("ada");
  person = await signInWith(server, email);
});
beforeEach(() => server.clock.moveOn(3_600));
// A test that fails leaves no lock to those after it.
afterEach(() => other.query("rollback"));
afterAll(async () => {
  await other.end();
  await server.close();
});

async function lastUse(): Promise<{ readonly used: Date; readonly end: Date }> {
  const { rows } = await other.query(
    "select last_used_at as used, expires_at as end from service.sessions where id = $1",
    [person.sessionId],
  );
  return rows[0];
}

/** What a use of now leaves behind. */
function usedNow() {
  const used = server.services.clock.now();
  return { used, end: new Date(used.getTime() + 8 * 3_600_000) };
}

/** A server on the same database. */
async function besides(): Promise<AuthServer> {
  const { url } = server.services.config.database;
  const startsAt = server.services.clock.now().getTime();
  return startAuth(settings, {}, { databaseUrl: url, startsAt });
}

/** Prevents updates of sessions until the function that it returns is called. */
async function lockUpdates(): Promise<() => Promise<unknown>> {
  await other.query("begin; lock table service.sessions in share mode");
  return () => other.query("commit");
}

test("a request is answered while its session's last use cannot be stored", async () => {
  const unlock = await lockUpdates();
  const before = await lastUse();
  const reply = await person.caller.get("/auth/me");
  expect([reply.status, await lastUse()]).toEqual([200, before]);
  await unlock();
  await expect.poll(lastUse).toEqual(usedNow());
});

test("a server that stops stores the last uses first", async () => {
  const second = await besides();
  const unlock = await lockUpdates();
  expect((await client(second.url, person.token).get("/auth/me")).status).toBe(200);
  const closed = second.close();
  await unlock();
  await closed;
  expect(await lastUse()).toEqual(usedNow());
});

test("the list of devices shows the caller's use before it is stored", async () => {
  const unlock = await lockUpdates();
  const reply = await person.caller.get<{ data: readonly object[] }>("/auth/sessions");
  await unlock();
  const { used, end } = usedNow();
  expect(reply.body.data).toEqual([
    expect.objectContaining({ lastUsedAt: used.toISOString(), expiresAt: end.toISOString() }),
  ]);
});

test("a session whose last use is not stored yet has not ended", async () => {
  const unlock = await lockUpdates();
  server.clock.moveOn(7 * 3_600 - 60);
  expect((await person.caller.get("/auth/me")).status).toBe(200);
  server.clock.moveOn(3_600);
  const reply = person.caller.get("/auth/me");
  await unlock();
  expect((await reply).status).toBe(200);
});

test("a last use that is stored while its session is looked up still counts", async () => {
  const { db } = server.services;
  const unlock = await lockUpdates();
  server.clock.moveOn(7 * 3_600 - 60);
  const usedBefore = usedNow();
  let lookUps = 0;
  const read: Database["read"] = async (plan) => {
    const rows = await db.read<never>(plan);
    lookUps += 1;
    if (lookUps !== 2) return rows;
    await unlock();
    await expect.poll(lastUse).toEqual(usedBefore);
    return rows;
  };
  const services = { ...server.services, db: { ...db, read } };
  const gate = sessionGate(services);
  const headers = { authorization: `Bearer ${person.token}` };
  const asked = { request: { headers } as IncomingMessage, services };
  expect(await gate.identify(asked)).not.toBeNull();
  server.clock.moveOn(3_600);
  expect(await gate.identify(asked)).not.toBeNull();
  await gate.finish?.(10_000);
});

test("a use that cannot be stored is logged and kept, and stored with later uses", async () => {
  const warnings: string[] = [];
  const log = {
    ...server.services.log,
    warn: (_: object, message?: string) => void warnings.push(message ?? ""),
  };
  const uses = newLastUses({ ...server.services, log });
  const { sessionId } = person;
  const tokenHash = hashToken(person.token);
  await other.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
     create trigger refuse before update on service.sessions execute function refuse()`,
  );
  const allow = () =>
    other.query(
      "drop trigger if exists refuse on service.sessions; drop function if exists refuse()",
    );
  onTestFinished(async () => void (await allow()));
  uses.note({ sessionId, at: server.services.clock.now() }, tokenHash);
  await uses.finish(10_000);
  expect(uses.isUnstored(tokenHash)).toBe(true);
  expect(warnings).toEqual(["The last use of sessions cannot be stored"]);
  await allow();
  await uses.storeNow();
  expect(await lastUse()).toEqual(usedNow());
  expect(uses.isUnstored(tokenHash)).toBe(false);
});

test("a session that ends meanwhile stays ended", async () => {
  const { caller, sessionId } = await signInWith(server, "ada@example.com");
  server.clock.moveOn(3_600);
  const unlock = await lockUpdates();
  expect((await caller.get("/auth/me")).status).toBe(200);
  const ended = person.caller.delete(`/auth/sessions/${sessionId}`);
  await unlock();
  expect((await ended).status).toBe(204);
  expect((await caller.get("/auth/me")).status).toBe(401);
});
