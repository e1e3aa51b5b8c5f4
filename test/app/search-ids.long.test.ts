import { afterAll, beforeAll, expect, test } from "vitest";
import { findDrift } from "../../runtime/migrate/index.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { expectedIn } from "../support/database/drift.js";
import type { Client, Json, Row } from "../support/http/client.js";

const statements = `
create schema shop;
create table shop."Genre" ("Genre No" smallint primary key, "Name" varchar(40) not null);
create table shop."Item" (
  "No" integer generated always as identity primary key,
  "Name" varchar(80) not null,
  notes text not null default '',
  genre smallint references shop."Genre" on delete set null
);
create index on shop."Item" (genre);
create table public.code (code char(5) primary key, label text not null default '');
insert into shop."Genre" values (1, 'Rock'), (2, 'Blues');
insert into shop."Item" ("Name", genre) select 'Song ' || at, 1 from generate_series(1, 1200) as at;
insert into code values ('AB', 'green tea'), ('ABC', 'black tea');
`;

const parts: Readonly<Record<string, string>> = {
  "genre.yaml": "search: { language: english, fields: { name: A } }\n",
  "item.yaml":
    "search: { language: english, fields: { name: A, notes: B, genreRecord.name: C } }\nchanges: true\n",
  "code.yaml": "search: { language: english, fields: { label: A } }\n",
};

const papers = `id: { type: string, given: true }
access: { read: [admin], write: [admin] }
search: { language: english, fields: { title: A, itemRecord.name: B } }
fields:
  title: { type: string, required: true }
  item: { type: belongsTo, resource: item }
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
beforeAll(async () => {
  database = await emptyDatabase();
  const adopted = await adoptedFiles(database.url, statements, { schemas: ["public", "shop"] });
  const descriptors = new Map([
    ...[...adopted.descriptors].map(
      ([name, text]) => [name, `${text}${parts[name] ?? ""}`] as const,
    ),
    ["papers.yaml", papers],
  ]);
  app = await startWrittenApp({ ...adopted, descriptors, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

interface Found {
  readonly data: readonly { readonly id: string }[];
  readonly meta: { readonly total: number; readonly highlights?: Json };
}

async function found(resource: string, search: string, more = ""): Promise<Found> {
  const { status, text, body } = await admin.get<Found>(
    `/${resource}?search=${encodeURIComponent(search)}${more}`,
  );
  expect(status, text).toBe(200);
  return body;
}

const idsOf = ({ data }: Found) => data.map(({ id }) => id);

test("nothing has drifted", async () => {
  expect(await findDrift(app.config.database.url, expectedIn(app.root))).toEqual({
    differences: [],
    unmanaged: [],
  });
});

test("the words of rows that were there are indexed, and matches of one rank follow the newest id", async () => {
  const all = await found("item", "song", "&perPage=3");
  expect(all.meta.total).toBe(1200);
  expect(idsOf(all)).toEqual(["1200", "1199", "1198"]);
  expect(idsOf(await found("item", "song 7"))[0]).toBe("7");
  expect(idsOf(await found("code", "teas"))).toEqual(["ABC", "AB"]);
});

test("changes and deletes of both programs count, as do other ids", async () => {
  const { body: item } = await admin.post<Row>("/item", { name: "Highway", notes: "long roads" });
  expect(idsOf(await found("item", "road"))).toEqual([item.id]);
  await app.db.query(`update shop."Item" set notes = 'rivers' where "No" = $1`, [item.id]);
  expect(idsOf(await found("item", "road"))).toEqual([]);
  expect(idsOf(await found("item", "river"))).toEqual([item.id]);
  expect((await admin.delete(`/item/${item.id}`)).status).toBe(204);
  expect(idsOf(await found("item", "river"))).toEqual([]);
  await app.db.query("update code set code = 'XY' where code = 'AB'");
  expect(idsOf(await found("code", "green"))).toEqual(["XY"]);
  await app.db.query("delete from code where code = 'XY'");
  expect(idsOf(await found("code", "green"))).toEqual([]);
});

test("highlights name records by their ids", async () => {
  const id = '_"a" é';
  const { status, text } = await admin.post("/papers", { id, title: "Green teas" });
  expect(status, text).toBe(201);
  const { data, meta } = await found("papers", "tea", "&highlight=title");
  expect(data).toMatchObject([{ id }]);
  expect(meta.highlights).toEqual({ [id]: { title: "Green <mark>teas</mark>" } });
  const item = await found("item", '"song 1200"', "&highlight=name");
  expect(item.meta.highlights).toEqual({
    "1200": { name: "<mark>Song</mark> <mark>1200</mark>" },
  });
  const stats = await admin.get<{ total: number }>("/papers/_stats?search=tea");
  expect(stats.body.total).toBe(1);
});

test("a changed linked record counts at once for few records, and soon for many", async () => {
  await admin.post("/papers", { id: "p-1", title: "x", item: "42" });
  expect(idsOf(await found("papers", '"song 42"'))).toEqual(["p-1"]);
  await app.db.query(`update shop."Item" set "Name" = 'Renamed' where "No" = 42`);
  expect(idsOf(await found("papers", "renamed"))).toEqual(["p-1"]);
  expect((await found("item", "rock")).meta.total).toBe(1200);
  await app.db.query(`update shop."Genre" set "Name" = 'Metal' where "Genre No" = 1`);
  expect((await found("item", "metal")).meta.total).toBe(0);
  for (let more = true; more; ) {
    [{ more } = { more: false }] = await app.db.query<{ more: boolean }>(
      "select service.index_changed(200) as more",
    );
  }
  expect((await found("item", "metal")).meta.total).toBe(1200);
  expect((await found("item", "rock")).meta.total).toBe(0);
  expect(await app.db.query("select from service.word_changes")).toEqual([]);
});

test("the words of all records can be indexed again, by the package and after a restore", async () => {
  const names = await app.db.query<{ table: string; words: string }>(
    `select table_name as "table", words_name as words from service.word_indexes order by 1`,
  );
  expect(names.map(({ table }) => table)).toEqual(["code", "papers", "shop.Genre", "shop.Item"]);
  for (const { table, words } of names) {
    const all = () =>
      app.db.query(`select id::text as id, vector::text from service."${words}" order by id`);
    const before = await all();
    await app.db.query(`truncate service."${words}"`);
    for (let after: string | null = null; ; ) {
      const rows: readonly { ids: readonly string[] }[] = await app.db.query(
        "select service.index_next_words($1, $2, 500) as ids",
        [table, after],
      );
      after = rows[0]?.ids.at(-1) ?? null;
      if (after === null) break;
    }
    expect(await all()).toEqual(before);
    await app.db.query("call service.refill_words($1)", [table]);
    expect(await all()).toEqual(before);
  }
});
