import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;

const email = "ann@example.com";

beforeAll(async () => {
  app = await openAccountsApp();
});
beforeEach(async () => {
  await app.db.query("delete from service.mailed_proofs");
  await app.db.query("delete from service.users");
  await app.account(email);
});
afterAll(() => app.close());

const reset = (options: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  app.user(["reset-password", "--email", email, ...options], { env });

interface Proof {
  readonly purpose: string;
  readonly email: string;
  readonly token_hash: Buffer;
  readonly minutes: number;
}

async function proofs(): Promise<readonly Proof[]> {
  const { rows } = await app.db.query(
    `select purpose, email, token_hash,
       round(extract(epoch from expires_at - now()) / 60)::int as minutes
     from service.mailed_proofs`,
  );
  return rows;
}

/** The stored form of the token in a link. */
function hashIn(link: string): Buffer {
  const token = new URL(link).searchParams.get("token") ?? "";
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  return createHash("sha256").update(token).digest();
}

test("prints a link to the dashboard that works for an hour, and its lifetime", async () => {
  const { exitCode, stdout, stderr } = await reset();
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^http:\/\/localhost:3001\/reset-password\?token=[\w-]{43}$/);
  expect(stderr).toBe("It works once, for 60 minutes; earlier links no longer work");
  expect(await proofs()).toEqual([
    { purpose: "reset", email, token_hash: hashIn(stdout), minutes: 60 },
  ]);
});

test("only the newest link works", async () => {
  await reset();
  const { stdout } = await reset();
  expect((await proofs()).map(({ token_hash }) => token_hash)).toEqual([hashIn(stdout)]);
});

test("prints it as JSON, with the configured address", async () => {
  const { stdout, stderr } = await reset(["--json"], {
    SERVICE_WEB_URL: "https://shop.example/",
  });
  expect(stderr).toBe("");
  const { link, minutes } = JSON.parse(stdout);
  expect(link).toMatch(/^https:\/\/shop\.example\/reset-password\?token=/);
  expect(minutes).toBe(60);
});

test("prints none for a disabled account", async () => {
  await app.db.query("update service.users set disabled_at = now()");
  const { exitCode, stdout, stderr } = await reset();
  expect([exitCode, stdout, stderr]).toEqual([
    1,
    "",
    `The account is disabled\n  hint: run first: npx service -C ${app.root} user enable --email ann@example.com`,
  ]);
  expect(await proofs()).toEqual([]);
});

test("in production it needs the dashboard's address", async () => {
  writeFileSync(join(app.root, "service.yaml"), "auth: { magic_link: false, passkeys: false }\n");
  const { exitCode, stdout, stderr } = await reset([], {
    NODE_ENV: "production",
    SERVICE_SECRET: "a secret of the tests, long enough",
  });
  expect([exitCode, stdout, stderr]).toEqual([
    1,
    "",
    "There is no dashboard to link to\n" + "  hint: set SERVICE_WEB_URL to the dashboard's address",
  ]);
});
