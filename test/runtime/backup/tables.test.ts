import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  keptTables,
  ownTables,
  passingTables,
} from "../../../runtime/backup/tables/package-tables.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let db: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

test("every table of the package is kept by a backup, emptied by a restore, or left alone", async () => {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'service'::regnamespace and relkind in ('r', 'p')`,
  );
  const names = rows.map(({ name }) => name).sort();
  const listed = [...Object.keys(keptTables), ...passingTables, ...ownTables];
  expect(listed.toSorted()).toEqual(names);
});

test("a backup treats every encrypted column as encrypted", async () => {
  const { rows } = await db.query<{ table: string; columns: string[] }>(
    `select relname as "table", array_agg(attname::text order by attname::text) as columns
     from pg_attribute
     join pg_class on pg_class.oid = attrelid
     where relnamespace = 'service'::regnamespace and relkind = 'r' and atttypid = 'bytea'::regtype
       and relname = any ($1)
     group by relname
     order by relname`,
    [Object.keys(keptTables)],
  );
  const plain = {
    app_grants: ["code_hash", "family_hash"],
    app_tokens: ["token_hash"],
    backup_codes: ["digest"],
    passkeys: ["credential_id", "public_key"],
    sessions: ["token_hash"],
  };
  const sealed = Object.entries(keptTables).flatMap(([table, { sealed: columns = [] }]) =>
    columns.length === 0 ? [] : [[table, columns.toSorted()]],
  );
  const found = Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
  expect(found).toEqual({ ...plain, ...Object.fromEntries(sealed) });
});
