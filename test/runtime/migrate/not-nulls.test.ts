import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let db: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
});
// A test that fails leaves no lock to those after it.
afterEach(() => db.query("rollback"));
afterAll(async () => {
  await db.end();
  await database.drop();
});

/** Column and name of each `not null`; none before PostgreSQL 18. */
async function names(table: string): Promise<readonly unknown[]> {
  const { rows } = await db.query(
    `select attname, conname
     from pg_constraint
     join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where conrelid = $1::regclass and contype = 'n'
     order by attnum`,
    [`"${table}"`],
  );
  return rows;
}

async function expectAsNew(table: string, columns: readonly string[]): Promise<void> {
  await db.query("call service.name_not_nulls($1)", [table]);
  const renamed = await names(table);
  await db.query(`drop table "${table}"`);
  await create(table, columns);
  expect(renamed).toEqual(await names(table));
  await db.query(`drop table "${table}"`);
}

function create(table: string, columns: readonly string[]): Promise<unknown> {
  const definitions = columns.map((column) => `"${column}" text not null`);
  return db.query(`create table "${table}" (${definitions.join(", ")}, primary key ("id"))`);
}

test("a renamed table and column", async () => {
  await create("goods", ["id", "name", "code"]);
  await db.query("alter table goods rename to wares");
  await db.query("alter table wares rename name to title");
  await expectAsNew("wares", ["id", "title", "code"]);
});

test("two columns that change places", async () => {
  await create("goods", ["id", "name", "code"]);
  await db.query("alter table goods rename name to passing");
  await db.query("alter table goods rename code to name");
  await db.query("alter table goods rename passing to code");
  await expectAsNew("goods", ["id", "code", "name"]);
});

const wide = "w".repeat(40);

test("names that are too long, even if truncating them needs a number", async () => {
  await create("goods", ["id", `${wide}1`, "name", `${wide}2`, `${wide}3`]);
  const renamed = "g".repeat(62);
  await db.query(`alter table goods rename to ${renamed}`);
  await db.query(`alter table ${renamed} rename ${wide}3 to ${wide}4`);
  await db.query(`alter table ${renamed} rename name to ${wide}5`);
  await expectAsNew(renamed, ["id", `${wide}1`, `${wide}5`, `${wide}2`, `${wide}4`]);
});

test("names that another table already has", async () => {
  await create(`${"g".repeat(60)}1`, ["id", "name"]);
  await create("goods", ["id", "name"]);
  const renamed = `${"g".repeat(60)}2`;
  await db.query(`alter table goods rename to ${renamed}`);
  await expectAsNew(renamed, ["id", "name"]);
});

test("nothing is locked if the names are right", async () => {
  await create("goods", ["id", "name"]);
  await db.query("begin");
  await db.query("call service.name_not_nulls('goods')");
  const { rows } = await db.query(
    "select mode from pg_locks where relation = 'goods'::regclass and pid = pg_backend_pid()",
  );
  await db.query("rollback");
  expect(rows).toEqual([]);
});
