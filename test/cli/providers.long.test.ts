import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startProvider, type TestProvider } from "../support/accounts/provider.js";
import { type AccountsApp, openAccountsApp } from "./accounts-app.js";

let app: AccountsApp;
let provider: TestProvider;

const email = "ann@example.com";

beforeAll(async () => {
  app = await openAccountsApp();
  provider = await startProvider();
});
beforeEach(async () => {
  provider.lies.answer = undefined;
  configure(`acme: { issuer: "${provider.url}", title: Acme, client_id: a, client_secret: b }`);
  await app.db.query("delete from service.users");
  await app.account(email);
  await link(email, "acme", "a@acme.test");
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

function configure(...providers: readonly string[]): void {
  const lines = providers.map((one) => `    ${one}\n`).join("");
  const auth = `auth:\n  check_breached_passwords: false\n  providers:\n${lines}`;
  writeFileSync(join(app.root, "service.yaml"), auth);
}

async function link(address: string, name: string, there: string | null): Promise<void> {
  await app.db.query(
    `insert into service.identities (id, user_id, provider, issuer, subject, email, created_at)
     select gen_random_uuid(), id, $2, 'https://id.test', $1, $3, '2030-01-01'
     from service.users where email = $1`,
    [address, name, there],
  );
}

test("identities are listed as by the route", async () => {
  const json = await app.user(["identities", "--email", email, "--json"]);
  expect(JSON.parse(json.stdout)).toEqual({
    data: [
      {
        id: expect.any(String),
        provider: "acme",
        title: "Acme",
        email: "a@acme.test",
        createdAt: "2030-01-01T00:00:00.000Z",
        lastUsedAt: null,
      },
    ],
  });
  const { exitCode, stdout } = await app.user(["identities", "--email", email]);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("a@acme.test")]);
  expect((await app.user(["identities", "--email", "nobody@example.com"])).exitCode).toBe(1);
});

test("an account is unlinked once, also from a removed provider", async () => {
  const unlink = (name: string) => app.user(["unlink", "--email", email, "--provider", name]);
  configure(`other: { issuer: "${provider.url}", client_id: a, client_secret: b }`);
  expect((await unlink("other")).exitCode).toBe(1);
  expect((await unlink("acme")).exitCode).toBe(0);
  const again = await unlink("acme");
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("is not linked")]);
  const { rows } = await app.db.query(
    "select kind, by_id from service.account_events where kind = 'identity-removed'",
  );
  expect(rows.at(-1)).toEqual({ kind: "identity-removed", by_id: null });
});

interface Found {
  readonly check: string;
  readonly ok: boolean;
  readonly problem: string | null;
}

async function found(check: RegExp): Promise<readonly Found[]> {
  const { stdout } = await app.run(["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: readonly Found[] };
  return findings.filter((one) => check.test(one.check));
}

test("doctor checks each provider, and names accounts that have only a removed one", async () => {
  const { url } = provider;
  await app.account("bob@example.com", { password_hash: "x" });
  await link("bob@example.com", "acme", null);
  const ids = "client_id: a, client_secret: b";
  configure(
    `good: { issuer: "${url}/good", ${ids} }`,
    `down: { issuer: "http://127.0.0.1:1", ${ids} }`,
    `github: { issuer: "${url}", ${ids} }`,
  );
  expect(await found(/^(?:provider|identities)/)).toMatchObject([
    { check: "provider good", ok: true, problem: null },
    { check: "provider down", ok: false, problem: expect.stringContaining("does not respond") },
    { check: "provider github", ok: true },
    { check: "identities", ok: true, problem: expect.stringMatching(/^1 account .*acme.*: ann@/) },
  ]);
});
