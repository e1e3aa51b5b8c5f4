import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inspectUpkeep, migrate, readMigrations } from "../../../runtime/migrate/index.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";

const directory = join(import.meta.dirname, "no migrations of an app");

let database: TestDatabase;
let db: pg.Client;
beforeEach(async () => {
  database = await emptyDatabase();
  db = await connected();
  const files = await readMigrations(directory);
  await migrate({
    url: database.url,
    directory,
    files: files.filter(({ name }) => name <= "0009_owner_counts"),
  });
  await db.query(`
    create table goods (id int primary key, status text);
    create table notes (id int primary key);
    call service.create_tally('goods', 'goods__tally', '{"live": ["status", "live"]}');
    call service.create_tally('notes', 'notes__tally', '{}');
    insert into goods select n, 'live' from generate_series(1, 20) as n;
    insert into notes select n from generate_series(1, 7) as n`);
});
afterEach(async () => {
  await db.end();
  await database.drop();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

async function triggers(): Promise<unknown> {
  const { rows } = await db.query(
    `select tgrelid::regclass::text || ' ' || tgname as name
     from pg_trigger where tgname like 'tally%' and tgrelid::regclass::text in ('goods', 'notes')
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

const renewed = [
  "goods tally_delete",
  "goods tally_insert",
  "goods tally_moves",
  "goods tally_truncate",
  "goods tally_update",
  "notes tally_delete",
  "notes tally_insert",
  "notes tally_truncate",
];

async function expectExact(): Promise<void> {
  expect((await db.query("select * from service.wrong_counts()")).rows).toEqual([]);
  expect(await inspectUpkeep(database.url, [])).toMatchObject({ incompleteTallies: [] });
}

test("tables of an earlier release get the triggers of this one and keep their totals", async () => {
  await migrate({ url: database.url, directory });
  expect(await triggers()).toEqual(renewed);
  await db.query("update goods set status = 'gone' where id < 5");
  await db.query("delete from goods where id > 18; delete from notes where id = 1");
  const { rows } = await db.query(
    "select sum(total)::int as total, sum(live)::int as live from service.goods__tally",
  );
  expect(rows).toEqual([{ total: 18, live: 14 }]);
  await expectExact();
});

test("a table in use is updated when it is free, and loses no change", async () => {
  const holder = await connected();
  await holder.query("begin; update goods set status = 'gone' where id = 1");
  const running = migrate({ url: database.url, directory });
  await sleep(400);
  // Nobody is queued behind the migration until the holder is done.
  await db.query("update goods set status = 'gone' where id = 2");
  await holder.query("update goods set status = 'gone' where id = 3; commit");
  await holder.end();
  await running;
  expect(await triggers()).toEqual(renewed);
  await expectExact();
});

test("adding and removing counts adds and removes the triggers for updates", async () => {
  await migrate({ url: database.url, directory });
  const before = await triggers();
  await db.query("call service.change_tally('goods', 'goods__tally', '{}')");
  expect(await triggers()).toEqual(
    renewed.filter((name) => !/goods tally_(moves|update)/.test(name)),
  );
  await db.query(
    `call service.change_tally('goods', 'goods__tally', '{"live": ["status", "live"]}')`,
  );
  await db.query("call service.recount('goods')");
  expect(await triggers()).toEqual(before);
  await db.query("update goods set status = 'gone' where id = 9");
  await expectExact();
});
