import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;

beforeAll(async () => {
  app = await openAccountsApp();
});
beforeEach(async () => {
  await app.db.query("delete from service.mailed_proofs");
  await app.db.query("delete from service.users");
  await app.account("ann@example.com", { email_verified_at: new Date() });
  await app.account("bob@example.com");
});
afterAll(() => app.close());

const setEmail = (email: string, to: string) =>
  app.user(["set-email", "--email", email, "--new", to]);

async function accounts(): Promise<readonly string[]> {
  const { rows } = await app.db.query(
    `select email || case when email_verified_at is null then '' else ' verified' end as account
     from service.users
     order by email`,
  );
  return rows.map(({ account }) => account);
}

test("changes an account's address, and mails a confirmation to the new one", async () => {
  const { exitCode, stdout } = await setEmail(" ANN@example.com", "Ann.Lee@Example.com");
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout:
      "ann@example.com is now ann.lee@example.com; a mail was sent there to confirm the address",
  });
  expect(await accounts()).toEqual(["ann.lee@example.com", "bob@example.com"]);
  const { rows } = await app.db.query("select purpose, email from service.mailed_proofs");
  expect(rows).toEqual([{ purpose: "verification", email: "ann.lee@example.com" }]);
  // As an operator's change: proving the new address removes nothing of the account.
  const invited = await app.db.query("select email from service.users where invited");
  expect(invited.rows).toEqual([{ email: "ann.lee@example.com" }]);
  const events = await app.user(["events", "--kind", "email-changed", "--json"]);
  expect(JSON.parse(events.stdout)).toMatchObject({ events: [{ by: null }] });
});

test("setting an account's present address keeps it verified", async () => {
  const { exitCode, stdout } = await setEmail("ann@example.com", "ANN@example.com");
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "ann@example.com is already the address of this account",
  });
  expect(await accounts()).toEqual(["ann@example.com verified", "bob@example.com"]);
});

test.each([
  ["ann@example.com", "bob@example.com", /already/i],
  ["nobody@example.com", "new@example.com", /nobody@example.com has no account/],
  ["ann@example.com", "no address", /is not an email address/],
])("from %s to %s is refused", async (from, to, message) => {
  const { exitCode, stderr } = await setEmail(from, to);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(message);
  expect(await accounts()).toEqual(["ann@example.com verified", "bob@example.com"]);
});
