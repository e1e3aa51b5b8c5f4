import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDrift } from "../../runtime/migrate/index.js";
import type { HookContext } from "../../runtime/own-code/index.js";
import { selectForFile } from "../../runtime/resource/index.js";
import { importLines } from "../support/apps/imported.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { expectedIn } from "../support/database/drift.js";
import type { Client, Row } from "../support/http/client.js";

const descriptors = new Map([
  [
    "artists.yaml",
    `table: Artist
id: { column: ArtistId, type: integer }
fields:
  name: { type: string, column: Name, required: true, unique: true }
  style: { type: enum, values: [old, new], required: true, default: new }
  mentorId: { type: belongsTo, resource: artists, inverse: pupils }
`,
  ],
  [
    "albums.yaml",
    `id: { column: code, type: string, given: true }
createdAt: none
fields:
  title: { type: string, required: true }
  artistId: { type: belongsTo, resource: artists, required: true, inverse: albums }
`,
  ],
  [
    "tracks.yaml",
    `id: { column: "the 'id'" }
fields:
  name: { type: string, required: true }
  albumId: { type: belongsTo, resource: albums, required: true, onDelete: cascade, inverse: tracks }
  artistId: { type: belongsTo, resource: artists }
`,
  ],
  [
    "genres.yaml",
    `id: { column: key, type: integer, given: true }
fields:
  name: { type: string }
`,
  ],
  [
    "labels.yaml",
    `id: { type: string }
fields:
  name: { type: string, required: true }
`,
  ],
]);

/** The ids that hooks and policies were called with. */
const seen: [string, string | null][] = [];
const note = (what: string, { id }: { readonly id: string | null }) => void seen.push([what, id]);

let app: WrittenApp;
let caller: Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors,
    options: {
      hooks: {
        artists: {
          beforeCreate: (_values: object, context: HookContext) => note("before", context),
          afterCreate: (_record: object, context: HookContext) => note("after", context),
        },
        albums: {
          beforeCreate: (_values: object, context: HookContext) => note("before", context),
        },
      } as never,
    },
  });
  ({ client: caller } = await app.caller(null));
});
afterAll(() => app.close());

const query = (parameters: Readonly<Record<string, string>>) =>
  new URLSearchParams(parameters).toString();

async function create(resource: string, values: Readonly<Record<string, string>>): Promise<Row> {
  const { status, body } = await caller.post<Row>(`/${resource}`, values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

test("the tables are as the descriptors have them", async () => {
  const columns = await app.db.query(
    `select table_name || '.' || column_name as name, data_type as type, is_identity as made
     from information_schema.columns
     where table_schema = 'public' and (column_name in ('ArtistId', 'code', 'key', 'the ''id''', 'artist_id', 'album_id')
       or (table_name = 'labels' and column_name = 'id'))
     order by (table_name || '.' || column_name) collate "C"`,
  );
  expect(columns).toEqual([
    { name: "Artist.ArtistId", type: "bigint", made: "YES" },
    { name: "albums.artist_id", type: "bigint", made: "NO" },
    { name: "albums.code", type: "text", made: "NO" },
    { name: "genres.key", type: "bigint", made: "NO" },
    { name: "labels.id", type: "text", made: "NO" },
    { name: "tracks.album_id", type: "text", made: "NO" },
    { name: "tracks.artist_id", type: "bigint", made: "NO" },
    { name: "tracks.the 'id'", type: "uuid", made: "NO" },
  ]);
  expect(await findDrift(app.config.database.url, expectedIn(app.root))).toEqual({
    differences: [],
    unmanaged: [],
  });
});

test("integers are strings, canonical and sorted as numbers", async () => {
  const made: Row[] = [];
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]) {
    made.push(await create("artists", { name, id: "99" }));
  }
  expect(made.map(({ id }) => id)).toEqual([..."123456789", "10", "11"]);
  const sorted = await caller.list("/artists?sort=id&fields=id&perPage=100");
  expect(sorted.body.data.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  const pages: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Awaited<ReturnType<Client["list"]>> = await caller.list(
      `/artists?${query({ sort: "-id", perPage: "4", fields: "id", cursor })}`,
    );
    pages.push(...page.body.data.map(({ id }) => id));
    cursor = (page.body.meta as unknown as { next: string | null }).next;
  }
  expect(pages).toEqual(made.map(({ id }) => id).toReversed());
  expect((await caller.list("/artists?perPage=2&page=6")).body.data.map(({ id }) => id)).toEqual([
    "1",
  ]);
});

test("a path with what the type cannot hold is 404", async () => {
  for (const id of ["017", "0", "-0", "1.0", "1e0", "+1", "%201", "abc", "9223372036854775808"]) {
    expect([id, (await caller.get(`/artists/${id}`)).status]).toEqual([id, 404]);
  }
  expect((await caller.get("/artists/9223372036854775807")).status).toBe(404);
  expect((await caller.patch("/artists/01", { name: "x" })).status).toBe(404);
  expect((await caller.delete("/artists/01")).status).toBe(404);
  expect((await caller.get("/artists/1")).status).toBe(200);
});

test("records are read, changed and deleted by such ids", async () => {
  const { id } = await create("artists", { name: "Ann" });
  const whole = await caller.get<Row>(`/artists/${id}`);
  expect(whole.body).toMatchObject({ id, name: "Ann", style: "new", mentorId: null });
  expect((await caller.patch<Row>(`/artists/${id}`, { mentorId: id, id: "5" })).body).toMatchObject(
    {
      id,
      mentorId: id,
    },
  );
  expect(
    (await caller.put<Row>(`/artists/${id}`, { name: "Anne", style: "new" })).body,
  ).toMatchObject({
    id,
    name: "Anne",
    mentorId: null,
  });
  const tag = String((await caller.get(`/artists/${id}`)).headers.etag);
  const change = await caller.send("PATCH", `/artists/${id}`, {
    text: '{"style":"old"}',
    headers: { "if-match": tag },
  });
  expect(change.status).toBe(200);
  expect((await caller.post("/artists", { name: "Anne" })).body).toMatchObject({
    issues: [{ path: "name" }],
  });
  expect((await caller.delete(`/artists/${id}`)).status).toBe(204);
  expect((await caller.get(`/artists/${id}`)).status).toBe(404);
});

test("a new record's address names its id", async () => {
  const made = await caller.post<Row>("/artists", { name: "addressed" });
  expect(made.headers.location).toBe(`/api/artists/${made.body.id}`);
  const album = await caller.post<Row>("/albums", { id: "_a/b é", title: "x", artistId: "1" });
  expect(album.headers.location).toBe("/api/albums/%5Fa%2Fb%20%C3%A9");
  expect((await caller.get<Row>("/albums/%5Fa%2Fb%20%C3%A9")).body).toMatchObject({ id: "_a/b é" });
  expect((await caller.delete("/albums/%5Fa%2Fb%20%C3%A9")).status).toBe(204);
});

test("links hold the ids of their targets", async () => {
  const artist = await create("artists", { name: "linked" });
  const album = await create("albums", { id: "L-1", title: "One", artistId: artist.id });
  const track = await create("tracks", { name: "t", albumId: "L-1", artistId: artist.id });
  expect(album).toMatchObject({ id: "L-1", artistId: artist.id, createdAt: null });
  const included = await caller.get<Row>(`/tracks/${track.id}?include=album.artist,artist`);
  expect(included.body).toMatchObject({
    album: { id: "L-1", artist: { id: artist.id, name: "linked" } },
    artist: { id: artist.id },
  });
  const inverse = await caller.list(`/artists?filter[id]=${artist.id}&include=albums.tracks`);
  expect(inverse.body.data).toMatchObject([
    { id: artist.id, albums: { data: [{ id: "L-1", tracks: { data: [{ id: track.id }] } }] } },
  ]);
  const lists = [
    `/albums?filter[artistId]=${artist.id}`,
    `/albums?filter[artistId][in]=${artist.id},999`,
    `/albums?${query({ where: JSON.stringify({ artist: { id: artist.id } }) })}`,
    `/albums?${query({ where: JSON.stringify({ artistId: { in: [artist.id, null] } }) })}`,
    `/albums?${query({ where: JSON.stringify({ tracks: { some: { id: track.id } } }) })}`,
    "/albums?filter[id]=L-1",
    `/albums?sort=artist.name,-id&filter[artistId]=${artist.id}`,
  ];
  for (const path of lists) {
    expect([path, (await caller.list(path)).body.data.map(({ id }) => id)]).toEqual([
      path,
      ["L-1"],
    ]);
  }
  const groups = await caller.get<{ data: readonly Row[] }>("/albums/_aggregate?by=artistId");
  expect(groups.body.data).toContainEqual({ by: { artistId: artist.id }, count: 1 });
  const shown = await caller.get<{ data: readonly Row[] }>(
    "/albums/_aggregate?by=artistId&include=artist",
  );
  expect(JSON.stringify(shown.body)).toContain('"name":"linked"');
  const distinct = await caller.get("/albums/_aggregate?distinct=artistId");
  expect(distinct.status).toBe(200);
  expect((await caller.get("/albums/_stats")).status).toBe(200);
});

test("a link to what the type cannot hold, or to no record, is 422", async () => {
  for (const artistId of ["017", "abc", "9223372036854775808", "9223372036854775807", 17]) {
    const { status, body } = await caller.post("/albums", { id: "X", title: "x", artistId });
    expect([artistId, status]).toEqual([artistId, 422]);
    expect(body).toMatchObject({ issues: [{ path: "artistId" }] });
  }
  const track = await caller.post("/tracks", { name: "x", albumId: "none", artistId: "123456" });
  expect(track.body).toMatchObject({ issues: [{ path: "albumId" }, { path: "artistId" }] });
});

test("a filter with what the type cannot hold is 400", async () => {
  for (const value of ["017", "abc", "9223372036854775808"]) {
    expect((await caller.get(`/albums?filter[artistId]=${value}`)).status).toBe(400);
    expect((await caller.get(`/artists?filter[id]=${value}`)).status).toBe(400);
    const where = JSON.stringify({ artistId: value });
    expect((await caller.get(`/albums?${query({ where })}`)).status).toBe(400);
  }
  expect((await caller.get("/albums?filter[artistId]=9223372036854775807")).status).toBe(200);
  expect((await caller.get("/artists?filter[id]=9223372036854775807")).status).toBe(200);
});

test("given ids come with the create, and cannot change", async () => {
  const values = { title: "x", artistId: "1" };
  expect((await caller.post("/albums", values)).body).toMatchObject({
    issues: [{ path: "id", message: "A value is required" }],
  });
  await create("albums", { ...values, id: "G-1" });
  const taken = await caller.post("/albums", { ...values, id: "G-1" });
  expect(taken.status).toBe(422);
  expect(taken.body).toMatchObject({
    issues: [{ path: "id", message: "Another record has this value" }],
  });
  for (const id of ["", "a\u0000b", 5]) {
    const wrong = await caller.post("/albums", { ...values, id });
    expect([id, wrong.status]).toEqual([id, 422]);
    expect(wrong.body).toMatchObject({ issues: [{ path: "id" }] });
  }
  for (const change of [
    await caller.patch("/albums/G-1", { id: "G-2" }),
    await caller.put("/albums/G-1", { ...values, id: "G-2" }),
  ]) {
    expect(change.status).toBe(422);
    expect(change.body).toMatchObject({ issues: [{ path: "id", message: "Cannot change" }] });
  }
  expect((await caller.patch("/albums/G-1", { id: "G-1", title: "y" })).status).toBe(200);
  expect((await caller.put("/albums/G-1", { ...values, id: "G-1" })).status).toBe(200);
  const special = await caller.post("/albums", { ...values, id: "_stats" });
  expect(special.headers.location).toBe("/api/albums/%5Fstats");
  expect((await caller.get("/albums/%5Fstats")).body).toMatchObject({ id: "_stats", title: "x" });
  expect((await caller.get("/albums/_stats")).body).toMatchObject({ total: expect.any(Number) });
  expect((await caller.delete("/albums/%5Fstats")).status).toBe(204);
  expect(await create("genres", { id: "-7" })).toMatchObject({ id: "-7" });
  expect((await caller.post("/genres", { id: "07" })).status).toBe(422);
  expect((await caller.get("/genres/-7")).status).toBe(200);
});

test("the database makes the other ids, which a create ignores", async () => {
  const label = await create("labels", { name: "x", id: "mine" });
  expect(label.id).not.toBe("mine");
  expect((await caller.get<Row>(`/labels/${label.id}`)).body).toEqual(label);
});

test("hooks have no id before the database makes it", async () => {
  seen.length = 0;
  const artist = await create("artists", { name: "hooked" });
  await create("albums", { id: "H-1", title: "x", artistId: artist.id });
  expect(seen).toEqual([
    ["before", null],
    ["after", artist.id],
    ["before", "H-1"],
  ]);
});

test("a batch refers to records whose ids the database makes", async () => {
  const { status, body } = await caller.post<{ data: readonly Row[] }>("/_service/batch", {
    operations: [
      { create: "artists", values: { name: "batched" } },
      { create: "artists", values: { name: "pupil", mentorId: { ref: 0 } } },
      { create: "albums", values: { id: "B-1", title: "x", artistId: { ref: 1 } } },
      { create: "tracks", values: { name: "t", albumId: { ref: 2 } } },
      { upsert: "artists", by: "name", values: { name: "batched", style: "old" } },
      { update: "albums", id: "B-1", values: { title: "y" } },
      { delete: "genres", id: "-7" },
    ],
  });
  expect(status).toBe(200);
  const [one, two, three, four, five] = body.data;
  expect(two?.mentorId).toBe(one?.id);
  expect(three?.artistId).toBe(two?.id);
  expect(four?.albumId).toBe("B-1");
  expect(five).toMatchObject({ id: one?.id, style: "old" });
  const wrong = await caller.post("/_service/batch", {
    operations: [{ update: "artists", id: "01", values: {} }],
  });
  expect(wrong.status).toBe(404);
});

test("a repeated request has the same answer", async () => {
  const sent = { text: '{"name":"once"}', headers: { "idempotency-key": "once" } };
  const first = await caller.send<Row>("POST", "/artists", sent);
  const again = await caller.send<Row>("POST", "/artists", sent);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
});

test("a delete counts and deletes what belongs to a record", async () => {
  const artist = await create("artists", { name: "kept" });
  await create("albums", { id: "D-1", title: "x", artistId: artist.id });
  await create("tracks", { name: "t", albumId: "D-1" });
  const refused = await caller.delete(`/artists/${artist.id}`);
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining("1 album still belongs to this artist"),
  ]);
  expect((await caller.delete("/albums/D-1")).status).toBe(204);
  expect((await caller.delete(`/artists/${artist.id}`)).status).toBe(204);
});

test("many creates and changes at once each get their own record", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `many ${at}`);
  const made = await Promise.all(names.map((name) => create("artists", { name })));
  expect(made.map(({ name }) => name)).toEqual(names);
  expect(new Set(made.map(({ id }) => id)).size).toBe(40);
  const genres = await Promise.all(
    names.map((name, at) => create("genres", { id: `${at}`, name })),
  );
  expect(genres.map(({ id, name }) => [id, name])).toEqual(
    names.map((name, at) => [`${at}`, name]),
  );
  const changed = await Promise.all(
    genres.map(({ id }) => caller.patch<Row>(`/genres/${id}`, { name: `of ${id}` })),
  );
  expect(changed.map(({ body: { id, name } }) => [id, name])).toEqual(
    genres.map(({ id }) => [id, `of ${id}`]),
  );
});

test("the list of resources names the types of ids that are not UUIDs", async () => {
  const { body } = await caller.get<{
    readonly data: readonly { readonly name: string; readonly id?: object }[];
  }>("/_service/resources");
  const ids = body.data.map(({ name, id }) => [name, id]);
  expect(ids).toEqual([
    ["albums", { type: "string", given: true }],
    ["artists", { type: "integer", given: false }],
    ["genres", { type: "integer", given: true }],
    ["labels", { type: "string", given: false }],
    ["tracks", undefined],
  ]);
});

function imported(resource: string, text: string, more: object = {}): Promise<unknown> {
  return importLines(app, { resource, text, more });
}

test("an import takes ids of a file, and moves the sequence past them", async () => {
  expect(await imported("artists", "id,name\n5000,of a file\n,numbered\n")).toMatchObject({
    result: { created: 2, refused: 0 },
  });
  expect((await caller.get<Row>("/artists/5000")).body).toMatchObject({ name: "of a file" });
  expect(Number((await create("artists", { name: "after the file" })).id)).toBeGreaterThan(5000);
  expect(await imported("artists", "id,name\n05001,wrong\n")).toMatchObject({
    result: { created: 0, refused: 1 },
  });
  expect(await imported("artists", "id,name\n5000,again\n")).toMatchObject({
    result: { created: 0, refused: 1, errors: [{ message: "Another record has this value" }] },
  });
  const changed = await imported("artists", "id,name\n5000,changed\n", { upsert: "id" });
  expect(changed).toMatchObject({ result: { updated: 1, refused: 0 } });
  const albums = "id,title,artistId\nI-1,x,5000\nI-2,y,5000\n";
  expect(await imported("albums", albums)).toMatchObject({ result: { created: 2, refused: 0 } });
  expect(await imported("albums", "title,artistId\nz,5000\n")).toMatchObject({
    result: { created: 0, refused: 1 },
  });
  const byName = await imported("albums", "id,title,artistId\nI-3,z,changed\n", {
    link: { artistId: "name" },
  });
  expect(byName).toMatchObject({ result: { created: 1, refused: 0 } });
});

test("an export has ids as the API shows them, in their order", async () => {
  const definitions = await import(
    pathToFileURL(join(app.root, "generated/artists/table.ts")).href
  );
  const { records } = selectForFile(definitions.artists, { fields: ["name"] });
  const rows = await app.db.query<{ json: string }>(
    `select _row.* from (${records}) as _row (json)`,
  );
  const ids = rows.map(({ json }): string => JSON.parse(json).id);
  expect(ids.every((id) => typeof id === "string")).toBe(true);
  expect(ids).toEqual(ids.toSorted((one, other) => Number(one) - Number(other)));
});
