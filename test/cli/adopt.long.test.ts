import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { recordsSql } from "../support/adopt/records.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type Outcome, service } from "./service.js";

let template: TestDatabase;
let database: TestDatabase;
let root: string;

beforeAll(async () => {
  template = await emptyDatabase();
  await sql(recordsSql, template);
});
beforeEach(async () => {
  database = await cloneDatabase(template);
  root = makeAppFolder();
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
});
afterAll(() => template.drop());

async function sql(text: string, { url } = database): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function run(...args: readonly string[]): Promise<Outcome> {
  return service(root, args, { env: { DATABASE_URL: database.url } });
}

const name = "0001_adopt_album_and_3_more";
const written = [
  "resources/album.yaml",
  "resources/artist.yaml",
  "resources/track.yaml",
  "resources/counters.yaml",
  `migrations/${name}.sql`,
  `migrations/down/${name}.sql`,
  `migrations/${name}.json`,
  "migrations/schema.json",
];

interface Line {
  readonly table: string;
  readonly column: string | null;
  readonly kind: string;
  readonly taken: unknown;
}

test("--dry-run writes nothing, and reports what is not taken as it is", async () => {
  const { exitCode, stdout, stderr } = await run("adopt", "--dry-run", "--json");
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const result: { written: readonly string[]; report: readonly Line[] } = JSON.parse(stdout);
  expect(result.written).toEqual(written);
  expect(result.report.map((line) => [line.table, line.column, line.kind, line.taken])).toEqual([
    ["public.Album", "cover", "type", false],
    ["public.Album", "titles", "generated", "read-only"],
    ["public.Album", "plays", "check", false],
    ["public.Album", null, "unique", false],
    ["public.Album", null, "index", true],
    ["public.Artist", "passwordHash", "secret", false],
    ["public.Artist", "firstSeen", "type", "read-only"],
    ["public.Artist", null, "trigger", true],
    ["public.Artist", null, "index", true],
    ["public.Track", "length", "type", "read-only"],
    ["public.Track", "album", "index", true],
    ["public.Track", "next", "index", true],
    ["public.Track", null, "index", true],
    ["public.Track Listener", null, "composite-key", false],
    ["public.notes", null, "no-key", false],
    ["public.prices", null, "type", false],
    ["public.schema_migrations", null, "ledger", false],
  ]);
  expect(readdirSync(root)).toEqual(["service.yaml"]);
});

test("adopts, generates without a further migration, and migrates the database and an empty one", async () => {
  const before = await dump();
  const adopted = await run("adopt");
  expect(adopted, adopted.stderr).toMatchObject({ exitCode: 0 });
  expect(adopted.stdout).toContain(written.map((path) => `wrote  ${path}\n`).join(""));
  const generated = await run("generate", "--json");
  expect(JSON.parse(generated.stdout)).toMatchObject({ problems: [], migration: null });
  expect(await run("migrate", "--dry-run")).toMatchObject({ exitCode: 0 });
  const migrated = await run("migrate");
  expect(migrated, migrated.stderr).toMatchObject({ exitCode: 0 });
  expect(await dump()).toEqual(before);
  const status = await run("migrate", "--status", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({ pending: [], differences: [] });

  const again = await run("adopt", "--json");
  expect({ exitCode: again.exitCode, ...JSON.parse(again.stdout) }).toMatchObject({
    exitCode: 1,
    written: [],
  });

  const empty = await emptyDatabase();
  const other = await service(root, ["migrate"], { env: { DATABASE_URL: empty.url } });
  expect(other, other.stderr).toMatchObject({ exitCode: 0 });
  expect(await dump(empty)).toEqual(
    before.filter((line) => !/Listener|^notes|schema_migrations|quiet|prices/.test(line)),
  );
  await empty.drop();
});

/** Columns, constraints, indexes, comments and triggers of the schema public, but for our triggers. */
async function dump(of = database): Promise<readonly string[]> {
  const rows = await sql(
    `select line from (
      select attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull
        || coalesce(' ' || pg_get_expr(adbin, adrelid), '') as line
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')
      union all
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace and conrelid > 0 and contype <> 'n'
      union all
      select indexdef from pg_indexes where schemaname = 'public'
      union all
      select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal and tgname not like 'tally_%' and tgrelid::regclass::text not like 'service.%'
      union all
      select obj_description(oid, 'pg_class') from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    ) as lines where line is not null order by line collate "C"`,
    of,
  );
  return rows.map((row) => String(Object.values(row as object)[0]));
}

test("the migration names the command, and doctor keeps triggers that count replication", async () => {
  await run("adopt");
  await run("generate");
  expect(await run("migrate")).toMatchObject({ exitCode: 0 });
  for (const path of [`migrations/${name}.sql`, `migrations/down/${name}.sql`]) {
    expect(readFileSync(join(root, path), "utf8")).toContain("written once by `service adopt`");
  }
  await sql(`alter table "Artist" enable trigger tally_insert, disable trigger tally_delete`);
  const unkept = await run("doctor");
  expect(unkept.stdout).toContain("Artist");
  await run("doctor", "--repair");
  expect(
    await sql(
      `select distinct tgenabled from pg_trigger where tgname like 'tally_%' and tgrelid in ('"Artist"'::regclass, '"Album"'::regclass)`,
    ),
  ).toEqual([{ tgenabled: "A" }]);
});

test("migrate names a column that a field can no longer be read from", async () => {
  await run("adopt");
  await run("generate");
  expect(await run("migrate")).toMatchObject({ exitCode: 0 });
  await sql(`alter table "Artist" drop born`);
  const { exitCode, stderr } = await run("migrate");
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The table Artist of "artist" lacks the column born'),
  });
});

test("a database with only some of the tables is refused", async () => {
  await run("adopt");
  await sql(`drop table "Track" cascade`);
  const { exitCode, stderr } = await run("migrate");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("the database lacks 1 of the 4 adopted tables: Track");
});

test("--down leaves the tables with their rows", async () => {
  await run("adopt");
  await run("generate");
  await run("migrate");
  const down = await run("migrate", "--down");
  expect(down, down.stderr).toMatchObject({ exitCode: 0 });
  expect(await sql(`select count(*)::int as n from "Artist"`)).toEqual([{ n: 2 }]);
  expect(
    await sql(
      `select tgname from pg_trigger where tgname like 'tally_%' and tgrelid = '"Artist"'::regclass`,
    ),
  ).toEqual([]);
});

test("names tables, and leaves out others", async () => {
  const some = await run("adopt", "public.Artist", "--dry-run", "--json");
  expect(JSON.parse(some.stdout).written).toContain("resources/artist.yaml");
  expect(JSON.parse(some.stdout).written).not.toContain("resources/album.yaml");
  const left = ["Track", "Album", "counters"].flatMap((one) => ["--exclude", one]);
  const others = await run("adopt", ...left, "--dry-run", "--json");
  expect(JSON.parse(others.stdout).written).toEqual(JSON.parse(some.stdout).written);
  const unknown = await run("adopt", "artist");
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unknown.stderr).toContain('The schema public has no table "artist"');
  const none = await run("adopt", "notes", "--json");
  expect({ exitCode: none.exitCode, ...JSON.parse(none.stdout) }).toMatchObject({
    exitCode: 1,
    written: [],
  });
});

test("a table that is adopted later links to the earlier ones", async () => {
  await run("adopt", "Artist");
  await run("generate");
  await run("migrate");
  const { exitCode, stderr } = await run("adopt", "Album");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const text = readFileSync(join(root, "resources/album.yaml"), "utf8");
  expect(text).toContain("resource: artist");
  expect(JSON.parse((await run("generate", "--json")).stdout)).toMatchObject({ migration: null });
  expect(await run("migrate")).toMatchObject({ exitCode: 0 });
});

test("a field that is removed leaves its column, and one of an unknown column is a problem", async () => {
  await run("adopt");
  await run("generate");
  await run("migrate");
  const path = join(root, "resources/artist.yaml");
  const text = readFileSync(path, "utf8");
  const without = text.replace(/^ {2}born: .*\n/m, "");
  expect(without).not.toBe(text);
  writeFileSync(path, without);
  const removed = await run("generate", "--json");
  expect(JSON.parse(removed.stdout)).toMatchObject({ problems: [], migration: expect.any(String) });
  expect(await run("migrate")).toMatchObject({ exitCode: 0 });
  expect(await sql(`select born from "Artist" limit 0`)).toEqual([]);
  writeFileSync(path, text);
  expect(await run("generate")).toMatchObject({ exitCode: 0 });
  writeFileSync(path, text.replace("fields:", "fields:\n  height: { type: number }"));
  const { problems } = JSON.parse((await run("generate", "--json")).stdout);
  expect(problems).toMatchObject([
    { message: 'the column of "height" is height, which Artist did not have when it was adopted' },
  ]);
});

test("a column, a unique index and a foreign key that a table lacks are problems with their statements", async () => {
  await run("adopt");
  await run("generate");
  await run("migrate");
  const path = join(root, "resources/artist.yaml");
  const text = readFileSync(path, "utf8");
  const fields = [
    "height: { type: number }",
    "manager: { type: belongsTo, resource: artist, inverse: managed }",
  ];
  const more = text
    .replace("fields:", `fields:\n${fields.map((field) => `  ${field}\n`).join("")}`)
    .replace(/^( {2}name: \{.*)\}$/m, "$1, unique: true }");
  writeFileSync(path, more);
  const { problems } = JSON.parse((await run("generate", "--json")).stdout);
  const lacking = "which Artist did not have when it was adopted";
  expect(problems).toMatchObject([
    { message: `the column of "height" is height, ${lacking}` },
    { message: `the column of "manager" is manager, ${lacking}` },
    { message: `Name need a unique index, ${lacking}` },
  ]);
  await run("adopt", "--update");
  expect(JSON.parse((await run("generate", "--json")).stdout).problems).toHaveLength(3);
  const statements = problems.map(({ hint }: { hint: string }) => hint.split(", and then")[0]);
  for (const statement of statements) await sql(statement);
  expect((await run("adopt", "--update")).exitCode).toBe(1);
  await sql(`alter table "Artist" add foreign key (manager) references "Artist"`);
  const updated = await run("adopt", "--update", "--json");
  expect(updated, updated.stderr).toMatchObject({ exitCode: 0 });
  expect(readFileSync(path, "utf8")).toBe(more);
  expect(JSON.parse((await run("generate", "--json")).stdout)).toMatchObject({
    problems: [],
    migration: null,
  });
  expect(await run("migrate")).toMatchObject({ exitCode: 0 });
});

test("columns of times without a zone need one", async () => {
  await sql("create table calls (id int primary key, at timestamp not null, ended timestamp)");
  const refused = await run("adopt", "--json");
  expect({ exitCode: refused.exitCode, ...JSON.parse(refused.stdout) }).toMatchObject({
    exitCode: 1,
    written: [],
    report: expect.arrayContaining([
      expect.objectContaining({ table: "public.calls", column: "at", kind: "type", taken: false }),
    ]),
  });
  expect(refused.stderr).toContain(
    "The database does not store the time zone of public.calls.at and public.calls.ended",
  );
  expect(readdirSync(root)).toEqual(["service.yaml"]);
  expect(await run("adopt", "--exclude", "calls", "--dry-run")).toMatchObject({ exitCode: 0 });
  const unknown = await run("adopt", "--timezone", "Mars/Base");
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining("Mars/Base")]);
  expect(await run("adopt", "--timezone", "Europe/Oslo")).toMatchObject({ exitCode: 0 });
  const path = join(root, "resources/calls.yaml");
  const text = readFileSync(path, "utf8");
  expect(text).toContain("ended: { type: timestamp, timezone: Europe/Oslo }");
  expect(JSON.parse((await run("generate", "--json")).stdout)).toMatchObject({
    problems: [],
    migration: null,
  });
  writeFileSync(path, text.replace(", timezone: Europe/Oslo", ""));
  expect(JSON.parse((await run("generate", "--json")).stdout).problems).toMatchObject([
    {
      message: '"at" needs a time zone: the column at is timestamp without time zone',
      hint: "for example timezone: Europe/Oslo",
    },
  ]);
});

test("--update adds fields for columns that a table got since, and only adds", async () => {
  await run("adopt");
  await run("generate");
  await run("migrate");
  const path = join(root, "resources/artist.yaml");
  const own = readFileSync(path, "utf8").replace("fields:", "fields:\n  # Mine.");
  writeFileSync(path, own);
  const none = await run("adopt", "--update", "--json");
  expect({ exitCode: none.exitCode, ...JSON.parse(none.stdout) }).toMatchObject({
    exitCode: 1,
    written: [],
  });
  await sql(
    `alter table "Artist" add rating smallint check (rating <= 5), add "Manager" uuid references "Artist", add secret_word text`,
  );
  const { exitCode, stdout, stderr } = await run("adopt", "--update", "--json");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const { written: files, report } = JSON.parse(stdout);
  expect(files[0]).toBe("resources/artist.yaml");
  expect(report.at(-1)).toMatchObject({ column: "secret_word", kind: "secret", taken: false });
  const text = readFileSync(path, "utf8");
  expect(text.split("\n").filter((line) => !own.split("\n").includes(line))).toEqual([
    "  rating: { type: number, integer: true, min: -32768, max: 5 }",
    "  manager: { type: belongsTo, column: Manager, resource: artist, onDelete: refuse, inverse: artist }",
  ]);
  expect(JSON.parse((await run("generate", "--json")).stdout)).toMatchObject({
    problems: [],
    migration: null,
  });
  expect(await run("migrate")).toMatchObject({ exitCode: 0 });
  const empty = await emptyDatabase();
  const other = await service(root, ["migrate"], { env: { DATABASE_URL: empty.url } });
  expect(other, other.stderr).toMatchObject({ exitCode: 0 });
  expect(await sql(`select rating, "Manager" from "Artist"`, empty)).toEqual([]);
  await empty.drop();
});

test("the page on existing databases shows what the command prints", async () => {
  const other = await emptyDatabase();
  await sql(
    `create table artists (id uuid primary key, name text not null, created_at timestamptz default now());
     create index on artists (created_at);
     create table albums (id uuid primary key, artist_id uuid references artists, released date, length interval);
     create table favourites (album_id uuid, listener text, primary key (album_id, listener))`,
    other,
  );
  const [, , ...args] = block("docs/existing-databases", "Existing databases").trim().split(" ");
  const { stdout } = await service(root, args, { env: { DATABASE_URL: other.url } });
  await other.drop();
  expect(`${stdout}\n`).toBe(block("docs/existing-databases", "Existing databases", 2));
});
