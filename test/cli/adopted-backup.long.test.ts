import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type Outcome, service } from "./service.js";

interface Place {
  readonly database: TestDatabase;
  readonly db: pg.Client;
  readonly root: string;
}

let own: Place;
let archive: string;

/** Columns of all sorts, managed or not, sequences of all sorts, and triggers that must not fire. */
const schema = `
  create sequence numbers start 100;
  create table fired (at text);
  create function fire() returns trigger language plpgsql as $$
  begin
    insert into fired values (tg_table_name || ' ' || tg_op);
    return null;
  end $$;
  create table parts (
    id bigint generated always as identity primary key,
    name varchar(40) not null,
    number integer default nextval('numbers') not null,
    twice integer generated always as (number * 2) stored,
    secret_hash text,
    picture bytea,
    words tsvector,
    length interval,
    at timestamp
  );
  create table "Makers" (code varchar(3) primary key, rank serial, label text);
  create table makers_parts (id serial primary key, part_id bigint not null references parts deferrable initially deferred);
  create table notes (part_id bigint references parts on delete cascade, text text);
  create trigger fire after insert or update or delete or truncate on parts for each statement execute function fire();
  create trigger fire_row after insert on makers_parts for each row execute function fire();
  alter table makers_parts enable always trigger fire_row;
  insert into parts (name, secret_hash, picture, words, length, at) values
    ('Wheel', 'a$b', '\\x00ff', to_tsvector('round wheel'), '90 minutes', '2020-01-01 10:00:00.123456'),
    (E'Tab\\tand\\nline', null, null, null, null, 'infinity');
  insert into makers_parts (part_id) values (1), (2);
  truncate fired`;

async function opened(): Promise<Place> {
  const database = await emptyDatabase();
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  const root = makeAppFolder();
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
  return { database, db, root };
}

async function closed({ database, db, root }: Place): Promise<void> {
  await db.end();
  removeAppFolder(root);
  await database.drop();
}

function run({ root, database }: Place, ...args: readonly string[]): Promise<Outcome> {
  return service(root, args, { env: { DATABASE_URL: database.url } });
}

async function done(place: Place, ...args: readonly string[]): Promise<Outcome> {
  const outcome = await run(place, ...args);
  expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  return outcome;
}

const parts =
  "select *, at::text as at, length::text as length, words::text as words from parts order by id";

async function rows({ db }: Place, sql: string): Promise<readonly unknown[]> {
  return (await db.query(sql)).rows;
}

beforeEach(async () => {
  own = await opened();
  archive = join(own.root, "all.backup");
  await own.db.query(schema);
  await done(own, "adopt", "--exclude", "notes", "--exclude", "fired", "--timezone", "UTC");
  await done(own, "generate");
  await done(own, "migrate");
});
afterEach(() => closed(own));

test("an archive holds whole rows, and a restore elsewhere fires none of their triggers", async () => {
  const { stdout } = await done(own, "backup", archive, "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    records: { parts: 2, makers: 0, "makers-parts": 2 },
    unmanaged: ["public.fired", "public.notes"],
  });
  const other = await opened();
  try {
    for (const name of ["resources", "generated", "migrations"]) {
      cpSync(join(own.root, name), join(other.root, name), { recursive: true });
    }
    await other.db.query("create table fired (at text)");
    await done(other, "restore", archive);
    expect(await rows(other, parts)).toEqual(await rows(own, parts));
    expect(await rows(other, "select * from fired")).toEqual([]);
    const enabled = "select tgname, tgenabled from pg_trigger where tgname like 'fire%' order by 1";
    expect(await rows(other, enabled)).toEqual(await rows(own, enabled));
    await other.db.query("insert into parts (name) values ('Axle')");
    expect(await rows(other, "select id, number, twice from parts where name = 'Axle'")).toEqual([
      { id: "3", number: 102, twice: 204 },
    ]);
    await other.db.query("insert into makers_parts (part_id) values (3)");
    expect(await rows(other, "select max(id) from makers_parts")).toEqual([{ max: 3 }]);
    expect(await rows(other, "select at from fired")).toEqual([
      { at: "parts INSERT" },
      { at: "makers_parts INSERT" },
    ]);
    const status = JSON.parse((await run(other, "migrate", "--status", "--json")).stdout);
    expect(status).toMatchObject({ pending: [], differences: [] });
  } finally {
    await closed(other);
  }
});

test("--replace is refused while rows of a table outside refer to records, and works without them", async () => {
  await done(own, "backup", archive);
  await own.db.query("insert into notes values (1, 'mine'), (null, 'free')");
  await own.db.query("update parts set name = 'Changed' where id = 1; truncate fired");
  for (const options of [["--replace"], ["--replace", "--dry-run"]]) {
    const { exitCode, stderr } = await run(own, "restore", archive, ...options);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "Rows of other tables refer to records that would be replaced: 1 of public.notes",
    );
  }
  expect(await rows(own, "select name from parts where id = 1")).toEqual([{ name: "Changed" }]);
  await own.db.query("delete from notes where part_id = 1");
  await done(own, "restore", archive, "--replace");
  expect(await rows(own, "select name from parts where id = 1")).toEqual([{ name: "Wheel" }]);
  expect(await rows(own, "select * from fired")).toEqual([]);
  expect(await rows(own, "select text from notes")).toEqual([{ text: "free" }]);
  const keys = `select pg_get_constraintdef(oid) as key from pg_constraint where contype = 'f'
    and conrelid in ('notes'::regclass, 'makers_parts'::regclass) order by 1`;
  expect(await rows(own, keys)).toEqual([
    { key: "FOREIGN KEY (part_id) REFERENCES parts(id) DEFERRABLE INITIALLY DEFERRED" },
    { key: "FOREIGN KEY (part_id) REFERENCES parts(id) ON DELETE CASCADE" },
  ]);
});

test("an archive from before a later migration does not drop adopted tables", async () => {
  await done(own, "backup", archive);
  await own.db.query('truncate parts, makers_parts, "Makers", notes');
  writeFileSync(join(own.root, "migrations/0002_later.sql"), "select 1;\n");
  await done(own, "migrate");
  const { exitCode, stderr } = await run(own, "restore", archive);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("which has adopted tables");
  expect(await rows(own, "select * from parts")).toEqual([]);
});
