import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { type Outcome, service } from "./service.js";

const schema = `
  create table actor (actor_id serial primary key, name varchar(40) not null);
  create table film (film_id serial primary key, title varchar(40) not null);
  insert into actor (name) values ('Ann'), ('Bob');
  insert into film (title) values ('One')`;

const joins = `
  create table film_actor (
    film_id integer references film, actor_id integer references actor on delete cascade,
    last_update timestamptz not null default now(), primary key (film_id, actor_id)
  );
  insert into film_actor values (1, 2, '2020-01-01')`;

const list =
  "  actorIds: { type: links, resource: actor, through: { table: film_actor, record: film_id, target: actor_id }, inverse: film, maxItems: 1000 }\n";

let database: TestDatabase;
let other: TestDatabase;
let root: string;

beforeEach(async () => {
  database = await emptyDatabase();
  other = await emptyDatabase();
  await sql(schema);
  root = newFolder();
});
afterEach(async () => {
  removeAppFolder(root);
  await database.drop();
  await other.drop();
});

function newFolder(): string {
  const folder = makeAppFolder();
  writeFileSync(join(folder, "service.yaml"), "auth: { check_breached_passwords: false }\n");
  return folder;
}

async function sql(text: string, { url } = database): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function run(args: readonly string[], { url } = database): Promise<Outcome> {
  return service(root, args, { env: { DATABASE_URL: url } });
}

async function done(...args: readonly string[]): Promise<Outcome> {
  const outcome = await run(args);
  expect(outcome, outcome.stderr + outcome.stdout).toMatchObject({ exitCode: 0 });
  return outcome;
}

test("--update adds the list of a table that links two adopted ones, and only that", async () => {
  await done("adopt");
  await done("generate");
  await done("migrate");
  const film = join(root, "resources/film.yaml");
  const before = readFileSync(film, "utf8");
  await sql(joins);
  const plain = await run(["adopt"]);
  expect([plain.exitCode, readFileSync(film, "utf8")]).toEqual([1, before]);
  const { stdout } = await done("adopt", "--update", "--json");
  expect(JSON.parse(stdout).report).toMatchObject([
    { table: "public.film_actor", kind: "composite-key", taken: true },
    { table: "public.film_actor", column: "actor_id", kind: "index" },
  ]);
  expect(readFileSync(film, "utf8")).toBe(before + list);
  await done("generate");
  await done("migrate");
  const status = JSON.parse((await run(["migrate", "--status", "--json"])).stdout);
  expect(status).toMatchObject({ pending: [], differences: [] });
  const again = await run(["adopt", "--update"]);
  expect(again.exitCode).toBe(1);
  // A database that has none of the tables gets all of them.
  expect((await run(["migrate"], other)).exitCode).toBe(0);
  expect(await sql("select count(*)::int as rows from film_actor", other)).toEqual([{ rows: 0 }]);
});

test("a table adopted later is the target of a list, or has one of those before", async () => {
  await done("adopt", "actor");
  await sql(joins);
  await done("adopt", "film", "film_actor");
  const film = join(root, "resources/film.yaml");
  const actor = join(root, "resources/actor.yaml");
  const text = readFileSync(film, "utf8");
  expect(text).toContain(list);
  await done("generate");
  await done("migrate");
  writeFileSync(film, `${text}changes: true\n`);
  writeFileSync(actor, `${readFileSync(actor, "utf8")}trash: true\n`);
  const { problems } = JSON.parse((await run(["generate", "--json"])).stdout);
  const messages = problems.map(({ message }: { message: string }) => message);
  const why = "whose links are in a table of another program";
  expect(messages).toContain(`"changes" is not supported with "actorIds", ${why}`);
  expect(messages).toContain(`"trash" is not supported with "actorIds" of film, ${why}`);
});

test("names that are too long or taken are replaced by valid ones", async () => {
  const [column, table] = ["c".repeat(63), "t".repeat(63)];
  await sql(`
    create table ${table} (id serial primary key, name text);
    create table long_join (
      t integer references ${table}, ${column} integer references actor, primary key (t, ${column})
    );
    create table back_join (
      actor_id integer references actor, film_id integer references film, primary key (film_id, actor_id)
    )`);
  await done("adopt");
  await done("generate");
  const text = readFileSync(join(root, `resources/${table}.yaml`), "utf8");
  expect(text).toMatch(new RegExp(`^  c{49}[0-9a-f]{10}Ids: .*${column}`, "m"));
  await done("migrate");
  // The new column and the inverse of the new link want the same name.
  await sql(`
    alter table film add column note text;
    create table note (id serial primary key, film_id integer references film)`);
  await done("adopt", "--update");
  expect(readFileSync(join(root, "resources/note.yaml"), "utf8")).toContain(
    "inverse: noteByFilmId",
  );
  await done("generate");
});

test("an archive has the links, and a lost column of their table is found", async () => {
  await sql(joins);
  await done("adopt");
  await done("generate");
  await done("migrate");
  const archive = join(root, "all.backup");
  const { stdout } = await done("backup", archive, "--json");
  expect(JSON.parse(stdout)).toMatchObject({ records: { actor: 2, film: 1 }, unmanaged: [] });
  const links = "select film_id, actor_id, last_update::date::text as at from film_actor";
  const stored = [{ film_id: 1, actor_id: 2, at: "2020-01-01" }];
  const restored = await run(["restore", archive, "--json"], other);
  expect(JSON.parse(restored.stdout).records).toEqual({ actor: 2, film: 1 });
  expect(await sql(links, other)).toEqual(stored);
  await sql("insert into film_actor values (1, 1)");
  await done("restore", archive, "--replace");
  expect(await sql(links)).toEqual(stored);
  await sql("alter table film_actor rename actor_id to player");
  const message = 'The table film_actor of "actorIds" in "film" lacks the column actor_id';
  const migrated = await run(["migrate"]);
  expect([migrated.exitCode, migrated.stderr]).toEqual([1, expect.stringContaining(message)]);
  const { stdout: found } = await run(["doctor"]);
  expect(found).toContain(message);
});

test("an export escapes the ids of such a list", async () => {
  await sql(`
    create table label (code varchar(20) primary key);
    create table actor_label (
      actor integer references actor, label varchar(20) references label, primary key (actor, label)
    );
    insert into label values ('a|b'), ('c\\d'), ('e');
    insert into actor_label select 1, code from label;
  `);
  for (const args of [["adopt"], ["generate"], ["migrate"]]) {
    expect(await run(args)).toMatchObject({ exitCode: 0 });
  }
  const { stdout } = await run(["export", "actor", "--fields", "id,labelIds"]);
  expect(stdout.trim().split("\r\n")).toEqual(["id,labelIds", String.raw`1,a\|b|c\\d|e`, "2,"]);
});
