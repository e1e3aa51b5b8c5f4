import { afterAll, beforeAll, expect, test } from "vitest";
import { findDrift } from "../../runtime/migrate/index.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { importLines } from "../support/apps/imported.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { expectedIn } from "../support/database/drift.js";
import type { Client, Json, Row } from "../support/http/client.js";

const statements = `
create schema shop;
create table shop."Artist" (
  "Nº" integer generated always as identity primary key,
  name varchar(80) not null unique,
  mentor integer references shop."Artist" on delete set null
);
create index on shop."Artist" (mentor);
create table shop.album (
  code varchar(20) primary key,
  title varchar(80) not null,
  artist integer not null references shop."Artist" on delete cascade
);
create index on shop.album (artist);
create table public.track (
  id uuid primary key default gen_random_uuid(),
  name varchar(80) not null,
  album varchar(20) not null references shop.album on delete cascade
);
create index on public.track (album);
create table public.review (
  code char(5) primary key,
  words text not null,
  album varchar(20) references shop.album on delete set null,
  track uuid references public.track on delete set null
);
create index on public.review (album);
create index on public.review (track);
`;

const parts: Readonly<Record<string, string>> = {
  "artist.yaml": "trash: true\nchanges: { history: 30 }\n",
  "album.yaml": "trash: 2\n",
  "track.yaml": "trash: true\nchanges: { history: 30 }\n",
  "review.yaml": "trash: true\n",
};

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
beforeAll(async () => {
  database = await emptyDatabase();
  const adopted = await adoptedFiles(database.url, statements, { schemas: ["public", "shop"] });
  const descriptors = new Map(
    [...adopted.descriptors].map(([name, text]) => [name, text + (parts[name] ?? "")] as const),
  );
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

const at = (resource: string, id: string) => `/${resource}/${encodeURIComponent(id)}`;
const statusOf = async (path: string) => (await admin.get(path)).status;
const restore = (resource: string, id: string) =>
  admin.post<Row>(`${at(resource, id)}/_restore`, undefined);

async function made(name: string): Promise<Record<"artist" | "album" | "track" | "review", Row>> {
  const artist = await create("artist", { name });
  const album = await create("album", { id: `${name}/1`, title: "First", artist: artist.id });
  const track = await create("track", { name: "One", album: album.id });
  const review = await create("review", {
    id: name.slice(0, 3),
    words: "loud",
    album: album.id,
    track: track.id,
  });
  return { artist, album, track, review };
}

async function kept(): Promise<readonly unknown[]> {
  const rows = await app.db.query<{ name: string; key: string | null; root: boolean }>(
    'select table_name as name, key, is_root as root from service.trash order by table_name collate "C", key',
  );
  return rows.map(({ name, key, root }) => [name, key, root]);
}

test("the triggers stand as the migrations have them", async () => {
  expect(await findDrift(app.config.database.url, expectedIn(app.root))).toEqual({
    differences: [],
    unmanaged: [],
  });
});

test("a record returns under its id, with all that was deleted with it and links to both", async () => {
  const { artist, album, track, review } = await made("Accept");
  const pupil = await create("artist", { name: "Pupil", mentor: artist.id });
  expect((await admin.delete(at("artist", artist.id))).status).toBe(204);
  expect(await kept()).toEqual([
    ["shop.Artist", artist.id, true],
    ["shop.album", album.id, false],
    ["track", null, false],
  ]);
  expect((await admin.get(at("review", review.id))).body).toMatchObject({
    album: null,
    track: null,
  });
  for (const [resource, id] of [
    ["artist", artist.id],
    ["album", album.id],
    ["track", track.id],
  ] as const) {
    const listed = await admin.list(`/${resource}?trash=only`);
    expect(listed.body.data.map((one) => one.id)).toEqual([id]);
    expect((await admin.get(`${at(resource, id)}?trash=only`)).body).toMatchObject({ id });
    expect(await statusOf(at(resource, id))).toBe(404);
  }
  const inside = await restore("track", track.id);
  expect(inside).toMatchObject({ status: 409, body: { resource: "artist", id: artist.id } });
  const restored = await restore("artist", artist.id);
  expect(restored.status, restored.text).toBe(200);
  expect(restored.body).toEqual(artist);
  expect((await admin.get(at("album", album.id))).body).toEqual(album);
  expect((await admin.get(at("track", track.id))).body).toEqual(track);
  expect((await admin.get(at("review", review.id))).body).toEqual(review);
  expect((await admin.get(at("artist", pupil.id))).body).toMatchObject({ mentor: artist.id });
  const next = await create("artist", { name: "Next" });
  expect(Number(next.id)).toBeGreaterThan(Number(pupil.id));
  for (const path of [at("artist", artist.id), at("track", track.id)]) {
    const { body } = await admin.get<{ data: { op: string }[] }>(`${path}/_history`);
    expect(body.data.map(({ op }) => op)).toEqual(["restore", "trash", "create"]);
  }
  expect(await kept()).toEqual([]);
});

test("deletes of many rows by SQL are kept, each with its own", async () => {
  const [one, two] = [await made("Saxon"), await made("Dio")];
  await app.db.query(`delete from shop."Artist" where name in ('Saxon', 'Dio')`);
  expect(await kept()).toHaveLength(6);
  for (const { artist, album, track, review } of [one, two]) {
    expect((await restore("artist", artist.id)).status).toBe(200);
    expect((await admin.get(at("track", track.id))).body).toEqual(track);
    expect((await admin.get(at("album", album.id))).body).toEqual(album);
    expect((await admin.get(at("review", review.id))).body).toEqual(review);
  }
  await app.db.query("delete from review");
  expect((await admin.list("/review?trash=only&sort=id")).body.data.map(({ id }) => id)).toEqual(
    expect.arrayContaining([one.review.id, two.review.id]),
  );
  expect((await restore("review", one.review.id)).body).toEqual(one.review);
});

test("a taken id or value is refused, as is what was deleted permanently", async () => {
  const { artist, album } = await made("Venom");
  expect((await admin.delete(at("artist", artist.id))).status).toBe(204);
  await create("artist", { name: "Venom" });
  expect(await restore("artist", artist.id)).toMatchObject({
    status: 409,
    body: { resource: "artist", id: artist.id, field: "name" },
  });
  expect((await admin.delete(`${at("artist", artist.id)}?trash=skip`)).status).toBe(204);
  expect((await restore("artist", artist.id)).status).toBe(404);
  expect(await statusOf(`${at("album", album.id)}?trash=only`)).toBe(404);
  const review = await create("review", { id: "RV", words: "x" });
  expect((await admin.delete("/review/RV")).status).toBe(204);
  await app.db.query("insert into review values ('RV', 'y')");
  expect(await restore("review", review.id)).toMatchObject({
    status: 409,
    body: { resource: "review", id: "RV", field: "id" },
  });
  expect((await admin.delete("/review/RV?trash=skip")).status).toBe(204);
  expect(await statusOf("/review/RV?trash=only")).toBe(404);
});

test("an import and a revert find the id in the trash", async () => {
  const artist = await create("artist", { name: "Loaded" });
  expect((await admin.delete(at("artist", artist.id))).status).toBe(204);
  const text = `id,name\n${artist.id},again\n`;
  expect(await importLines(app, { resource: "artist", text, more: {} })).toMatchObject({
    result: { created: 0, refused: 1 },
  });
  const history = await admin.get<{ data: { id: string; op: string }[] }>(
    `${at("artist", artist.id)}/_history`,
  );
  const { id: to } = history.body.data.at(-1) ?? { id: "" };
  expect((await admin.post(`${at("artist", artist.id)}/_revert`, { to })).status).toBe(409);
  const batch = await admin.post<{ data: readonly Json[] }>("/_service/batch", {
    operations: [{ restore: "artist", id: artist.id }],
  });
  expect(batch.body.data).toMatchObject([{ id: artist.id, name: "Loaded" }]);
});

test("what the days are over for is deleted, and logged", async () => {
  const { artist } = await made("Old");
  expect((await admin.delete(at("artist", artist.id))).status).toBe(204);
  const marks = await app.db.query<{ mark: string }>(
    "select mark from service.trash where table_name = 'shop.Artist' and key = $1",
    [artist.id],
  );
  const [row] = await app.db.query<{ deleted: number }>(
    "select deleted from service.expire_marks($1, null, 100)",
    [marks.map(({ mark }) => mark)],
  );
  expect(row?.deleted).toBe(3);
  const { body } = await admin.get<{ data: { op: string }[] }>(
    `${at("artist", artist.id)}/_history`,
  );
  expect(body.data.map(({ op }) => op)).toEqual(["delete", "trash", "create"]);
});
