import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { service, starterApp } from "./service.js";

/** More texts than one index takes: three for `Wide things`. */
const texts = Array.from({ length: 70 }, (_, at) => `  text${at}: { type: string }`);

let root: string;
let database: TestDatabase;
let db: pg.Client;
let indexes: readonly unknown[];
beforeAll(async () => {
  root = await starterApp();
  database = await emptyDatabase();
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
  writeFileSync(join(root, "resources/wide-things.yaml"), `fields:\n${texts.join("\n")}\n`);
  expect(await service(root, ["generate"])).toMatchObject({ exitCode: 0 });
  expect(await service(root, ["migrate"])).toMatchObject({ exitCode: 0 });
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  indexes = await searchIndexes();
});
beforeEach(async () => {
  expect(await service(root, ["doctor", "--repair"])).toMatchObject({ exitCode: 0 });
});
afterAll(async () => {
  await db.end();
  await database.drop();
  removeAppFolder(root);
});

/** The search indexes, with the schema of their operators left out. */
async function searchIndexes(): Promise<readonly unknown[]> {
  const { rows } = await db.query(
    `select indexname, regexp_replace(indexdef, '[a-z]+\\.gin_trgm_ops', 'gin_trgm_ops', 'g')
     from pg_indexes
     where indexdef like '%gin_trgm_ops%'
     order by 1`,
  );
  return rows;
}

/** What is said of searches, and of the schema. */
async function findings(...args: string[]): Promise<readonly string[]> {
  const { stdout } = await service(root, ["doctor", "--json", ...args]);
  const all: { check: string; ok: boolean; problem: string | null }[] = JSON.parse(stdout).findings;
  return all
    .filter(({ check }) => ["search", "schema", "repair"].includes(check))
    .map(({ check, problem }) => `${check}: ${problem ?? "ok"}`);
}

const allWell = ["schema: ok", "search: ok"];

test("a search over several indexes has all of them", async () => {
  expect(indexes).toHaveLength(4);
  expect(await findings()).toEqual(allWell);
});

test("all indexes of a search are built if pg_trgm was installed later", async () => {
  await db.query("drop extension pg_trgm cascade");
  expect(await searchIndexes()).toEqual([]);
  expect(await findings()).toEqual([
    "schema: ok",
    "search: tasks: an index is missing, searches read the whole table",
    "search: wide_things: an index is missing, searches read the whole table",
  ]);
  expect(await findings("--repair")).toEqual(allWell);
  expect(await searchIndexes()).toEqual(indexes);
});

test("a single missing index is found and built", async () => {
  await db.query("drop index wide_things__search__2");
  expect(await findings()).toEqual([
    "schema: 1 difference from what was migrated",
    "search: wide_things: an index is missing, searches read the whole table",
  ]);
  expect(await findings("--repair")).toEqual(allWell);
  expect(await searchIndexes()).toEqual(indexes);
});

test("pg_trgm may be in a separate schema", async () => {
  await db.query("drop extension pg_trgm cascade");
  await db.query("create schema extras; create extension pg_trgm schema extras");
  expect(await findings("--repair")).toEqual(allWell);
  expect(await searchIndexes()).toEqual(indexes);
});
