import { afterAll, beforeAll, expect, test } from "vitest";
import { createToken, endFormerInBackground } from "../../../../runtime/auth/index.js";
import { type Client, client } from "../../../support/http/client.js";
import { signInWith } from "../support/people.js";
import { type AuthServer, startAuth } from "../support/server.js";

let server: AuthServer;
let email: string;
beforeAll(async () => {
  server = await startAuth(
    "auth: { check_breached_passwords: false, token_lifetime_days: 1, idle_hours: 3 }\n",
  );
  email = await server.account("ada");
});
afterAll(() => server.close());

const statusOf = async (caller: Client) => (await caller.get("/auth/me")).status;
const hour = 3_600;

test("an unused session ends after the hours of disuse, and each use extends it", async () => {
  const caller = (await signInWith(server, email)).caller;
  for (let uses = 0; uses < 3; uses += 1) {
    server.clock.moveOn(3 * hour - 0.001);
    expect(await statusOf(caller)).toBe(200);
  }
  server.clock.moveOn(3 * hour);
  expect(await statusOf(caller)).toBe(401);
  const unused = (await signInWith(server, email)).caller;
  server.clock.moveOn(3 * hour);
  expect(await statusOf(unused)).toBe(401);
});

test("a session in use still ends at the end of its lifetime", async () => {
  const caller = (await signInWith(server, email)).caller;
  for (let uses = 0; uses < 11; uses += 1) {
    server.clock.moveOn(2 * hour);
    expect(await statusOf(caller)).toBe(200);
  }
  server.clock.moveOn(2 * hour - 0.001);
  expect(await statusOf(caller)).toBe(200);
  server.clock.moveOn(0.001);
  expect(await statusOf(caller)).toBe(401);
});

test("a session from before the setting ends after the hours of disuse, once a server has started with it", async () => {
  const { caller: longUnused, sessionId } = await signInWith(server, email);
  server.clock.moveOn(2 * hour);
  const { caller: other } = await signInWith(server, email);
  server.clock.moveOn(2 * hour);
  const made = await createToken(server.services, { email, name: "Weekly", days: 30 });
  if (made?.kind !== "made") throw new Error(`No token: ${made?.kind}`);
  await server.services.db.query(
    "update service.sessions set expires_at = created_at + interval '30 days'",
  );
  expect(await statusOf(longUnused)).toBe(200);
  // What the request leaves to be stored must not overtake what follows.
  const used = () =>
    server.services.db.query("select from service.sessions where id = $1 and last_used_at = $2", [
      sessionId,
      server.services.clock.now(),
    ]);
  await expect.poll(used).toHaveLength(1);
  await server.services.db.query(
    "update service.sessions set expires_at = created_at + interval '30 days', last_used_at = created_at",
  );
  await endFormerInBackground(server.services);
  expect(await statusOf(longUnused)).toBe(401);
  expect(await statusOf(other)).toBe(200);
  server.clock.moveOn(4 * hour);
  expect(await statusOf(client(server.url, made.token))).toBe(200);
});

test("a service token ends at its own time, used or not", async () => {
  const made = await createToken(server.services, { email, name: "Nightly", days: "never" });
  if (made?.kind !== "made") throw new Error(`No token: ${made?.kind}`);
  const caller = client(server.url, made.token);
  for (let uses = 0; uses < 3; uses += 1) {
    server.clock.moveOn(48 * hour);
    expect(await statusOf(caller)).toBe(200);
  }
});
