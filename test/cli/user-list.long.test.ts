import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;

beforeAll(async () => {
  app = await openAccountsApp();
});
beforeEach(() => app.db.query("delete from service.users"));
afterAll(() => app.close());

const day = (text: string) => new Date(`${text}T12:00:00Z`);

async function threeAccounts(): Promise<void> {
  const created_at = day("2030-01-31");
  await app.account("cy@example.com", {
    created_at,
    name: "Cy 💻",
    disabled_at: day("2030-02-01"),
  });
  await app.account("ann@example.com", { created_at, name: "Ann Lee", role: "admin" });
  await app.account("bob@example.com", { created_at, email_verified_at: created_at });
  await app.db.query(
    `insert into service.second_steps (user_id, authenticator_secret, email, backup_key)
     select id, 'sealed', true, 'sealed'
     from service.users
     where email = 'bob@example.com'`,
  );
}

test("without accounts it shows how to create one", async () => {
  const { exitCode, stdout } = await app.user(["list"]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: `There are no accounts; npx service -C ${app.root} user create makes one`,
  });
});

test("lists the accounts by address, one per line", async () => {
  await threeAccounts();
  const { exitCode, stdout } = await app.user(["list"]);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "email            name     role   verified  two-factor            disabled    created",
    "ann@example.com  Ann Lee  admin  no        -                     -           2030-01-31",
    "bob@example.com  bob      -      yes       authenticator, email  -           2030-01-31",
    "cy@example.com   Cy 💻     -      no        -                     2030-02-01  2030-01-31",
  ]);
});

test("lists them as JSON", async () => {
  await threeAccounts();
  const { stdout } = await app.user(["list", "--json"]);
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const plain = { id, role: null, emailVerified: false, twoFactor: [], disabledAt: null };
  const createdAt = "2030-01-31T12:00:00.000Z";
  expect(JSON.parse(stdout)).toEqual({
    accounts: [
      { ...plain, email: "ann@example.com", name: "Ann Lee", role: "admin", createdAt },
      {
        ...plain,
        email: "bob@example.com",
        name: "bob",
        emailVerified: true,
        twoFactor: ["authenticator", "email"],
        createdAt,
      },
      {
        ...plain,
        email: "cy@example.com",
        name: "Cy 💻",
        disabledAt: "2030-02-01T12:00:00.000Z",
        createdAt,
      },
    ],
  });
});

test("fifty thousand accounts are listed", async () => {
  await app.db.query(
    `insert into service.users (id, name, email)
     select gen_random_uuid(), 'Person ' || n, n || '@example.com'
     from generate_series(1, 50000) as n`,
  );
  const { exitCode, stdout } = await app.user(["list"]);
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toHaveLength(50_001);
});
