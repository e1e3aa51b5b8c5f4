import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

// Clocks in Oslo skipped 02:00 to 03:00 on 2026-03-29, and showed it twice on 2026-10-25.
const visitsSql = `
do $$ begin execute format('alter database %I set timezone to ''America/New_York''', current_database()); end $$;
create table places (id serial primary key, name varchar(40) not null, opened timestamp);
create table visits (
  id serial primary key,
  place integer not null references places,
  starts timestamp not null unique,
  ends timestamp(0),
  created_at timestamp not null,
  updated_at timestamp not null
);
insert into places (name, opened) values ('Bar', '2026-01-01 00:00'), ('Inn', '2026-06-01 00:00');
insert into visits (place, starts, ends, created_at, updated_at) values
  (1, '2026-07-01 12:00:00.123456', null, '2026-07-01 12:00', '2026-07-01 12:00'),
  (2, '2026-01-01 12:00', '2026-01-01 13:00', '2026-01-01 12:00', '2026-01-01 12:00'),
  (1, '2026-03-29 02:30', null, '2026-03-29 02:30', '2026-03-29 02:30'),
  (2, '2026-10-25 02:30', null, '2026-10-25 02:30', '2026-10-25 02:30');
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
let descriptor: string;
let report: Awaited<ReturnType<typeof adoptedFiles>>["report"];

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, visitsSql, { timezone: "Europe/Oslo" });
  descriptor = files.descriptors.get("visits.yaml") ?? "";
  ({ report } = files);
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

async function stored(id: string): Promise<Readonly<Record<string, unknown>>> {
  const [row] = await app.db.query<Record<string, unknown>>(
    `select starts::text as starts, ends::text as ends, created_at::text as created,
       updated_at::text as updated from visits where id = $1`,
    [Number(id)],
  );
  return row ?? {};
}

async function found(query: string): Promise<readonly unknown[]> {
  const { status, body, text } = await admin.list(`/visits?${query}`);
  expect([query, status, text]).toEqual([query, 200, text]);
  return body.data.map(({ id }) => id);
}

test("columns without a time zone become timestamps with one", () => {
  expect(descriptor.slice(descriptor.indexOf("id:"))).toBe(`id: { column: id, type: integer }
createdAt: { column: created_at, timezone: Europe/Oslo }
updatedAt: { column: updated_at, timezone: Europe/Oslo }
access: { read: [admin], write: [admin] }
fields:
  # place: the link has no index; create index concurrently on public.visits (place)
  place: { type: belongsTo, resource: places, required: true, inverse: visits }
  starts: { type: timestamp, timezone: Europe/Oslo, required: true, unique: true }
  ends: { type: timestamp, timezone: Europe/Oslo }
`);
  expect(report).toContainEqual({
    ...{ table: "public.visits", column: "created_at", kind: "index", taken: true },
    why: "lists sort by this column as times with a zone, and that expression has no index",
    way: "create index concurrently on public.visits ((created_at at time zone 'Europe/Oslo'))",
  });
});

test("records show the moments of the zone, whatever the time zone of the session", async () => {
  const { body } = await admin.list("/visits?sort=id");
  expect(body.data).toMatchObject([
    { starts: "2026-07-01T10:00:00.123Z", ends: null, createdAt: "2026-07-01T10:00:00.000Z" },
    { starts: "2026-01-01T11:00:00.000Z", ends: "2026-01-01T12:00:00.000Z" },
    { starts: "2026-03-29T01:30:00.000Z", updatedAt: "2026-03-29T01:30:00.000Z" },
    { starts: "2026-10-25T01:30:00.000Z" },
  ]);
});

test("lists are sorted, filtered and continued by the moments", async () => {
  expect(await found("")).toEqual(["4", "1", "3", "2"]);
  expect(await found("sort=starts")).toEqual(["2", "3", "1", "4"]);
  expect(await found("sort=-placeRecord.opened,-starts")).toEqual(["4", "2", "1", "3"]);
  expect(await found("filter[starts]=2026-01-01T12:00:00%2B01:00")).toEqual(["2"]);
  expect(await found("filter[starts]=2026-07-01T10:00:00.123Z")).toEqual([]);
  expect(await found("filter[starts][gt]=2026-07-01T10:00:00.123Z&sort=id")).toEqual(["1", "4"]);
  expect(await found("filter[createdAt][lte]=2026-03-29T01:30:00Z&sort=id")).toEqual(["2", "3"]);
  const where = encodeURIComponent('{"placeRecord":{"opened":{"gte":"2026-05-31T22:00:00Z"}}}');
  expect(await found(`where=${where}&sort=id`)).toEqual(["2", "4"]);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null && seen.length < 9; ) {
    const { body }: { body: { data: readonly Row[]; meta: { next: string | null } } } =
      await admin.get(`/visits?perPage=1&cursor=${encodeURIComponent(cursor)}`);
    seen.push(...body.data.map(({ id }) => id));
    cursor = body.meta.next;
  }
  expect(seen).toEqual(["4", "1", "3", "2"]);
});

test("groups, extremes and statistics are those of the moments", async () => {
  const { body } = await admin.get<{ data: readonly unknown[] }>(
    "/visits/_aggregate?min=starts&max=createdAt",
  );
  expect(body.data).toMatchObject([
    { min: { starts: "2026-01-01T11:00:00.000Z" }, max: { createdAt: "2026-10-25T01:30:00.000Z" } },
  ]);
  const months = await admin.get<{ data: readonly unknown[] }>(
    "/visits/_aggregate?by=starts:day&timezone=Asia/Tokyo&perPage=1",
  );
  expect(months.body.data).toMatchObject([{ by: { starts: "2026-01-01" }, count: 1 }]);
  for (const query of ["", "series=day", "at=starts&series=week"]) {
    expect((await admin.get(`/visits/_stats?${query}`)).status).toBe(200);
  }
  expect((await admin.get("/places/1?include=visits")).status).toBe(200);
});

test("writes store the local time, and the app sets the record's own times", async () => {
  const before = Date.now();
  const made = await admin.post<Row>("/visits", {
    ...{ place: "1", starts: "2026-08-01T10:00:00Z", ends: "2026-08-01T12:30:00+02:00" },
  });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    starts: "2026-08-01T10:00:00.000Z",
    ends: "2026-08-01T10:30:00.000Z",
    updatedAt: made.body.createdAt,
  });
  expect(Date.parse(String(made.body.createdAt))).toBeGreaterThan(before - 5_000);
  const { id } = made.body;
  expect(await stored(id)).toMatchObject({
    starts: "2026-08-01 12:00:00",
    ends: "2026-08-01 12:30:00",
  });
  const patch = await admin.patch<Row>(`/visits/${id}`, { starts: "2026-12-01T10:00:00Z" });
  expect([patch.status, patch.body.starts]).toEqual([200, "2026-12-01T10:00:00.000Z"]);
  expect(String(patch.body.updatedAt) > String(made.body.updatedAt)).toBe(true);
  const put = await admin.put<Row>(`/visits/${id}`, { place: "2", starts: "2026-12-02T10:00:00Z" });
  expect([put.status, put.body.ends]).toEqual([200, null]);
  expect(await stored(id)).toMatchObject({ starts: "2026-12-02 11:00:00", ends: null });
  expect((await admin.delete(`/visits/${id}`)).status).toBe(204);
});

test("a time that is sent as it is shown stays, in a gap of the clock and to the microsecond", async () => {
  for (const id of ["1", "3", "4"]) {
    const before = await stored(id);
    const { body } = await admin.get<Row>(`/visits/${id}`);
    expect((await admin.put(`/visits/${id}`, body)).status).toBe(200);
    expect((await admin.patch(`/visits/${id}`, { starts: body.starts })).status).toBe(200);
    expect((await stored(id)).starts).toBe(before.starts);
  }
  expect((await stored("3")).starts).toBe("2026-03-29 02:30:00");
});

test("a time that would come back as another is refused", async () => {
  const issues = [
    {
      path: "ends",
      message: "Must not be a time that clocks in Europe/Oslo show twice",
    },
  ];
  const ends = "2026-10-25T00:30:00Z";
  const patch = await admin.patch<Row>("/visits/1", { ends });
  expect([patch.status, patch.body.issues]).toEqual([422, issues]);
  const post = await admin.post<Row>("/visits", {
    place: "1",
    starts: "2026-01-02T00:00:00Z",
    ends,
  });
  expect([post.status, post.body.issues]).toEqual([422, issues]);
  const later = await admin.patch<Row>("/visits/1", { ends: "2026-10-25T01:30:00Z" });
  expect([later.status, later.body.ends]).toEqual([200, "2026-10-25T01:30:00.000Z"]);
});

test("a time that another record has is refused at its field", async () => {
  const { status, body } = await admin.post<Row>("/visits", {
    ...{ place: "1", starts: "2026-01-01T11:00:00Z" },
  });
  expect([status, body.issues]).toEqual([
    422,
    [{ path: "starts", message: "Another record has this value" }],
  ]);
});

test("many at once, and an import of an export, store the same", async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      admin.post<Row>("/visits", {
        place: "1",
        starts: `2026-02-${at + 1}T10:00:00Z`.replace(/-(\d)T/, "-0$1T"),
      }),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  const texts = await app.db.query<{ starts: string }>(
    "select starts::text as starts from visits where starts between '2026-02-01' and '2026-02-28' order by 1",
  );
  expect(texts.map(({ starts }) => starts.slice(11))).toEqual(made.map(() => "11:00:00"));
});
