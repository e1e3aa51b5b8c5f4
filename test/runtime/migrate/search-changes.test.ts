import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
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
beforeEach(async () => {
  await db.query("create table goods (id int, name text, code text)");
  await db.query("call service.create_search_index('goods', 'goods__search', '{name}')");
});
afterEach(async () => {
  await db.query("drop table if exists goods, wares");
  await db.query("delete from service.search_indexes");
});

async function registered(): Promise<readonly unknown[]> {
  return (await db.query("select * from service.search_indexes")).rows;
}

/** The definitions of all indexes in public. */
async function indexes(): Promise<readonly string[]> {
  const { rows } = await db.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where schemaname = 'public' order by 1",
  );
  return rows.map(({ indexdef }) => indexdef);
}

/** What is there when the index is made with the table. */
async function asNew(table: string, index: string, columns: readonly string[]): Promise<unknown> {
  await db.query("drop table if exists goods, wares");
  await db.query("delete from service.search_indexes");
  await db.query(`create table ${table} (${columns.map((column) => `${column} text`).join(", ")})`);
  await db.query("call service.create_search_index($1, $2, $3)", [table, index, columns]);
  return { registered: await registered(), indexes: await indexes() };
}

async function current(): Promise<unknown> {
  return { registered: await registered(), indexes: await indexes() };
}

function buildNext(): Promise<unknown> {
  return db.query(
    `create index concurrently goods__search_next on goods
     using gin (service.fold_text(name) gin_trgm_ops, service.fold_text(code) gin_trgm_ops)
     with (gin_pending_list_limit = 2048)`,
  );
}

function change(columns: readonly string[]): Promise<unknown> {
  return db.query(
    "call service.change_search_index('goods', 'goods__search', $1, 'goods__search_next')",
    [columns],
  );
}

test("an index over more columns replaces the one in use", async () => {
  await buildNext();
  await change(["name", "code"]);
  const changed = await current();
  expect(changed).toEqual(await asNew("goods", "goods__search", ["name", "code"]));
});

test("a table that had none gets the one that was built", async () => {
  await change([]);
  expect(await current()).toEqual({ registered: [], indexes: [] });
  await buildNext();
  await change(["name", "code"]);
  const changed = await current();
  expect(changed).toEqual(await asNew("goods", "goods__search", ["name", "code"]));
});

test("if none could be built, the one over other columns is dropped and reported as missing", async () => {
  await change(["name", "code"]);
  expect(await indexes()).toEqual([]);
  expect(await registered()).toEqual([
    { table_name: "goods", index_name: "goods__search", columns: ["name", "code"] },
  ]);
  await db.query("call service.build_search_index('goods')");
  const repaired = await current();
  expect(repaired).toEqual(await asNew("goods", "goods__search", ["name", "code"]));
});

test("an index that already covers the columns stays", async () => {
  const before = await current();
  await change(["name"]);
  expect(await current()).toEqual(before);
});

test("an unfinished index is not used", async () => {
  await buildNext();
  await db.query(
    "update pg_index set indisvalid = false where indexrelid = 'goods__search_next'::regclass",
  );
  await change(["name", "code"]);
  expect(await indexes()).toEqual([]);
});

test("a table that is no longer searched loses index and entry", async () => {
  await buildNext();
  await change([]);
  expect(await current()).toEqual({ registered: [], indexes: [] });
});

test("a renamed table and a renamed column keep the index", async () => {
  await db.query("alter table goods rename to wares");
  await db.query("call service.rename_search_index('goods', 'wares', 'wares__search')");
  await db.query("alter table wares rename column name to title");
  await db.query("call service.rename_searched_column('wares', 'name', 'title')");
  const changed = await current();
  expect(changed).toEqual(await asNew("wares", "wares__search", ["title"]));
});

test("a rename works if the index could not be built", async () => {
  await db.query("drop index goods__search");
  await db.query("alter table goods rename to wares");
  await db.query("call service.rename_search_index('goods', 'wares', 'wares__search')");
  expect(await registered()).toEqual([
    { table_name: "wares", index_name: "wares__search", columns: ["name"] },
  ]);
});

test("an index is dropped before its table, after it, or without one", async () => {
  await db.query("call service.drop_search_index('goods')");
  expect(await current()).toEqual({ registered: [], indexes: [] });
  await db.query("call service.create_search_index('goods', 'goods__search', '{name}')");
  await db.query("drop table goods");
  await db.query("call service.drop_search_index('goods')");
  await db.query("call service.drop_search_index('goods')");
  expect(await current()).toEqual({ registered: [], indexes: [] });
});
