import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { schemaNames, schemasSql } from "../support/adopt/schemas.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type Outcome, service } from "./service.js";

let database: TestDatabase;
let root: string;

beforeEach(async () => {
  database = await emptyDatabase();
  await sql(schemasSql);
  root = makeAppFolder();
  writeFileSync(join(root, "service.yaml"), "auth: { check_breached_passwords: false }\n");
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
});

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

const all = schemaNames.flatMap((name) => ["--schema", name]);

async function done(...args: readonly string[]): Promise<Outcome> {
  const outcome = await run(...args);
  expect(outcome, outcome.stderr + outcome.stdout).toMatchObject({ exitCode: 0 });
  return outcome;
}

test("adopts tables of several schemas, and the migration creates them where none is", async () => {
  await done("adopt", ...all);
  const generated = await done("generate", "--json");
  expect(JSON.parse(generated.stdout)).toMatchObject({ problems: [], migration: null });
  const before = await dump();
  await done("migrate");
  expect(await dump()).toEqual(before);
  const status = await done("migrate", "--status", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({ pending: [], differences: [] });
  const doctor = await run("doctor", "--json");
  expect(doctor.stdout).not.toContain("HR Dept");
  const again = await run("adopt", ...all, "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ written: [] });

  const empty = await emptyDatabase();
  const other = await service(root, ["migrate"], { env: { DATABASE_URL: empty.url } });
  expect(other, other.stderr).toMatchObject({ exitCode: 0 });
  expect(await dump(empty)).toEqual(before);
  await empty.drop();

  await done("migrate", "--down");
  expect(
    await sql(`select count(*)::int as n from pg_trigger join pg_class on pg_class.oid = tgrelid
      where tgname like 'tally_%' and relnamespace <> 'service'::regnamespace`),
  ).toEqual([{ n: 0 }]);
});

test("reports what an adopted table of another schema lacks, and counts it again", async () => {
  await done("adopt", ...all);
  await done("generate");
  await done("migrate");
  await sql(`alter table "HR Dept"."Person" disable trigger tally_insert;
    insert into "HR Dept"."Person" ("Full ""Name""") values ('Uncounted')`);
  expect((await run("doctor")).stdout).toContain("HR Dept.Person");
  await run("doctor", "--repair");
  const repaired = await run("doctor");
  expect(repaired.stdout).not.toContain("HR Dept.Person");
  await sql(`alter table "order"."select" drop "where"`);
  const status = await run("migrate", "--status", "--json");
  expect(JSON.parse(status.stdout).differences).toMatchObject([
    { table: "order.select", object: "column", name: "where", problem: "missing" },
  ]);
  const { exitCode, stderr } = await run("migrate");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('The table order.select of "select" lacks the column where'),
  });
});

test("--update finds the columns of adopted tables in every schema", async () => {
  await done("adopt", ...all);
  await done("generate");
  await sql(`alter table "HR Dept"."Person" add born date`);
  await done("adopt", "--update");
  const text = readFileSync(join(root, "resources/person.yaml"), "utf8");
  expect(text).toContain("  born: { type: date }\n");
  await done("generate");
  await done("migrate");
});

test("changes are logged, deleted rows kept and words indexed in every schema, by replication too", async () => {
  await done("adopt", "--schema", "sales");
  await done("generate");
  const path = join(root, "resources/artist.yaml");
  const more = "changes: true\ntrash: true\nsearch: { language: simple, fields: { name: A } }\n";
  appendFileSync(path, more);
  await done("generate");
  await done("migrate");
  await sql(`
    set session_replication_role to replica;
    update sales.artist set name = 'AC-DC';
  `);
  expect(await sql("select resource, op from service.changes_new")).toEqual([
    { resource: "artist", op: "update" },
  ]);
  const [index] = await sql("select words_name from service.word_indexes");
  const { words_name: words } = index as { readonly words_name: string };
  expect(await sql(`select from service."${words}" where vector @@ 'dc'`)).toHaveLength(1);
  const status = await done("migrate", "--status", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({ pending: [], differences: [] });
  const rebuilt = await done("search", "rebuild", "--json");
  expect(JSON.parse(rebuilt.stdout)).toEqual({ artist: 1 });
  await sql(`
    set session_replication_role to replica;
    delete from sales.artist;
  `);
  expect(await sql("select table_name from service.trash")).toEqual([
    { table_name: "sales.artist" },
  ]);
  await sql("alter table sales.artist disable trigger change_log, enable trigger words_insert");
  expect((await run("doctor")).stdout).toContain("sales.artist: a trigger is missing or disabled");
  await done("doctor", "--repair");
  const enabled = `select distinct tgenabled from pg_trigger where tgrelid = 'sales.artist'::regclass and not tgisinternal`;
  expect(await sql(enabled)).toEqual([{ tgenabled: "A" }]);
  await done("migrate", "--down");
  expect(await sql("select table_name from service.trash")).toEqual([]);
});

test("a table of another schema that was not adopted is a problem, and so is a missing schema", async () => {
  await done("adopt", "--schema", "sales");
  writeFileSync(join(root, "resources/people.yaml"), "table: HR Dept.Person\n");
  const { problems } = JSON.parse((await run("generate", "--json")).stdout);
  expect(problems).toMatchObject([
    {
      message: "migrations create tables in the schema public, and HR Dept.Person was not adopted",
    },
  ]);
  const none = await run("adopt", "--schema", "Sales");
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no schema "Sales"') });
  const own = await run("adopt", "--schema", "service");
  expect(own).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("belong to service") });
});

test("a backup holds the rows of every schema", async () => {
  await done("adopt", ...all);
  await done("generate");
  await done("migrate");
  const file = join(root, "all.backup");
  const backup = JSON.parse((await done("backup", file, "--json")).stdout);
  expect(backup).toMatchObject({
    records: { artist: 1, person: 1, "sales-artist": 1, select: 1, table1: 1 },
    unmanaged: [],
  });
  const empty = await emptyDatabase();
  const options = { env: { DATABASE_URL: empty.url } };
  const restored = await service(root, ["restore", file], options);
  expect(restored, restored.stderr).toMatchObject({ exitCode: 0 });
  expect(await sql(`select "имя" from "Кадры"."Люди"`, empty)).toEqual([{ имя: "Анна" }]);
  const again = await service(root, ["restore", file], options);
  expect(again.stderr).toContain("1 of sales-artist");
  await empty.drop();
});

/** Columns, constraints, indexes and triggers of all tables but the package's. */
async function dump(of = database): Promise<readonly string[]> {
  const rows = await sql(
    `select line from (
      select attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull
        || coalesce(' ' || pg_get_expr(adbin, adrelid), '') as line
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped and attrelid in (
        select c.oid from pg_class c join pg_namespace n on n.oid = relnamespace
        where relkind = 'r' and nspname not in ('service', 'pg_catalog', 'information_schema')
      )
      union all
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace not in ('service'::regnamespace, 'pg_catalog'::regnamespace, 'information_schema'::regnamespace) and conrelid > 0 and contype <> 'n'
      union all
      select indexdef from pg_indexes where schemaname not in ('service', 'pg_catalog')
    ) as lines where line is not null order by line collate "C"`.replaceAll(
      "'service'::regnamespace",
      "coalesce(to_regnamespace('service'), 'pg_catalog'::regnamespace)",
    ),
    of,
  );
  return rows.map((row) => String(Object.values(row as object)[0]));
}
