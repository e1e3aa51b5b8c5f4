import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;
/** Not migrated. */
let bare: TestDatabase;

const email = "ann@example.com";

beforeAll(async () => {
  app = await openAccountsApp();
  bare = await emptyDatabase();
});
beforeEach(async () => {
  await app.db.query("delete from service.users");
  await app.account(email);
  await app.account("bob@example.com");
  for (const [table, columns, values] of belongings) {
    await app.db.query(
      `insert into service.${table} (user_id, ${columns})
       select id, ${values}
       from service.users`,
    );
  }
});
afterAll(async () => {
  await app.close();
  await bare.drop();
});

const later = "now() + interval '1 day'";

/** A row of each kind for every account. */
const belongings = [
  [
    "sessions",
    "id, token_hash, proofs, expires_at",
    `gen_random_uuid(), sha256(email::bytea), '{password}', ${later}`,
  ],
  [
    "challenges",
    "token_hash, generation, proof, expires_at",
    `sha256(email::bytea), 0, 'password', ${later}`,
  ],
  [
    "second_steps",
    "authenticator_secret, email, backup_key",
    "'sealed'::bytea, true, 'sealed'::bytea",
  ],
  ["backup_codes", "digest", "'digest'::bytea"],
  ["second_step_set_ups", "email_code_digest, expires_at", `'digest'::bytea, ${later}`],
  ["passkey_challenges", "challenge_hash, expires_at", `sha256(email::bytea), ${later}`],
] as const;

/** How many rows of each kind the account has. */
async function left(address = email): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const [table] of belongings) {
    const { rows } = await app.db.query(
      `select count(*)::int as count
       from service.${table}
       where user_id = (select id from service.users where email = $1)`,
      [address],
    );
    counts[table] = rows[0].count;
  }
  return counts;
}

const all = {
  sessions: 1,
  challenges: 1,
  second_steps: 1,
  backup_codes: 1,
  second_step_set_ups: 1,
  passkey_challenges: 1,
};

async function state(): Promise<{ disabled_at: Date | null; generation: number }> {
  const text = "select disabled_at, generation from service.users where email = $1";
  const { rows } = await app.db.query(text, [email]);
  return rows[0];
}

test("disabling an account ends its devices, sign-ins and set-ups in progress", async () => {
  const { exitCode, stdout } = await app.user(["disable", "--email", " Ann@Example.com "]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "ann@example.com is signed out everywhere and cannot sign in",
  });
  expect(await state()).toEqual({ disabled_at: expect.any(Date), generation: 1 });
  const ended = { sessions: 0, challenges: 0, second_step_set_ups: 0, passkey_challenges: 0 };
  expect(await left()).toEqual({ ...all, ...ended });
  expect(await left("bob@example.com")).toEqual(all);
});

test("disabling twice keeps the first date, enabling twice is not an error", async () => {
  await app.user(["disable", "--email", email]);
  const { disabled_at } = await state();
  expect((await app.user(["disable", "--email", email])).exitCode).toBe(0);
  expect((await state()).disabled_at).toEqual(disabled_at);
  for (const _ of [1, 2]) {
    const { exitCode, stdout } = await app.user(["enable", "--email", email]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "ann@example.com can sign in" });
  }
  expect((await state()).disabled_at).toBeNull();
});

test("the second step is removed, with its set-up and sign-ins in progress", async () => {
  const { exitCode, stdout } = await app.user(["disable-two-factor", "--email", email]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "ann@example.com signs in without a second step",
  });
  expect(await left()).toEqual({
    sessions: 1,
    challenges: 0,
    second_steps: 0,
    backup_codes: 0,
    second_step_set_ups: 0,
    passkey_challenges: 0,
  });
  expect((await state()).generation).toBe(1);
  expect(await left("bob@example.com")).toEqual(all);
  expect((await app.user(["disable-two-factor", "--email", email])).exitCode).toBe(0);
});

const commands = [
  ["set-role", "--no-role"],
  ["disable"],
  ["enable"],
  ["disable-two-factor"],
  ["reset-password"],
];

test.each(commands)("%s needs the address of an account", async (...command) => {
  const unknown = await app.user([...command, "--email", "Nobody@example.com"]);
  expect([unknown.exitCode, unknown.stdout, unknown.stderr]).toEqual([
    1,
    "",
    `nobody@example.com has no account\n  hint: npx service -C ${app.root} user list shows all accounts`,
  ]);
  const malformed = await app.user([...command, "--email", "ann\u001b[31m"]);
  expect([malformed.exitCode, malformed.stdout, malformed.stderr]).toEqual([
    1,
    "",
    '"ann\\u001b[31m" is not an email address\n  hint: write it as ann@example.com',
  ]);
  expect((await app.user(command)).exitCode).toBe(2);
  expect(await left()).toEqual(all);
});

test.each([...commands, ["list"]])("%s waits for pending migrations", async (...command) => {
  const named = command[0] === "list" ? [] : ["--email", email];
  const env = { DATABASE_URL: bare.url };
  const { exitCode, stdout, stderr } = await app.user([...command, ...named], { env });
  expect([exitCode, stdout, stderr]).toEqual([
    1,
    "",
    `The database is not up to date\n  hint: run: npx service -C ${app.root} migrate`,
  ]);
});
