import { resolve } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "../../../runtime/migrate/index.js";
import { catalogueOf } from "../../support/database/catalogue.js";
import { emptyDatabase, type TestDatabase } from "../../support/database/database.js";

const directory = resolve(import.meta.dirname, "../../../fixtures/apps/shop/migrations");

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

test("two databases of the same history have the same dump", async () => {
  await migrate({ url: database.url, directory });
  const other = await emptyDatabase();
  const otherClient = new pg.Client({
    connectionString: `${other.url}?options=-c%20search_path%3D`,
  });
  try {
    await migrate({ url: other.url, directory });
    await otherClient.connect();
    expect(await catalogueOf(client)).toEqual(await catalogueOf(otherClient));
  } finally {
    await otherClient.end();
    await other.drop();
  }
});

test("an empty database has an empty dump", async () => {
  expect(await catalogueOf(client)).toEqual([]);
});

test("the dump has a line for every object, whatever its name", async () => {
  await client.query(`
    create extension pg_trgm;
    create table "a ""USING"" .b" (
      "to" integer generated always as identity primary key,
      name text collate "C" not null default 'new',
      twice integer generated always as (2) stored
    );
    alter table "a ""USING"" .b" add constraint "name ON x" check (name <> '') not valid;
    create table linked (id integer constraint up references "a ""USING"" .b" on delete set null);
    create unique index "an ""INDEX"" ON x.y USING z" on "a ""USING"" .b" (name desc) where twice > 1;
    create index plain on linked using gin ((id::text) gin_trgm_ops);
    create function touch() returns trigger language plpgsql as 'begin return null; end';
    create trigger "before ON" before update on linked for each row execute function touch();
    alter table linked disable trigger "before ON";
    create view seen as select id from linked;
    create unlogged table fast ();
  `);
  const odd = 'public.a "USING" .b';
  expect((await catalogueOf(client)).filter((line) => !line.includes("not_null"))).toEqual(
    [
      `column id of public.linked: integer`,
      `column id of public.seen: integer`,
      `column name of ${odd}: text collate "C" not null default 'new'::text`,
      `column to of ${odd}: integer not null generated always as identity`,
      `column twice of ${odd}: integer generated always as 2`,
      `constraint a "USING" .b_pkey of ${odd}: PRIMARY KEY ("to")`,
      `constraint name ON x of ${odd}: CHECK ((name <> ''::text)) NOT VALID`,
      `constraint up of public.linked: FOREIGN KEY (id) REFERENCES public."a ""USING"" .b"("to") ON DELETE SET NULL`,
      `index an "INDEX" ON x.y USING z of ${odd}: UNIQUE btree (name DESC) WHERE (twice > 1)`,
      "index plain of public.linked: gin (((id)::text) public.gin_trgm_ops)",
      "rights usual CREATE OR REPLACE FUNCTION public.touch()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$begin return null; end$function$\n",
      "table public.fast: unlogged table",
      "table public.linked: table",
      "table public.seen: view",
      `table ${odd}: table`,
      `table ${odd}_to_seq: sequence`,
      "trigger before ON of public.linked: BEFORE UPDATE ON public.linked FOR EACH ROW EXECUTE FUNCTION public.touch() DISABLED",
    ].sort(),
  );
});
