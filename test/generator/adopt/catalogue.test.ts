import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FoundColumn, FoundTable } from "../../../generator/adopt/catalogue/catalogue.js";
import { readCatalogue } from "../../../generator/adopt/catalogue/read.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client?.end();
  await database?.drop();
});

async function tablesOf(...schemas: string[]): Promise<readonly FoundTable[]> {
  const run = async (text: string, values: readonly unknown[]) =>
    (await client.query(text, [...values])).rows;
  return (await readCatalogue(run, schemas))?.tables ?? [];
}

async function columnsOf(definition: string): Promise<readonly FoundColumn[]> {
  await client.query(`create table examined (${definition})`);
  const found = (await tablesOf("public")).find(({ name }) => name === "examined");
  return found?.columns ?? [];
}

test("reads tables in the order of schema and name, of the named schemas only", async () => {
  await client.query(`
    create schema sales; create schema other;
    create table sales."Artist" (); create table public.b (); create table public."Ä b""c" ();
    create table other.hidden (); create view public.a as select 1 as x;
    create materialized view public.m as select 1 as x`);
  expect((await tablesOf("sales", "public")).map((t) => [t.schema, t.name, t.kind])).toEqual([
    ["public", "a", "view"],
    ["public", "b", "table"],
    ["public", "m", "materialized-view"],
    ["public", 'Ä b"c', "table"],
    ["sales", "Artist", "table"],
  ]);
});

test("passes over partitions and names their parent as partitioned", async () => {
  await client.query(`
    create table paid (day date) partition by range (day);
    create table paid_2026 partition of paid for values from ('2026-01-01') to ('2027-01-01')`);
  expect(await tablesOf("public")).toMatchObject([
    { name: "paid", kind: "partitioned", inherits: false },
  ]);
});

test("tells parents and children by inheritance, rules and row level security", async () => {
  await client.query(`
    create table parent (a int); create table child () inherits (parent);
    create table ruled (a int); create rule r as on delete to ruled do instead nothing;
    create table secured (a int); alter table secured enable row level security;
    alter table secured force row level security`);
  const found = await tablesOf("public");
  const facts = found.map((t) => [t.name, t.inherits, t.hasRules]);
  expect(facts).toEqual([
    ["child", true, false],
    ["parent", true, false],
    ["ruled", false, true],
    ["secured", false, false],
  ]);
});

test("row level security counts where it binds the role, and its rights and ownership are those of the role", async () => {
  const role = `reader_${new URL(database.url).pathname.slice(1)}`.slice(0, 63);
  await client.query(`
    create table secured (a int); alter table secured enable row level security;
    create table closed (a int); create role "${role}";
    grant select, insert on secured to "${role}"`);
  try {
    await client.query(`set role "${role}"`);
    expect(await tablesOf("public")).toMatchObject([
      { name: "closed", hasRowSecurity: false, isOwned: false, rights: [] },
      { name: "secured", hasRowSecurity: true, isOwned: false, rights: ["select", "insert"] },
    ]);
    await client.query("reset role");
    expect(await tablesOf("public")).toMatchObject([
      { isOwned: true, rights: ["select", "insert", "update", "delete"] },
      { isOwned: true, hasRowSecurity: false },
    ]);
  } finally {
    await client.query(`reset role; drop owned by "${role}"; drop role "${role}"`);
  }
});

test("follows a type through domains and arrays to its base, with length and enum values", async () => {
  await client.query(`
    create domain short as varchar(20) not null default 'none'; create domain shorter as short;
    create type mood as enum ('sad', 'ok', 'It''s fine')`);
  const columns = await columnsOf(
    "a shorter, b mood[], c numeric(8,2), d char(10), e short[], f mood, g timestamp",
  );
  expect(columns.map(({ type, isNullable, default: d }) => [type, isNullable, d])).toEqual([
    [
      plain("shorter", "character varying(20)", { domain: "public.shorter" }),
      false,
      "'none'::character varying",
    ],
    [plain("mood[]", "mood", { isArray: true, values: ["sad", "ok", "It's fine"] }), true, null],
    [plain("numeric(8,2)", "numeric(8,2)"), true, null],
    [plain("character(10)", "character(10)"), true, null],
    [
      plain("short[]", "character varying(20)", { isArray: true, domain: "public.short" }),
      true,
      null,
    ],
    [plain("mood", "mood", { values: ["sad", "ok", "It's fine"] }), true, null],
    [plain("timestamp without time zone", "timestamp without time zone"), true, null],
  ]);
});

function plain(declared: string, base: string, more: object = {}): object {
  const qualified = expect.stringMatching(/^(?:pg_catalog|public)\./);
  return { declared, base, qualified, isArray: false, domain: null, values: null, ...more };
}

test("keeps a column's number when an earlier one was dropped, and tells identity and generated", async () => {
  await client.query(`
    create table kept (gone int, a int generated always as identity,
      b int generated by default as identity, c int generated always as (1) stored, d int default 7);
    alter table kept drop column gone; comment on column kept.d is 'seven'`);
  const [kept] = await tablesOf("public");
  expect(
    kept?.columns.map((c) => [c.number, c.name, c.identity, c.isGenerated, c.default, c.comment]),
  ).toEqual([
    [2, "a", "always", false, null, null],
    [3, "b", "by-default", false, null, null],
    [4, "c", null, true, null, null],
    [5, "d", null, false, "7", "seven"],
  ]);
});

test("reads constraints with what they refer to, indexes and enabled triggers", async () => {
  await client.query(`
    create table a (id int primary key, x int, y int, unique (y, x), check (x > 0));
    create table b (id int constraint k primary key, a_id int references a on delete cascade,
      n text);
    create unique index words on b (lower(n), a_id) include (id) where n <> '';
    create function f() returns trigger language plpgsql as 'begin return new; end';
    create trigger on_b before insert on b for each row execute function f();
    create trigger off_b before insert on b for each row execute function f();
    alter table b disable trigger off_b`);
  const [a, b] = await tablesOf("public");
  expect(a?.constraints.map((c) => [c.kind, c.columns, c.definition])).toEqual([
    ["primary", [1], "PRIMARY KEY (id)"],
    ["check", [2], "CHECK ((x > 0))"],
    ["unique", [3, 2], "UNIQUE (y, x)"],
  ]);
  expect(b?.constraints).toMatchObject([
    { target: { schema: "public", table: "a", columns: [1], onDelete: "cascade" }, columns: [2] },
    { kind: "primary", target: null },
  ]);
  expect(b?.indexes).toMatchObject([
    { name: "k", isUnique: true, columns: [1], isPartial: false },
    { name: "words", isUnique: true, columns: [0, 2], isPartial: true },
  ]);
  expect(b?.triggers).toMatchObject([{ name: "on_b" }]);
});

test("more than 2 000 tables are refused", async () => {
  await client.query(`do $$ begin for i in 1..2001 loop
    execute format('create view v%s as select 1 as x', i); end loop; end $$`);
  const run = async (text: string, values: readonly unknown[]) =>
    (await client.query(text, [...values])).rows;
  expect(await readCatalogue(run, ["public"])).toBeNull();
  await client.query("drop view v1");
  expect((await readCatalogue(run, ["public"]))?.tables).toHaveLength(2000);
});
