import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrate } from "../../../runtime/migrate/index.js";
import { foldText } from "../../../runtime/values/text.js";
import {
  createDatabase,
  emptyDatabase,
  type TestDatabase,
} from "../../support/database/database.js";

let databases: readonly TestDatabase[];
let clients: readonly pg.Client[];
beforeAll(async () => {
  databases = [await createDatabase(), await databaseInC()];
  clients = databases.map(({ url }) => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await Promise.all(databases.map((database) => database.drop()));
});

/** Whose own `lower` knows no letters but those of ASCII. */
async function databaseInC(): Promise<TestDatabase> {
  const { url, drop } = await emptyDatabase();
  const name = new URL(url).pathname.slice(1);
  const server = new pg.Client({ connectionString: inject("postgresUrl") });
  await server.connect();
  await server.query(`drop database ${name}`);
  await server.query(`create database ${name} encoding 'UTF8' locale 'C' template template0`);
  await server.end();
  await migrate({ url, directory: "no migrations of an app" });
  return { url, drop };
}

/** The texts that SQL folds otherwise than the servers, on each of the databases. */
async function different(texts: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query<{ text: string; folded: string }>(
        "select text, service.fold_text(text) as folded from unnest($1::text[]) as text",
        [texts],
      );
      return rows.filter(({ text, folded }) => folded !== foldText(text)).map(({ text }) => text);
    }),
  );
  return found.flat();
}

/** Every character that is assigned, and those of them that are newer than PostgreSQL's Unicode: it leaves them as they are. */
let characters: readonly string[];
let newer: ReadonlySet<string>;
beforeAll(async () => {
  characters = Array.from({ length: 0x10ffff }, (_, at) => at + 1)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => /[^\p{Cn}\p{Co}]/u.test(one));
  // A mark below shows whether the character is known to be a mark above.
  const { rows } = await (clients[0] as pg.Client).query<{ one: string }>(
    `select one from unnest($1::text[]) as one
     where lower(one collate "und-x-icu") = one
       and normalize(one || U&'\\0323', nfd) = one || U&'\\0323'`,
    [characters],
  );
  const changed = rows.filter(
    ({ one }) => one.toLowerCase() !== one || `${one}\u0323`.normalize("NFD") !== `${one}\u0323`,
  );
  newer = new Set(changed.map(({ one }) => one));
});

test("SQL folds each character as the servers do, alone and beside others", async () => {
  // They are later than Unicode 10, of scripts that are rarely written.
  expect([...newer].filter((one) => one < "\u0800")).toEqual([]);
  const all = characters.filter((one) => !newer.has(one));
  expect(all.length).toBeGreaterThan(140_000);
  expect(await different(all)).toEqual([]);
  expect(await different(all.map((one) => `Ab ${one}\u0301Σ и${one}\u0306`))).toEqual([]);
});

test("texts of any length and script are folded alike", async () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom(..."aIİıßẞøØиЙйς%_\\\u0301\u0306\u0323\u0307中한が"),
      maxLength: 12,
    }),
  );
  const texts = fc
    .sample(text, { numRuns: 5_000, seed: 1 })
    .filter((one) => !one.includes("\0") && ![...one].some((character) => newer.has(character)));
  expect(texts.length).toBeGreaterThan(4_000);
  expect(await different(texts)).toEqual([]);
});

test("null stays null", async () => {
  const { rows } = await (clients[0] as pg.Client).query("select service.fold_text(null) as text");
  expect(rows).toEqual([{ text: null }]);
});

test("it depends on no setting: any search path, and functions named like PostgreSQL's own", async () => {
  const [client] = clients as [pg.Client];
  await client.query("begin");
  await client.query(`create schema mine;
    create function mine.lower(text) returns text language sql return 'mine';
    create function mine.replace(text, text, text) returns text language sql return 'mine';
    create function mine.regexp_replace(text, text, text, text) returns text language sql return 'mine';
    create function mine.normalize(text, text) returns text language sql return 'mine';
    set local search_path to mine, pg_catalog`);
  const { rows } = await client.query(
    "select service.fold_text('ÉΣ') as text, service.fold_text('É' collate \"C\") as other",
  );
  await client.query("rollback");
  expect(rows).toEqual([{ text: "eσ", other: "e" }]);
});

test("PostgreSQL inlines the case for ASCII, and calls a function for other letters", async () => {
  const [client] = clients as [pg.Client];
  const { rows } = await client.query(
    "explain (verbose, costs off) select from service.users where service.fold_text(name) like 'a'",
  );
  expect(rows.map((row) => row["QUERY PLAN"])).toContainEqual(
    expect.stringMatching(/Filter: \(CASE WHEN .*to_ascii.* ELSE .*service\.fold_letters\(/),
  );
});
