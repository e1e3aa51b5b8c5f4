import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { viewsSql } from "../support/adopt/views.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

let database: TestDatabase;
let files: Awaited<ReturnType<typeof adoptedFiles>>;
let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  database = await emptyDatabase();
  files = await adoptedFiles(database.url, viewsSql, {
    views: true,
    keys: [
      "artist_size=artist_id",
      "Large Artist=artist_id",
      "album_price=artist",
      "tag_count=tag",
    ],
  });
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

test("a view with a key becomes a resource that is only read", () => {
  expect(files.descriptors.get("large-artist.yaml")).toBe(`\
# yaml-language-server: $schema=../node_modules/service-cli/templates/schemas/resource.schema.json
# a view is read-only, and each request counts its rows (triggers: none)

table: Large Artist
triggers: none
id: { column: artist_id, type: integer }
createdAt: none
updatedAt: none
access: { read: [admin], write: nobody }
fields:
  name: { type: string }
  albums: { type: number, integer: true }
  size: { type: enum, values: [small, large] }
`);
  const lines = files.report.filter(({ kind }) => kind === "no-key");
  expect(lines.map(({ table, why, way }) => [table, why, way])).toEqual([
    [
      "public.album_price",
      "the column artist has duplicate or missing values",
      "name another column",
    ],
  ]);
  expect([...files.descriptors.keys()]).toContain("tag-count.yaml");
});

test("records of a view are read, listed, counted and grouped, and have tags", async () => {
  const one = await admin.get<Row>("/artist-size/1");
  expect(one.body).toEqual({
    ...{ id: "1", name: "AC/DC", albums: 2, size: "large" },
    ...{ createdAt: null, updatedAt: null },
  });
  expect(one.headers.etag).toMatch(/^"/);
  const again = await admin.send("GET", "/artist-size/1", {
    headers: { "if-none-match": one.headers.etag },
  });
  expect(again.status).toBe(304);
  const list = await admin.list("/artist-size?sort=-albums&filter[size]=large");
  expect(list.body, list.text).toMatchObject({ data: [{ name: "AC/DC" }], meta: { total: 1 } });
  const stats = await admin.get("/artist-size/_stats?field=size");
  expect(stats.body).toMatchObject({ total: 2, values: { small: 1, large: 1 } });
  await app.db.query("insert into album values (4, 2, 'Metal Heart', 7) on conflict do nothing");
  expect((await admin.list("/large-artist")).body.meta.total).toBe(2);
  const groups = await admin.get("/artist-size/_aggregate?by=size&sum=albums");
  expect(groups.body).toMatchObject({ data: [{ by: { size: "large" }, sum: { albums: 4 } }] });
  expect((await admin.get("/tag-count/rock")).body, "materialized").toMatchObject({
    id: "rock",
    albums: 1,
  });
  const written = await admin.post("/artist-size", { name: "x" });
  expect(written.status, written.text).toBe(403);
});

test("a partitioned table has no triggers, and takes writes", async () => {
  expect(files.descriptors.get("reading.yaml")).toContain("\ntriggers: none\n");
  expect(files.report.filter(({ table }) => table === "public.reading")).toMatchObject([
    { column: null, kind: "trigger", taken: true },
  ]);
  const created = await admin.post<Row>("/reading", { id: "10", place: "out", value: 1.5 });
  expect(created.status, created.text).toBe(201);
  await app.db.query(
    "insert into reading_0 select n, 'out', 0 from generate_series(100, 140) n where satisfies_hash_partition('reading'::regclass, 2, 0, n::bigint)",
  );
  const { body } = await admin.list("/reading");
  const [row] = await app.db.query<{ n: number }>("select count(*)::int as n from reading");
  expect(body.meta.total).toBe(row?.n);
  const etag = (await admin.get("/reading/10")).headers.etag;
  const changed = await admin.send<Row>("PATCH", "/reading/10", {
    text: '{"value":2}',
    headers: { "if-match": etag },
  });
  expect(changed.status, changed.text).toBe(200);
  const stale = await admin.send<Row>("PATCH", "/reading/10", {
    text: '{"value":3}',
    headers: { "if-match": etag },
  });
  expect(stale.status).toBe(412);
  const moved = await admin.post<Row>("/_service/batch", {
    operations: [
      { update: "reading", id: "10", values: { value: 4 } },
      { create: "reading", values: { id: "11", place: "in" } },
    ],
  });
  expect(moved.status, moved.text).toBe(200);
  expect((await admin.delete("/reading/10")).status).toBe(204);
});

test("keys of char and citext are texts, without trailing spaces and in any case", async () => {
  expect((await admin.get("/country/no")).body).toMatchObject({ id: "no", name: "Norway" });
  const list = await admin.list("/town?sort=id&include=countryRecord,twinRecord");
  expect(list.body.data, list.text).toMatchObject([
    { id: "Bergen", country: "no", countryRecord: { name: "Norway" }, twinRecord: { id: "Oslo" } },
    { id: "Oslo", country: "no", twin: null },
  ]);
  expect((await admin.list("/town?filter[country]=no")).body.meta.total).toBe(2);
  const created = await admin.post<Row>("/town", { id: "Tromso", country: "no", twin: "bergen" });
  expect(created.status, created.text).toBe(201);
  expect((await admin.get("/town/TROMSO")).body).toMatchObject({ id: "Tromso", country: "no" });
  expect((await admin.post("/town", { id: "oslo", country: "no" })).status).toBe(422);
  expect((await admin.post("/country", { id: "long", name: "Long" })).status).toBe(422);
  expect((await admin.patch("/town/Tromso", { country: "xx" })).status).toBe(422);
  expect((await admin.delete("/country/no")).status).toBe(409);
  expect((await admin.delete("/town/tromso")).status).toBe(204);
});
