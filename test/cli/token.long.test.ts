import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";
import { fullDisk, serviceToFullDisk } from "./service.js";

let app: AccountsApp;

beforeAll(async () => {
  app = await openAccountsApp();
});
beforeEach(async () => {
  await app.db.query("delete from service.users");
  await app.account("ann@example.com", { role: "editor" });
});
afterAll(() => app.close());

const token = (...args: string[]) => app.run(["token", ...args]);
const create = (...args: string[]) => token("create", "--email", "ann@example.com", ...args);

async function sessions() {
  const { rows } = await app.db.query("select * from service.sessions");
  return rows;
}

test("prints the token once, alone on standard output", async () => {
  const { exitCode, stdout, stderr } = await create("--name", "Export", "--days", "3");
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/^[\w-]{43}$/);
  expect(stderr).toMatch(
    /^It acts as ann@example.com until \d{4}-\d\d-\d\d, and is not shown again$/,
  );
  const [session] = await sessions();
  expect(session.token_hash).toEqual(createHash("sha256").update(stdout).digest());
  expect(session.name).toBe("Export");
  const days = (session.expires_at.getTime() - session.created_at.getTime()) / 86_400_000;
  expect(days).toBeCloseTo(3);
});

test("a token that could not be printed is deleted", async () => {
  for (const json of [[], ["--json"]]) {
    const args = ["token", "create", "--email", "ann@example.com", "--name", "Export", ...json];
    const outcome = await serviceToFullDisk(app.root, args);
    expect(outcome).toEqual({ exitCode: 1, stderr: fullDisk });
    expect(await sessions()).toEqual([]);
  }
});

test("reports a token without an expiry, also as JSON", async () => {
  const { exitCode, stdout } = await create("--name", "Export", "--no-expiry", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^[\w-]{43}$/),
    email: "ann@example.com",
    name: "Export",
    expiresAt: null,
  });
  const plain = await create("--name", "Import", "--no-expiry");
  expect(plain.stderr).toContain("until it is revoked");
});

test("lists and revokes tokens", async () => {
  const empty = await token("list", "--json");
  expect(JSON.parse(empty.stdout)).toEqual({ tokens: [] });
  await create("--name", "Export", "--no-expiry");
  const { tokens } = JSON.parse((await token("list", "--json")).stdout);
  expect(tokens).toEqual([
    {
      id: expect.any(String),
      email: "ann@example.com",
      name: "Export",
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: null,
    },
  ]);
  const table = (await token("list")).stdout.split("\n");
  expect(table[0]?.split(/ {2,}/)).toEqual([
    "id",
    "email",
    "name",
    "created",
    "last used",
    "expires",
  ]);
  expect(table[1]).toContain("Export");
  const revoked = await token("revoke", tokens[0].id);
  expect({ ...revoked }).toMatchObject({ exitCode: 0 });
  expect(await sessions()).toEqual([]);
  expect((await token("revoke", tokens[0].id)).exitCode).toBe(1);
  expect((await token("revoke", "nonsense")).exitCode).toBe(1);
});

test("an unknown or disabled account is refused with 1", async () => {
  const unknown = await token("create", "--email", "bob@example.com", "--name", "Export");
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain("bob@example.com has no account");
  await app.db.query("update service.users set disabled_at = now()");
  const disabled = await create("--name", "Export");
  expect(disabled).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await sessions()).toEqual([]);
});

test.each([
  ["both ends", ["--name", "Export", "--days", "3", "--no-expiry"]],
  ["no days", ["--name", "Export", "--days", "0"]],
  ["too many days", ["--name", "Export", "--days", "3651"]],
  ["a word for days", ["--name", "Export", "--days", "three"]],
  ["no name", []],
])("%s are a usage error", async (_, args) => {
  const { exitCode, stdout } = await create(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(await sessions()).toEqual([]);
});
