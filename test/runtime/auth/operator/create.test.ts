import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, type NewAccount } from "../../../../runtime/auth/index.js";
import { Refusal } from "../../../../runtime/errors/index.js";
import { type AuthServer, rightPassword, startAuth } from "../support/server.js";

let server: AuthServer;

beforeAll(async () => {
  server = await startAuth();
});
afterAll(() => server.close());

const ada = { email: "ada@example.com", name: "Ada", role: "admin", password: rightPassword };

async function refusalOf(account: NewAccount): Promise<unknown> {
  try {
    return await createAccount(server.services, account);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const paths = (error.details.issues ?? []).map((issue) => "path" in issue && issue.path);
    return [error.code, ...paths];
  }
}

test("makes a verified account in normal form, its password hashed with argon2id", async () => {
  const account = await createAccount(server.services, {
    email: " ADA@München.example ",
    name: "  Ada Lovelace ",
    role: null,
    password: rightPassword,
  });
  expect(account).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    name: "Ada Lovelace",
    email: "ada@xn--mnchen-3ya.example",
    role: null,
  });
  const now = server.services.clock.now();
  expect(
    await server.services.db.query("select * from service.users where id = $1", [account.id]),
  ).toEqual([
    {
      ...account,
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      email_verified_at: now,
      avatar: null,
      disabled_at: null,
      generation: 0,
      invited: false,
      created_at: now,
      updated_at: now,
    },
  ]);
});

test("refuses all malformed values in one response", async () => {
  expect(await refusalOf({ ...ada, email: "ada", name: " ", role: "a\nb" })).toEqual([
    "INVALID",
    "email",
    "name",
    "role",
  ]);
});

test("refuses a password against the rules", async () => {
  expect(await refusalOf({ ...ada, password: "short" })).toEqual([
    "PASSWORD_TOO_SHORT",
    "password",
  ]);
});

test("one of many with the same address is created, the others are refused", async () => {
  await server.services.db.query("delete from service.users where email = $1", [ada.email]);
  const results = await Promise.all(
    ["ada@example.com", "ADA@example.com", " ada@EXAMPLE.com"].map((email) =>
      refusalOf({ ...ada, email }),
    ),
  );
  expect(results.filter((result) => !Array.isArray(result))).toHaveLength(1);
  expect(results.filter((result) => Array.isArray(result))).toEqual([
    ["USER_ALREADY_EXISTS", "email"],
    ["USER_ALREADY_EXISTS", "email"],
  ]);
});
