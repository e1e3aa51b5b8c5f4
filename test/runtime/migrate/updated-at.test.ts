import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { migratedDatabase } from "../../support/database/database.js";

const migrations = join(import.meta.dirname, "../../../fixtures/apps/shop/migrations");

let made: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
let id: string;
beforeAll(async () => {
  made = await migratedDatabase(migrations);
  db = openDatabase({ url: made.url, poolSize: 2, prepare: true });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});
beforeEach(async () => {
  await db.query("delete from categories");
  const [row] = await db.query<{ id: string }>(
    `insert into categories (name, updated_at) values ('Teas', '2026-01-31 12:00:00.5Z') returning id`,
  );
  id = row?.id ?? "";
});

const changedAt = async () => {
  const [row] = await db.query<{ at: string }>(
    "select service.iso_time(updated_at) as at from categories where id = $1",
    [id],
  );
  return row?.at ?? "";
};

test("SQL that changes a row sets updatedAt, each time to a later moment", async () => {
  const start = new Date().toISOString();
  await db.query("update categories set name = 'Tea' where id = $1", [id]);
  const first = await changedAt();
  expect(first >= start).toBe(true);
  await db.transaction(async ({ query }) => {
    await query("update categories set name = 'Coffee' where id = $1", [id]);
    await query("update categories set name = 'Cocoa' where id = $1", [id]);
    const [row] = await query<{ steps: boolean }>(
      "select updated_at > now() as steps from categories where id = $1",
      [id],
    );
    expect(row?.steps).toBe(true);
  });
  expect((await changedAt()) > first).toBe(true);
});

test("a value that a statement sets itself stays", async () => {
  await db.query("update categories set name = 'Tea', updated_at = $2 where id = $1", [
    id,
    "2020-01-01T00:00:00Z",
  ]);
  expect(await changedAt()).toBe("2020-01-01T00:00:00.000Z");
});

test("a session that asks for it keeps the time, as migrations do", async () => {
  await db.transaction(async ({ query }) => {
    await query("set local service.keeps_updated_at to on");
    await query("update categories set name = 'Tea' where id = $1", [id]);
  });
  expect(await changedAt()).toBe("2026-01-31T12:00:00.500Z");
});

test("every table of a resource updates updatedAt, and no other", async () => {
  await db.query("create table plain (id uuid primary key, updated_at timestamptz)");
  const rows = await db.query(
    `select tgrelid::regclass::text as name from pg_trigger
     where tgname = 'updated_at' and not tgisinternal order by 1`,
  );
  const tallies = await db.query<{ table_name: string }>(
    "select table_name from service.tallies order by 1",
  );
  expect(rows).toEqual(tallies.map(({ table_name }) => ({ name: table_name })));
});
