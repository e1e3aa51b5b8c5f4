import { readFileSync } from "node:fs";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
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

/** The texts that are folded otherwise than when search indexes were made. */
async function changed(texts: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.query<{ text: string }>(
    `select text from unnest($1::text[]) as text
     where service.fold_case(text) is distinct from
       translate(lower(text collate "und-x-icu"), 'ς', 'σ')`,
    [texts],
  );
  return rows.map(({ text }) => text);
}

test("texts are folded as in the existing search indexes, each character alone and beside others", async () => {
  const characters = Array.from({ length: 0xffff }, (_, at) => String.fromCodePoint(at + 1));
  const sound = characters.filter((character) => character.isWellFormed());
  expect(await changed(sound)).toEqual([]);
  expect(await changed(sound.map((character) => `Ab ${character}Σ`))).toEqual([]);
});

test("texts of any length and script are folded in the same way", async () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "grapheme", maxLength: 40 }));
  const texts = fc.sample(text, { numRuns: 2_000, seed: 1 });
  expect(await changed(texts.filter((one) => !one.includes("\0") && one.isWellFormed()))).toEqual(
    [],
  );
  const { rows } = await db.query("select service.fold_case(null) as text");
  expect(rows).toEqual([{ text: null }]);
});

test("a session that was open when the function was changed still finds by its index", async () => {
  const fileOf = (name: string) => readFileSync(`runtime/migrate/sql/${name}.sql`, "utf8");
  const planned = async (session: pg.Client): Promise<string> => {
    const { rows } = await session.query(
      "explain (costs off) select from notes where service.fold_case(text) like '%word%'",
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };
  await db.query(fileOf("0012_fold_case"));
  await db.query(`create extension if not exists pg_trgm;
    drop table if exists notes;
    create table notes (text text);
    create index "notes' ""words""" on notes using gin (service.fold_case(text) gin_trgm_ops)`);
  const session = new pg.Client({ connectionString: database.url });
  await session.connect();
  try {
    await session.query("set enable_seqscan to off");
    expect(await planned(session)).toContain("Bitmap Index Scan");
    await db.query(fileOf("0033_faster_fold_case"));
    expect(await planned(session)).toContain(`Bitmap Index Scan on "notes' ""words"""`);
  } finally {
    await session.end();
  }
});
