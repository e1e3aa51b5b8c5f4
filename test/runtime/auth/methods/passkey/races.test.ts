import { afterAll, beforeAll, expect, test } from "vitest";
import { lockWaiters } from "../../../../support/database/lock-waits.js";
import type { Reply } from "../../../../support/http/client.js";
import {
  atDashboard,
  expectRefused,
  type PasskeyPerson,
  type PasskeyServer,
  startPasskeys,
} from "../../support/passkeys.js";

let server: PasskeyServer;

beforeAll(async () => {
  server = await startPasskeys();
});
afterAll(() => server.close());

/** Sends a request that finds the account locked, and is answered after the change is committed. */
async function overtake(
  { id }: PasskeyPerson,
  request: () => Promise<Reply>,
  change: string,
): Promise<Reply> {
  const { db } = server.services;
  const [reply] = await db.transaction(async (tx) => {
    await tx.query("select id from service.users where id = $1 for update", [id]);
    const late = request();
    await expect.poll(() => db.query(lockWaiters), { interval: 10 }).toHaveLength(1);
    await tx.query(change, [id]);
    // Not awaited here: it waits for this transaction.
    return [late];
  });
  return reply;
}

test.each([
  ["the account is disabled", "update service.users set disabled_at = now() where id = $1"],
  ["the passkey is removed", "delete from service.passkeys where user_id = $1"],
])("a sign-in in progress is refused when %s", async (_, change) => {
  const person = await server.person();
  const authenticator = await person.enrolled();
  const reply = await overtake(person, () => server.signIn(authenticator), change);
  expectRefused(reply);
});

test.each([
  ["all sessions are ended", "delete from service.sessions where user_id = $1"],
  ["the account is disabled", "update service.users set disabled_at = now() where id = $1"],
])("a passkey that is being added is not refused when %s", async (_, change) => {
  const person = await server.person();
  const credential = atDashboard().create(await person.creationOptions());
  const request = () => person.client.post("/auth/passkeys", { credential });
  expect((await overtake(person, request, change)).status).toBe(401);
  const rows = await server.services.db.query(
    "select id from service.passkeys where user_id = $1",
    [person.id],
  );
  expect(rows).toEqual([]);
});
