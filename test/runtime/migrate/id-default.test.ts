import { join } from "node:path";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { migratedDatabase } from "../../support/database/database.js";

const migrations = join(import.meta.dirname, "../../../fixtures/apps/shop/migrations");

let made: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
beforeAll(async () => {
  made = await migratedDatabase(migrations);
  db = openDatabase({ url: made.url, poolSize: 2, prepare: true });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

test("every table of a resource has defaults for id, createdAt and updatedAt", async () => {
  const rows = await db.query(
    `select table_name, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns
     where table_schema = 'public' and column_default is not null
       and column_name in ('id', 'created_at', 'updated_at')
     group by 1 order by 1`,
  );
  const tallies = await db.query<{ table_name: string }>(
    "select table_name from service.tallies order by 1",
  );
  expect(rows).toEqual(
    tallies.map(({ table_name }) => ({ table_name, columns: ["created_at", "id", "updated_at"] })),
  );
});

test("rows that SQL adds without an id sort with those of servers, within one statement too", async () => {
  // With the time: without one, an id is never before the last one, which another test's clock may have made.
  const before = v7({ msecs: Date.now() });
  await new Promise((resolve) => setTimeout(resolve, 2));
  const rows = await db.query<{ id: string; name: string }>(
    `insert into categories (name) select 'c' || lpad(n::text, 4, '0') from generate_series(1, 500) as n
     returning id, name`,
  );
  await new Promise((resolve) => setTimeout(resolve, 2));
  const ids = rows.map(({ id }) => id);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
  expect(new Set(ids).size).toBe(500);
  const after = v7({ msecs: Date.now() });
  expect([after, ...ids, before].toSorted()).toEqual([before, ...ids.toSorted(), after]);
  // A microsecond may hold two rows.
  const inOrder = ids.filter((id, at) => at === 0 || id > (ids[at - 1] ?? ""));
  expect(inOrder.length).toBeGreaterThan(450);
  const clock = "floor(extract(epoch from clock_timestamp()) * 1000)::float8";
  const [row] = await db.query<Record<"earlier" | "at" | "later", number>>(
    `with earlier as materialized (select ${clock} as ms),
     made as materialized (select service.uuid_v7()::text as id, ms from earlier)
     select ms as earlier, ${clock} as later,
       ('x' || substr(replace(id, '-', ''), 1, 12))::bit(48)::bigint::float8 as at
     from made`,
  );
  const { earlier, at, later } = row ?? { earlier: 0, at: -1, later: 0 };
  expect([earlier, at, later]).toEqual([earlier, at, later].toSorted((one, next) => one - next));
});

test("a custom default stays, and other tables get none", async () => {
  await db.query("create table notes_by_hand (id uuid primary key default gen_random_uuid())");
  await db.query("create table plain (id uuid primary key)");
  await db.query("call service.create_tally('notes_by_hand', 'notes_by_hand__tally', '{}')");
  const rows = await db.query(
    `select table_name, column_default from information_schema.columns
     where table_name in ('notes_by_hand', 'plain') order by 1`,
  );
  expect(rows).toEqual([
    { table_name: "notes_by_hand", column_default: "gen_random_uuid()" },
    { table_name: "plain", column_default: null },
  ]);
});
