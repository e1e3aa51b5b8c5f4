import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { recordsSql } from "../support/adopt/records.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, recordsSql);
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

const artist = "00000000-0000-4000-8000-000000000001";
const album = "00000000-0000-4000-8000-000000000011";

test("a record shows every field that was taken, whatever the type of its column", async () => {
  const { status, body } = await admin.get<Row>(`/album/${album}`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      id: album,
      title: "Let There Be Rock",
      artistId: artist,
      state: "live",
      price: 9.99,
      plays: 7,
      fame: 90,
      loud: true,
      facts: { year: 1977 },
      tags: ["rock", "hard"],
      notes: "two\nlines",
      number: 500,
      titles: "let there be rock",
      createdAt: null,
      updatedAt: "2022-01-01T00:00:00.000Z",
    },
  });
  const track = await admin.list("/track");
  expect(track.body.data).toMatchObject([{ album, code: "a", length: "00:06:00" }]);
});

test("lists filter, sort and search by columns whatever their types", async () => {
  const found = async (query: string) => {
    const { status, body, text } = await admin.list(`/${query}`);
    expect(status, text).toBe(200);
    return body.data.map((row) => row.name ?? row.title);
  };
  expect(await found("artist?sort=mood")).toEqual(["AC/DC", "Accept"]);
  expect(await found("artist?sort=-createdAt")).toEqual(["Accept", "AC/DC"]);
  expect(await found("artist?filter[mood]=ok")).toEqual(["AC/DC"]);
  expect(await found("artist?q=acc")).toEqual(["Accept"]);
  expect(await found("album?filter[plays]=7")).toEqual(["Let There Be Rock"]);
  expect(await found("album?filter[plays]=70000")).toEqual([]);
  expect(await found(`album?where=${encodeURIComponent('{"fame":{"in":[90,1000000]}}')}`)).toEqual([
    "Let There Be Rock",
  ]);
  expect(await found("album?fields=title,tags")).toEqual(["Let There Be Rock"]);
  const where = encodeURIComponent('{"album":{"some":{"state":"live"}}}');
  expect(await found(`artist?where=${where}&include=album`)).toEqual(["AC/DC"]);
});

test("totals follow the writes of both programs", async () => {
  const before = await admin.get<{ total: number }>("/artist/_stats?field=mood");
  await app.db.query(`insert into "Artist" ("Name", mood) values ('Old program', 'sad')`);
  const { status, body, text } = await admin.post<Row>("/artist", { name: "New" });
  expect(status, text).toBe(201);
  expect(body).toMatchObject({ name: "New", shown: "NEW", mood: null, firstSeen: null });
  const after = await admin.get<{ total: number; values: object }>("/artist/_stats?field=mood");
  expect(after.body).toMatchObject({ total: before.body.total + 2 });
  await app.db.query(`delete from "Artist" where "Name" in ('New', 'Old program')`);
  const last = await admin.list("/artist");
  expect(last.body.meta.total).toBe(before.body.total);
});

test("writes obey the rules of the table", async () => {
  const refused = await admin.post<Row>("/album", {
    title: "x",
    artistId: artist,
    state: "gone",
    plays: 40_000,
    price: -1,
  });
  expect(refused.status).toBe(422);
  expect(refused.body.issues).toEqual([
    { path: "state", message: "Must be one of: draft, live" },
    { path: "price", message: "Must be at least 0" },
    { path: "plays", message: "Must be at most 32767" },
  ]);
  const judged = await admin.post("/album", {
    title: "x",
    artistId: artist,
    state: "live",
    plays: 13,
  });
  expect(judged.status, judged.text).toBe(422);
  const raised = await admin.post("/artist", { name: "Silence" });
  expect({ status: raised.status, text: raised.text }).toEqual({
    status: 422,
    text: expect.stringContaining("this name is no artist"),
  });
  const taken = await admin.post<Row>("/album", {
    title: "Let There Be Rock",
    artistId: artist,
    state: "live",
  });
  expect(taken.body.issues).toMatchObject([{ path: "title" }]);
});

test("no column, constraint, index or default of theirs has changed", async () => {
  const rows = await app.db.query<{ sql: string }>(
    `select tgrelid::regclass || ' ' || tgname as sql from pg_trigger where not tgisinternal and tgrelid in ('"Artist"'::regclass, '"Album"'::regclass) order by 1`,
  );
  expect(rows.map(({ sql }) => sql)).toEqual([
    '"Album" tally_delete',
    '"Album" tally_insert',
    '"Album" tally_moves',
    '"Album" tally_truncate',
    '"Album" tally_update',
    '"Artist" artist',
    '"Artist" tally_delete',
    '"Artist" tally_insert',
    '"Artist" tally_moves',
    '"Artist" tally_truncate',
    '"Artist" tally_update',
  ]);
});

test("keys that the database does not make are sent, and defaults of columns are left to it", async () => {
  const { status, body, text } = await admin.post<Row>("/counters", { id: "17" });
  expect(status, text).toBe(201);
  expect(body).toEqual({ id: "17", value: 3, createdAt: null, updatedAt: null });
  expect((await admin.get("/counters/17")).status).toBe(200);
});
