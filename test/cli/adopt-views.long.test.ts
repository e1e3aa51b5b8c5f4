import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { viewsSql } from "../support/adopt/views.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type Outcome, service } from "./service.js";

let database: TestDatabase;
let root: string;

beforeEach(async () => {
  database = await emptyDatabase();
  await sql(viewsSql);
  root = makeAppFolder();
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
});

async function sql(text: string, url = database.url): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function run(args: readonly string[], url = database.url): Promise<Outcome> {
  return service(root, args, { env: { DATABASE_URL: url } });
}

async function done(...args: readonly string[]): Promise<Outcome> {
  const outcome = await run(args);
  expect(outcome, outcome.stderr + outcome.stdout).toMatchObject({ exitCode: 0 });
  return outcome;
}

const views = [
  "--views",
  "--key",
  "artist_size=artist_id",
  "--key",
  "Large Artist=artist_id",
  "--key",
  "tag_count=tag",
];

/** Everything in the schema public but triggers of totals, as PostgreSQL describes it. */
async function described(url = database.url): Promise<readonly string[]> {
  const rows = await sql(
    `select c.relname || ' ' || c.relkind::text || ' ' || concat_ws(' ', obj_description(c.oid, 'pg_class'), c.reloptions::text,
       pg_get_expr(c.relpartbound, c.oid), case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end,
       case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end, case when c.relkind in ('i', 'I') then pg_get_indexdef(c.oid) end) as line
     from pg_class c
     where c.relnamespace = 'public'::regnamespace
     order by c.relname collate "C"`,
    url,
  );
  return rows.map((row) => (row as { line: string }).line);
}

test("views, their tables and partitions are created where none is", async () => {
  await done("adopt", ...views);
  const generated = await done("generate", "--json");
  expect(JSON.parse(generated.stdout)).toMatchObject({ problems: [], migration: null });
  await done("migrate");
  const status = await done("migrate", "--status", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({ pending: [], differences: [] });

  const empty = await emptyDatabase();
  const other = await run(["migrate"], empty.url);
  expect(other, other.stderr).toMatchObject({ exitCode: 0 });
  const own = (await described()).filter((line) => !/^(?:event|album_price)/.test(line));
  expect(await described(empty.url)).toEqual(own);
  await empty.drop();
  await done("migrate", "--down");
});

test("a view that is missing, or has lost a column, is reported before a start", async () => {
  await done("adopt", ...views);
  await done("generate");
  await done("migrate");
  await sql(
    `drop view "Large Artist"; create view "Large Artist" as select artist_id, name from artist_size`,
  );
  const lacking = await run(["migrate"]);
  expect(lacking).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      'The table Large Artist of "large-artist" lacks the column albums',
    ),
  });
  await sql(`drop view "Large Artist"`);
  const missing = await run(["migrate"]);
  expect(missing.stderr).toContain('The table Large Artist of "large-artist" is missing');
});

test("a view without a key, an unknown key and a key that repeats are reported", async () => {
  const { stdout } = await run(["adopt", "--views", "--dry-run", "--json"]);
  const lines = JSON.parse(stdout).report as { table: string; kind: string; way: string }[];
  const lacking = lines.filter(({ kind }) => kind === "no-key");
  expect(lacking.map(({ table }) => table)).toEqual([
    "public.Large Artist",
    "public.album_price",
    "public.artist_size",
    "public.tag_count",
  ]);
  expect(lacking[0]?.way).toContain("--key public.Large Artist=<column>");
  const unknown = await run(["adopt", "--key", "Artist=id"]);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unknown.stderr).toContain('no table "Artist=id"');
  const chosen = await run(["adopt", "country", "--key", "country=name", "--dry-run", "--json"]);
  expect(JSON.parse(chosen.stdout).written).toContain("resources/country.yaml");
  const repeated = await run(["adopt", "album", "--key", "album=artist", "--json"]);
  expect(repeated.exitCode).toBe(1);
  expect(JSON.parse(repeated.stdout).report).toMatchObject([{ kind: "no-key", taken: false }]);
});

test("--no-triggers adds nothing to the tables, which another role may own", async () => {
  const role = `adopter_${Math.random().toString(36).slice(2, 10)}`;
  await sql(`create role ${role} login password 'x';
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant create on database "${new URL(database.url).pathname.slice(1)}" to ${role};
    grant usage, create on schema public to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  url.password = "x";
  const owned = await run(["adopt", "artist", "--json"], url.href);
  expect(JSON.parse(owned.stdout)).toMatchObject({
    written: [],
    report: [{ kind: "privilege", way: expect.stringContaining("--no-triggers") }],
  });
  const outcome = await run(["adopt", "artist", "album", "--no-triggers"], url.href);
  expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
  const path = join(root, "resources/artist.yaml");
  const text = readFileSync(path, "utf8");
  expect(text).toContain("triggers: none\n");
  await done("generate");
  const migrated = await run(["migrate"], url.href);
  expect(migrated, migrated.stderr).toMatchObject({ exitCode: 0 });
  const triggers = `select tgname from pg_trigger where not tgisinternal and tgrelid = 'artist'::regclass`;
  expect(await sql(triggers)).toEqual([]);
  const doctor = await run(["migrate", "--status", "--json"], url.href);
  expect(JSON.parse(doctor.stdout)).toMatchObject({ pending: [], differences: [] });
  for (const key of ["changes", "trash"]) {
    writeFileSync(path, `${text}${key}: true\n`);
    const { problems } = JSON.parse((await run(["generate", "--json"])).stdout);
    expect(problems.map(({ message }: { message: string }) => message)).toContain(
      `"${key}" needs triggers on the table`,
    );
  }
  writeFileSync(path, text);
  await sql(`drop owned by ${role}`);
  await sql(`drop role ${role}`);
});

test("triggers are added and removed later, by the descriptor", async () => {
  await done("adopt", "artist", "--no-triggers");
  await done("generate");
  await done("migrate");
  const path = join(root, "resources/artist.yaml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("triggers: none\n", ""));
  await done("generate");
  await done("migrate");
  const triggers = `select count(*)::int as n from pg_trigger where tgname like 'tally_%' and tgrelid = 'artist'::regclass`;
  expect(await sql(triggers)).toEqual([{ n: 3 }]);
  writeFileSync(path, text);
  await done("generate");
  await done("migrate");
  expect(await sql(triggers)).toEqual([{ n: 0 }]);
  await done("migrate", "--down");
  expect(await sql(triggers)).toEqual([{ n: 3 }]);
});
