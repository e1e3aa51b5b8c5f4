import { afterAll, beforeAll, expect, test } from "vitest";
import { importLines } from "../support/apps/imported.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Row } from "../support/http/client.js";

const descriptors = new Map([
  [
    "artists.yaml",
    `id: { column: ArtistId, type: integer }
fields:
  name: { type: string, required: true }
`,
  ],
  [
    "albums.yaml",
    `id: { column: code, type: string, given: true }
fields:
  title: { type: string, required: true }
  artistId: { type: belongsTo, resource: artists, unique: true, inverse: albums }
`,
  ],
]);

let app: WrittenApp;
let caller: Client;
beforeAll(async () => {
  app = await startWrittenApp({ descriptors });
  ({ client: caller } = await app.caller(null));
  // As in a table that another program has created.
  await app.db.query(`alter table artists alter "ArtistId" type integer`);
  await app.db.query(
    `alter table albums alter artist_id type smallint, alter code type varchar(10)`,
  );
});
afterAll(() => app.close());

test("columns may have smaller types", async () => {
  const artist = await caller.post<Row>("/artists", { name: "a" });
  expect(artist.body).toMatchObject({ id: "1", name: "a" });
  const album = await caller.post<Row>("/albums", { id: "x", title: "x", artistId: "1" });
  expect(album.body).toMatchObject({ id: "x", artistId: "1" });
  expect((await caller.post("/albums", { id: "x", title: "x" })).status).toBe(422);
  const list = await caller.list("/albums?filter[artistId]=1&include=artist");
  expect(list.body.data).toMatchObject([{ id: "x", artist: { id: "1" } }]);
  expect((await caller.patch<Row>("/albums/x", { artistId: null })).body.artistId).toBeNull();
  expect((await caller.patch<Row>("/albums/x", { artistId: "1" })).body.artistId).toBe("1");
});

test("what is beyond their range is in no record", async () => {
  for (const id of ["32768", "2147483648", "9223372036854775807"]) {
    expect([id, (await caller.get(`/artists/${id}`)).status]).toEqual([id, 404]);
    expect((await caller.delete(`/artists/${id}`)).status).toBe(404);
    expect((await caller.patch(`/artists/${id}`, { name: "x" })).status).toBe(404);
    const found = await caller.list(`/albums?filter[artistId]=${id}`);
    expect([found.status, found.body.data]).toEqual([200, []]);
    const several = await caller.list(`/albums?filter[artistId][in]=1,${id}`);
    expect(several.body.data).toHaveLength(1);
    const created = await caller.post("/albums", { id: "y", title: "y", artistId: id });
    const changed = await caller.patch("/albums/x", { artistId: id });
    for (const { status, body } of [created, changed]) {
      expect([id, status, body]).toEqual([
        id,
        422,
        expect.objectContaining({ issues: [{ path: "artistId", message: "No such record" }] }),
      ]);
    }
  }
});

test("a given id that its column cannot hold is 422", async () => {
  const { status, body } = await caller.post("/albums", { id: "12345678901", title: "x" });
  expect([status, body]).toEqual([
    422,
    expect.objectContaining({ issues: [{ path: "id", message: "Too long for its column" }] }),
  ]);
  expect((await caller.get("/albums/12345678901")).status).toBe(404);
});

test("an import finds no record by an id beyond the range of the column", async () => {
  const lines = "id,name\n2147483648,large\n1,one\n";
  const sent = { resource: "artists", text: lines, more: { upsert: "id" } };
  expect(await importLines(app, sent)).toMatchObject({
    result: { refused: 1 },
  });
});
