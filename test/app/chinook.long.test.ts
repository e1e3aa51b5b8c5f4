import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { chinookSql } from "../support/adopt/chinook.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
let files: Awaited<ReturnType<typeof adoptedFiles>>;

beforeAll(async () => {
  database = await emptyDatabase();
  files = await adoptedFiles(database.url, chinookSql, { timezone: "UTC" });
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

test("every table but the one with a key of two columns becomes a resource", () => {
  expect([...files.descriptors.keys()]).toEqual([
    "album.yaml",
    "artist.yaml",
    "customer.yaml",
    "employee.yaml",
    "genre.yaml",
    "invoice.yaml",
    "invoice-line.yaml",
    "media-type.yaml",
    "playlist.yaml",
    "track.yaml",
  ]);
  const keyless = files.report.filter(({ kind }) => kind === "composite-key");
  expect(keyless.map(({ table, taken }) => [table, taken])).toEqual([
    ["public.PlaylistTrack", true],
  ]);
  const schema = "../node_modules/service-cli/templates/schemas/resource.schema.json";
  expect(files.descriptors.get("album.yaml")).toBe(`# yaml-language-server: $schema=${schema}
# q reads the whole table; after migrate and with the extension pg_trgm: create index concurrently on public."Album" using gin (service.fold_text("Title") gin_trgm_ops)

table: Album
id: { column: AlbumId, type: integer, given: true }
createdAt: none
updatedAt: none
access: { read: [admin], write: [admin] }
fields:
  title: { type: string, column: Title, maxLength: 160, required: true }
  artistId: { type: belongsTo, column: ArtistId, resource: artist, required: true, inverse: album }
`);
});

test("records are read, linked, filtered, counted and written by their keys", async () => {
  const { body: track } = await admin.get<Row>("/track/15?include=album.artist,genre");
  expect(track).toMatchObject({
    id: "15",
    name: "Go Down",
    albumId: "4",
    unitPrice: 0.99,
    album: { title: "Let There Be Rock", artist: { name: "AC/DC" } },
    genre: { name: "Rock" },
  });
  const list = await admin.list("/track?filter[albumId]=4&sort=-id");
  expect(list.body.meta.total).toBe(1);
  const where = encodeURIComponent('{"album":{"some":{"title":{"contains":"rock"}}}}');
  expect((await admin.list(`/artist?where=${where}`)).body.data).toMatchObject([{ name: "AC/DC" }]);
  const made = await admin.post<Row>("/album", { id: "5", title: "Big Ones", artistId: "3" });
  expect(made.status, made.text).toBe(201);
  expect((await admin.list("/album")).body.meta.total).toBe(4);
  const refused = await admin.delete("/artist/3");
  expect(refused.status).toBe(409);
  expect((await admin.delete("/album/5")).status).toBe(204);
  const invoice = await admin.get<Row>("/invoice/1");
  expect(invoice.body).toMatchObject({ invoiceDate: "2021-01-01T00:00:00.000Z", total: 1.98 });
  const bill = { id: "2", customerId: "1", invoiceDate: "2021-01-02T00:00:00Z", total: 1 };
  expect((await admin.post("/invoice", bill)).status).toBe(201);
});
