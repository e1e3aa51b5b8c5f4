import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sqlIdentifier, sqlLiteral } from "../../runtime/values/sql/text.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

test.each([
  "it's",
  "'; drop table x; --",
  "back\\slash\\'",
  "line\nbreak",
  "line\r\n-- @alone\\",
  "🎉",
  "$1",
  "%s",
  "",
])("PostgreSQL reads the literal of %j as that text", async (text) => {
  for (const setting of ["on", "off"]) {
    await client.query(`set standard_conforming_strings = ${setting}`).catch(() => null);
    const { rows } = await client.query(`select ${sqlLiteral(text)} as value`);
    expect(rows).toEqual([{ value: text }]);
  }
  await client.query("reset standard_conforming_strings");
});

test("a literal has one line", () => {
  expect(sqlLiteral("it's\r\n-- @alone")).toBe("E'it''s\\r\\n-- @alone'");
});

test("every keyword of PostgreSQL can be a table and a column", async () => {
  const { rows } = await client.query<{ word: string }>("select word from pg_get_keywords()");
  for (const name of rows.map(({ word }) => sqlIdentifier(word))) {
    await client.query(`create temporary table ${name} (${name} int)`);
    await client.query(`insert into ${name} (${name}) values (1)`);
    const read = await client.query(
      `select ${name} from ${name} where ${name} = 1 order by ${name}`,
    );
    expect(read.rowCount).toBe(1);
    await client.query(`drop table ${name}`);
  }
});

test.each([
  ["order_items", "order_items"],
  ["_private1", "_private1"],
  ["order", '"order"'],
  ["Order", '"Order"'],
  ['a"b', '"a""b"'],
  ["1a", '"1a"'],
])("the name %s is written %s", (name, written) => {
  expect(sqlIdentifier(name)).toBe(written);
});
