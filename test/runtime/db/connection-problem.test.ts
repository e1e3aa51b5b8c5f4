import { inspect } from "node:util";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { connectionProblem, openDatabase } from "../../../runtime/db/index.js";

/** What PostgreSQL ends this with. */
async function failure(...statements: readonly string[]): Promise<unknown> {
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  client.on("error", () => {});
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
    return null;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => {});
  }
}

test("a time limit of PostgreSQL is reported as such, and how to raise it", async () => {
  const statement = await failure("set statement_timeout to '5ms'", "select pg_sleep(5)");
  expect(connectionProblem(statement)).toEqual({
    message: "The database cannot be used: canceling statement due to statement timeout",
    hint: "check pg_stat_activity for what keeps PostgreSQL busy and try again, or raise statement_timeout of the role or database",
  });
  const limit = "set transaction_timeout to '500ms'";
  expect(connectionProblem(await failure(limit, "begin", "select pg_sleep(5)"))).toEqual({
    message: "The database cannot be used: terminating connection due to transaction timeout",
    hint: "raise transaction_timeout of the role or database, for example: alter role … set transaction_timeout = 0",
  });
});

test("other errors of PostgreSQL itself do not blame the address", async () => {
  const ended = await failure("select pg_terminate_backend(pg_backend_pid())");
  expect(connectionProblem(ended)).toEqual({
    message: "The database cannot be used: terminating connection due to administrator command",
    hint: "see PostgreSQL's log, and try again",
  });
  const readOnly = await failure("begin read only", "create table never ()");
  expect(connectionProblem(readOnly)).toEqual({
    message: "The database cannot be used: cannot execute CREATE TABLE in a read-only transaction",
    hint: expect.stringContaining("must name the database that accepts writes"),
  });
});

test("an error of a statement is not reported as one of the database", async () => {
  expect(connectionProblem(await failure("selec"))).toBe(null);
  expect(connectionProblem(new Error("a bug"))).toBe(null);
});

/** What a query on a database at this address fails with. */
async function failureAt(url: string): Promise<unknown> {
  const db = openDatabase({ url, poolSize: 1, prepare: true });
  try {
    return await db.query("select 1");
  } catch (error) {
    return error;
  } finally {
    await db.close();
  }
}

test("an unknown host is named unless it may be the rest of a password", async () => {
  const plain = await failureAt("postgres://ann:secret@db.invalid/app");
  expect(connectionProblem(plain)?.message).toMatch(
    /^The database cannot be reached: getaddrinfo \w+ db\.invalid$/,
  );
  const cut = await failureAt("postgres://ann:se@cret.invalid/word@db.example.com/app");
  expect(connectionProblem(cut)).toEqual({
    message: expect.stringMatching(
      /^The database cannot be reached: getaddrinfo \w+ \(the host is not shown, as the address has more than one @\)$/,
    ),
    hint: expect.stringContaining("percent-encode the password"),
  });
  expect(inspect(cut)).not.toContain("cret");
});
