import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;

beforeAll(async () => {
  app = await openAccountsApp();
});
beforeEach(async () => {
  await app.db.query("delete from service.users");
  await app.account("ann@example.com", { role: "editor" });
  await app.account("bob@example.com", { role: "editor" });
});
afterAll(() => app.close());

const setRole = (...args: string[]) => app.user(["set-role", ...args]);

async function roles(): Promise<readonly (string | null)[]> {
  const { rows } = await app.db.query("select role from service.users order by email");
  return rows.map(({ role }) => role);
}

test("sets the role of one account", async () => {
  const { exitCode, stdout } = await setRole("--email", " ANN@Example.com", "--role", " admin ");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "ann@example.com is admin" });
  expect(await roles()).toEqual(["admin", "editor"]);
});

test("removes the role", async () => {
  const { exitCode, stdout } = await setRole("--email", "ann@example.com", "--no-role");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "ann@example.com has no role" });
  expect(await roles()).toEqual([null, "editor"]);
});

test("exits with 2 without --role or --no-role", async () => {
  const { exitCode, stderr } = await setRole("--email", "ann@example.com");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "There is no role to set\n  hint: name it with --role, or remove it with --no-role",
  });
  expect(await roles()).toEqual(["editor", "editor"]);
});

test("refuses an invalid role", async () => {
  const { exitCode, stderr } = await setRole("--email", "ann@example.com", "--role", "  ");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: "The role must have 1 to 255 characters",
  });
});
