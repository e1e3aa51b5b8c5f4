import { afterAll, beforeAll, expect, test } from "vitest";
import { findDrift } from "../../runtime/migrate/index.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { expectedIn } from "../support/database/drift.js";
import type { Client, Json, Row } from "../support/http/client.js";

const statements = `
create schema "Store";
create schema sales;
create table "Store"."Artist" (
  id uuid primary key default gen_random_uuid(),
  "Full Name" varchar(80) not null unique,
  about text not null default ''
);
create table sales.album (
  id uuid primary key default gen_random_uuid(),
  title varchar(80) not null,
  artist uuid not null references "Store"."Artist" on delete cascade
);
create index on sales.album (artist);
create table public."Review" (
  id uuid primary key default gen_random_uuid(),
  words text not null,
  album uuid references sales.album on delete set null
);
create index on public."Review" (album);
`;

const parts: Readonly<Record<string, string>> = {
  "artist.yaml": `trash: true
changes: { history: 30 }
search: { language: english, fields: { fullName: A, about: B } }
`,
  "album.yaml": `trash: 2
search: { language: english, fields: { title: A, artistRecord.fullName: C } }
`,
  "review.yaml": "search: { language: english, fields: { words: A, albumRecord.title: B } }\n",
};

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
beforeAll(async () => {
  database = await emptyDatabase();
  const adopted = await adoptedFiles(database.url, statements, {
    schemas: ["Store", "public", "sales"],
  });
  const descriptors = new Map([
    ...[...adopted.descriptors].map(
      ([name, text]) => [name, `${text}${parts[name] ?? ""}`] as const,
    ),
    [
      "shelves.yaml",
      "fields: { artistIds: { type: links, resource: artist, inverse: shelves } }\n",
    ],
  ]);
  app = await startWrittenApp({ ...adopted, descriptors, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

async function create(resource: string, values: object): Promise<Row> {
  const { status, text, body } = await admin.post<Row>(`/${resource}`, values);
  expect(status, text).toBe(201);
  return body;
}

async function found(resource: string, search: string): Promise<readonly Json[]> {
  const { status, text, body } = await admin.list(
    `/${resource}?search=${encodeURIComponent(search)}`,
  );
  expect(status, text).toBe(200);
  return body.data.map(({ id }) => id);
}

test("the tables stay as they were, and nothing has drifted", async () => {
  expect(await findDrift(app.config.database.url, expectedIn(app.root))).toEqual({
    differences: [],
    unmanaged: [],
  });
});

test("a record returns with what was deleted with it, and links to it, from any schema", async () => {
  const artist = await create("artist", { fullName: "Accept" });
  const album = await create("album", { title: "Balls to the Wall", artist: artist.id });
  const review = await create("review", { words: "loud", album: album.id });
  const shelf = await create("shelves", { artistIds: [artist.id] });

  expect((await admin.delete(`/artist/${artist.id}`)).status).toBe(204);
  expect(await app.db.query(`select from "Store"."Artist"`)).toEqual([]);
  expect(await app.db.query("select from sales.album")).toEqual([]);
  expect(
    await app.db.query("select table_name, is_root from service.trash order by table_name"),
  ).toEqual([
    { table_name: "Store.Artist", is_root: true },
    { table_name: "sales.album", is_root: false },
  ]);
  const listed = await admin.list("/album?trash=only");
  expect(listed.body.data).toMatchObject([{ id: album.id, title: "Balls to the Wall" }]);
  expect((await admin.get(`/review/${review.id}`)).body.album).toBeNull();
  expect((await admin.get<Row>(`/shelves/${shelf.id}`)).body.artistIds).toEqual([]);

  const alone = await admin.post(`/album/${album.id}/_restore`, undefined);
  expect(alone).toMatchObject({ status: 409, body: { resource: "artist", id: artist.id } });
  const restored = await admin.post<Row>(`/artist/${artist.id}/_restore`, undefined);
  expect(restored.status, restored.text).toBe(200);
  expect(restored.body).toMatchObject({ id: artist.id, fullName: "Accept" });
  expect((await admin.get(`/album/${album.id}`)).body).toMatchObject({ artist: artist.id });
  expect((await admin.get(`/review/${review.id}`)).body.album).toBe(album.id);
  expect((await admin.get<Row>(`/shelves/${shelf.id}`)).body.artistIds).toEqual([artist.id]);
  const history = await admin.get<{ data: { op: string }[] }>(`/artist/${artist.id}/_history`);
  expect(history.body.data.map(({ op }) => op)).toEqual(["restore", "trash", "create"]);

  expect((await admin.delete(`/artist/${artist.id}?trash=skip`)).status).toBe(204);
  expect(await app.db.query("select from service.trash")).toEqual([]);
});

test("the other program's deletes are kept too, and a taken value is refused", async () => {
  const first = await create("artist", { fullName: "Saxon" });
  const second = await create("artist", { fullName: "Dio" });
  await app.db.query(`delete from "Store"."Artist"`);
  const kept = await admin.list("/artist?trash=only&sort=fullName");
  expect(kept.body.data).toMatchObject([{ fullName: "Dio" }, { fullName: "Saxon" }]);
  await app.db.query(`insert into "Store"."Artist" ("Full Name") values ('Dio')`);
  const taken = await admin.post(`/artist/${second.id}/_restore`, undefined);
  expect(taken).toMatchObject({
    status: 409,
    body: { resource: "artist", id: second.id, field: "fullName" },
  });
  expect((await admin.delete(`/artist/${first.id}?trash=skip`)).status).toBe(204);
  expect((await admin.get(`/artist/${first.id}?trash=only`)).status).toBe(404);
});

test("searches find the words of both programs, and those of linked records", async () => {
  const artist = await create("artist", { fullName: "Motörhead", about: "Louder than all" });
  const album = await create("album", { title: "Bombers", artist: artist.id });
  const review = await create("review", { words: "flying", album: album.id });
  expect(await found("artist", "louder")).toEqual([artist.id]);
  expect(await found("album", "bomber motörhead")).toEqual([album.id]);
  expect(await found("review", "bomber")).toEqual([review.id]);
  await app.db.query(`update "Store"."Artist" set "Full Name" = 'Girlschool' where id = $1`, [
    artist.id,
  ]);
  await app.db.query("update sales.album set title = 'Hysteria' where id = $1", [album.id]);
  expect(await found("album", "girlschool hysteria")).toEqual([album.id]);
  expect(await found("review", "hysteria")).toEqual([review.id]);
  const marked = await admin.get<{ meta: Json }>("/artist?search=loud&highlight=about");
  expect(marked.body.meta).toMatchObject({
    highlights: { [artist.id]: { about: "<mark>Louder</mark> than all" } },
  });
  await app.db.query(`truncate "Store"."Artist", sales.album, public."Review" cascade`);
  expect(await found("artist", "louder")).toEqual([]);
});
