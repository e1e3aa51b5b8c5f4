import { afterAll, beforeAll, expect, test } from "vitest";
import { newReset } from "../../bin/testing/reset.js";
import { type Database, openDatabase } from "../../runtime/db/index.js";
import { createDatabase, type TestDatabase } from "../support/database/database.js";

let database: TestDatabase;
let db: Database;
let reset: () => Promise<void>;

/** Tables of an app's own: in a circle, with restricted links, a sequence, an odd name, partitions. */
const tables = `
  create schema own;
  create table own.a (n integer generated always as identity primary key);
  create table own.b (a integer not null references own.a on delete restrict);
  create table public."it's odd" (id serial primary key, parent integer not null);
  alter table public."it's odd" add foreign key (parent) references public."it's odd";
  create table own.parts (n integer) partition by range (n);
  create table own.low partition of own.parts for values from (0) to (10000);
  create table own.seed (word text);
  insert into own.seed values ('kept');`;

beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 1, prepare: false });
  await db.transaction(async ({ query }) => {
    for (const statement of tables.split(";\n").filter((one) => one.trim() !== "")) {
      await query(statement);
    }
  });
  reset = await newReset(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function counts(): Promise<readonly number[]> {
  const names = ["own.a", "own.b", `public."it's odd"`, "own.parts", "own.seed", "service.users"];
  const [row] = await db.query<Record<string, number>>(
    `select ${names.map((name, at) => `(select count(*)::int from ${name}) as c${at}`).join()}`,
  );
  return Object.values(row ?? {});
}

test.each([3, 3_000])(
  "%d rows of every table are deleted, and numbers start again",
  async (rows) => {
    expect((await counts()).slice(0, 4)).toEqual([0, 0, 0, 0]);
    for (const statement of [
      `insert into own.a select from generate_series(1, ${rows})`,
      "insert into own.b select n from own.a",
      `insert into public."it's odd" (parent) select n from generate_series(1, ${rows}) n`,
      `insert into own.parts select generate_series(1, ${rows})`,
      "insert into service.users (id, name, email) values (gen_random_uuid(), 'Ada', 'ada@example.com')",
    ]) {
      await db.query(statement);
    }
    expect((await counts()).slice(0, 4)).toEqual([rows, rows, rows, rows]);
    await reset();
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await db.query("insert into own.a default values returning n")).toEqual([{ n: 1 }]);
    await reset();
  },
);

test("rows that the package has installed stay", async () => {
  await reset();
  const rows = await db.query("select from service.migrations");
  expect(rows.length).toBeGreaterThan(10);
});
