import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";

const secret = "hunter2hunter2";

let host: ShopHost;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

/** The lines of a start that is refused; none of them, nor the log, may tell the secret. */
async function refusal(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { exitCode, stderr, stdout } = await host.run(env);
  expect(exitCode).toBe(1);
  expect(stderr).not.toContain(secret);
  expect(stdout).not.toContain(secret);
  expect(stderr).not.toMatch(/^ +at /m);
  return stderr.split("\n");
}

test("a wrong password of the database is not shown", async () => {
  const url = new URL(host.databaseUrl);
  url.password = secret;
  expect(await refusal({ DATABASE_URL: url.href })).toHaveLength(1);
});

test("an invalid address of the database is not shown", async () => {
  for (const url of [
    `postgres:/app:${secret}@localhost/app`,
    `mysql://app:${secret}@localhost/app`,
    `postgres://app:${secret}@localhost:port/app`,
    `postgres://app:${secret}@/app db`,
  ]) {
    const lines = await refusal({ DATABASE_URL: url });
    expect(lines, url).toEqual([expect.stringMatching(/DATABASE_URL|database\.url/)]);
  }
});

test("secrets that are too short are not shown, and each has its line", async () => {
  const lines = await refusal({
    SERVICE_SECRET: secret,
    SERVICE_MAIL_URL: `http://app:${secret}@mail`,
    PORT: "http",
  });
  expect(lines).toHaveLength(3);
});

test("a setting with a secret in the wrong place is not shown", async () => {
  const file = join(host.root, "service.yaml");
  const before = readFileSync(file, "utf8");
  appendFileSync(file, `mailer: { driver: smtp, url: "http://app:${secret}@mail" }\n`);
  expect(await refusal({})).toEqual([
    expect.stringMatching(/^service\.yaml:\d+:\d+: mailer\.url /),
  ]);
  writeFileSync(file, before);
});
