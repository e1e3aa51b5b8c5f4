import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;

const seats = `unique: [[clubId, userId]]
fields:
  clubId: { type: belongsTo, resource: clubs, required: true, onDelete: cascade }
  userId: { type: belongsTo, resource: users, required: true, onDelete: cascade }
  role: { type: enum, values: [chair, guest], required: true }
`;

beforeAll(async () => {
  app = await openAccountsApp();
  writeFileSync(
    join(app.root, "resources/diaries.yaml"),
    "fields: { ownerId: { type: belongsTo, resource: users, required: true } }\n",
  );
  const clubs = "owner: { link: id, through: seats, founder: chair }\nfields: {}\n";
  writeFileSync(join(app.root, "resources/clubs.yaml"), clubs);
  writeFileSync(join(app.root, "resources/seats.yaml"), seats);
  expect((await app.run(["generate"])).exitCode).toBe(0);
  expect((await app.run(["migrate"])).exitCode).toBe(0);
});
beforeEach(async () => {
  settings("");
  await app.db.query("delete from diaries");
  await app.db.query("delete from clubs");
  await app.db.query("delete from service.users");
  await app.db.query("delete from service.account_events");
  await app.account("ann@example.com", { role: "admin" });
  await app.account("bob@example.com", { role: "editor" });
});
afterAll(() => app.close());

function settings(more: string): void {
  const auth = `auth: { check_breached_passwords: false ${more} }\n`;
  writeFileSync(join(app.root, "service.yaml"), auth);
}

const remove = (email: string) => app.user(["delete", "--email", email]);
const withOperators = () => settings(", operators: [admin]");

async function emails(): Promise<readonly string[]> {
  const { rows } = await app.db.query("select email from service.users order by email");
  return rows.map(({ email }) => email);
}

test("deletes an account without confirmation", async () => {
  const { exitCode, stdout, stderr } = await remove(" BOB@example.com");
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: "bob@example.com is deleted",
    stderr: "",
  });
  expect(await emails()).toEqual(["ann@example.com"]);
  expect((await remove("bob@example.com")).exitCode).toBe(1);
});

test("is refused with the counts while records require the account", async () => {
  await app.db.query(
    `insert into diaries (id, owner_id)
     select gen_random_uuid(), id
     from service.users, generate_series(1, 3)
     where email = 'bob@example.com'`,
  );
  const { exitCode, stderr } = await remove("bob@example.com");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: "3 diaries still belong to this account or to records that are deleted with it",
  });
  expect(await emails()).toHaveLength(2);
});

test("is refused while the account is the last founder of a team", async () => {
  await app.db.query(
    `with club as (insert into clubs (id) values (gen_random_uuid()) returning id)
     insert into seats (id, club_id, user_id, role)
     select gen_random_uuid(), club.id, users.id, 'chair'
     from club, service.users where email = 'bob@example.com'`,
  );
  const { exitCode, stderr } = await remove("bob@example.com");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'A club cannot lose its last "chair"',
  });
  await app.db.query("update seats set role = 'guest'");
  expect((await remove("bob@example.com")).exitCode).toBe(0);
  expect((await app.db.query("select from seats")).rows).toEqual([]);
});

test("a role cannot begin with the prefixes by which rules name members", async () => {
  const { exitCode, stderr } = await app.user([
    "set-role",
    "--email",
    "bob@example.com",
    "--role",
    "owner.lead",
  ]);
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: expect.any(Number),
    stderr: 'The role must not begin with "owner."',
  });
  expect(exitCode).not.toBe(0);
});

test("the last enabled operator is neither deleted, demoted nor disabled", async () => {
  withOperators();
  const refused = {
    exitCode: 1,
    stderr: expect.stringMatching(
      /^ann@example.com is the last enabled operator \(auth.operators: admin\)\n {2}hint: first give/,
    ),
  };
  expect(await remove("ann@example.com")).toMatchObject(refused);
  const ann = ["--email", "ann@example.com"];
  expect(await app.user(["set-role", ...ann, "--no-role"])).toMatchObject(refused);
  expect(await app.user(["set-role", ...ann, "--role", "editor"])).toMatchObject(refused);
  expect(await app.user(["disable", ...ann])).toMatchObject(refused);
  expect((await app.user(["set-role", ...ann, "--role", "admin"])).exitCode).toBe(0);
  await app.user(["set-role", "--email", "bob@example.com", "--role", "admin"]);
  expect((await app.user(["disable", ...ann])).exitCode).toBe(0);
  expect((await remove("ann@example.com")).exitCode).toBe(0);
  expect((await remove("bob@example.com")).exitCode).toBe(1);
});

test("events have the actions of the command line, also for a deleted account", async () => {
  const { rows } = await app.db.query("select id from service.users where email like 'bob%'");
  await app.user(["set-role", "--email", "bob@example.com", "--role", "author"]);
  await app.user(["disable", "--email", "bob@example.com"]);
  await remove("bob@example.com");
  const listed = await app.user(["events", "--json"]);
  const account = { id: rows[0].id, email: null };
  const event = { id: expect.any(String), at: expect.any(String), account, by: null };
  expect(JSON.parse(listed.stdout)).toEqual({
    events: [
      { ...event, kind: "account-deleted" },
      { ...event, kind: "account-disabled" },
      { ...event, kind: "account-changed" },
    ],
  });
  const some = await app.user(["events", "--id", rows[0].id, "--limit", "1"]);
  expect(some.stdout.split("\n")).toHaveLength(2);
  expect(some.stdout).toMatch(/account-deleted\s+\S{36}\s+command line$/);
  const none = await app.user(["events", "--email", "ann@example.com", "--json"]);
  expect(JSON.parse(none.stdout)).toEqual({ events: [] });
  const kind = await app.user(["events", "--kind", "account-disabled", "--json"]);
  expect(JSON.parse(kind.stdout).events).toHaveLength(1);
});

test.each([
  ["an unknown kind", ["--kind", "slept"]],
  ["an account by address and id", ["--email", "a@example.com", "--id", crypto.randomUUID()]],
  ["an invalid id", ["--id", "ann"]],
  ["no events at all", ["--limit", "0"]],
])("%s is a usage error of events", async (_, args) => {
  expect((await app.user(["events", ...args])).exitCode).toBe(2);
});

test("events of an unknown account are refused", async () => {
  const { exitCode, stderr } = await app.user(["events", "--email", "cleo@example.com"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("cleo@example.com has no account");
});
