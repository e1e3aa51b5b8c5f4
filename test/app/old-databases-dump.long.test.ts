import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { oldDatabase, runStatements } from "../support/adopt/old-program.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { writeApp } from "../support/apps/written-app.js";
import { hasPostgres15, programs, startPostgres15 } from "../support/database/debian.js";

const people = new Map([
  ["rails", "users"],
  ["django", "auth_user"],
  ["laravel", "users"],
  ["wordpress", "wp_users"],
  ["pagila", null],
  ["adventureworks", null],
]);

describe.skipIf(!hasPostgres15)("pg_dump of PostgreSQL 15 finds nothing altered", () => {
  let server: Awaited<ReturnType<typeof startPostgres15>>;

  beforeAll(async () => {
    server = await startPostgres15();
  });
  afterAll(() => server?.stop());

  test.each([...people])("%s", async (name, accounts) => {
    const old = oldDatabase(name);
    const root = makeAppFolder();
    const url = server.url.replace(/postgres$/, name);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name}`);
    await admin.end();
    const client = new pg.Client({ connectionString: url });
    try {
      const files = await adoptedFiles(url, old.schema, { accounts, timezone: "UTC" });
      const before = await dumpOf(url);
      await writeApp(root, files);
      await migrate({ url, directory: join(root, "migrations") });
      const after = await dumpOf(url);
      expect(after.filter((line) => !before.includes(line) && !isOurs(line))).toEqual([]);
      expect(before.filter((line) => !after.includes(line))).toEqual([]);
      await client.connect();
      await runStatements(client, old.statements);
    } finally {
      await client.end();
      removeAppFolder(root);
    }
  });
});

/** Triggers, and the column of the accounts with its key and index. */
function isOurs(line: string): boolean {
  return /^CREATE TRIGGER tally_|^ALTER TABLE public\..+ ENABLE ALWAYS TRIGGER tally_|account_id/.test(
    line,
  );
}

/** The statements of the schema public, without the order of their parts. */
async function dumpOf(url: string): Promise<readonly string[]> {
  const args = ["--schema-only", "--schema=public", "--no-owner", "--no-comments", url];
  const { stdout } = await execa(`${programs}/pg_dump`, args);
  return stdout
    .replace(/^(?:--.*|\\(?:un)?restrict .*)$/gm, "")
    .replace(/^(ALTER TABLE ONLY .*)\n {4}/gm, "$1 ")
    .split("\n")
    .map((line) => line.replace(/,$/, ""));
}
