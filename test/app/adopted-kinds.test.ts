import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

const peopleSql = `
create extension citext;
create schema kinds;
create type kinds.mood as enum ('sad', 'ok', 'it''s fine');
create domain rank as smallint check (value > 0);
create domain short as varchar(10);
create table people (
  login varchar(12) primary key,
  email varchar(255) not null unique,
  code char(4) unique,
  nick citext unique,
  mood kinds.mood not null default 'ok',
  rank rank unique,
  short short,
  reference uuid unique,
  tags text[],
  words varchar(20)[] not null default '{a}',
  numbers smallint[],
  moods kinds.mood[],
  chief varchar(12) references people,
  unique (mood, short)
);
insert into people (login, email, code, nick, rank, reference) values
  ('ann', 'ann@example.com', 'A', 'Annie', 1, '00000000-0000-4000-8000-00000000000a');
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
let descriptor: string;

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, peopleSql);
  descriptor = files.descriptors.get("people.yaml") ?? "";
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

test("keys, enums, UUIDs, domains and unique texts of any type become fields that are written", () => {
  expect(
    descriptor.slice(descriptor.indexOf("id:")),
  ).toBe(`id: { column: login, type: string, given: true }
createdAt: none
updatedAt: none
access: { read: [admin], write: [admin] }
fields:
  email: { type: string, maxLength: 255, required: true, unique: true }
  code: { type: string, maxLength: 4, unique: true }
  nick: { type: string, unique: true }
  mood: { type: enum, values: [sad, ok, it's fine], required: true, columnDefault: true }
  rank: { type: number, integer: true, min: -32768, max: 32767, unique: true }
  short: { type: string, maxLength: 10 }
  reference: { type: string, maxLength: 36, pattern: "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", patternHint: Must be a UUID, unique: true }
  tags: { type: string, list: true, maxItems: 200 }
  words: { type: string, maxLength: 20, list: true, maxItems: 200, columnDefault: true }
  numbers: { type: number, integer: true, min: -32768, max: 32767, list: true, maxItems: 200 }
  moods: { type: enum, values: [sad, ok, it's fine], list: true, maxItems: 200 }
  # chief: the link has no index; create index concurrently on public.people (chief)
  chief: { type: belongsTo, resource: people, onDelete: refuse, inverse: people }
unique: [[mood, short]]
`);
});

test("each is created, changed, replaced and found", async () => {
  const values = { email: "bob@example.com", code: "B", nick: "Bob", rank: 2, short: "b" };
  const reference = "00000000-0000-4000-8000-00000000000B";
  const made = await admin.post<Row>("/people", {
    ...{ id: "bob", ...values, mood: "it's fine", reference, chief: "ann" },
  });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    ...values,
    mood: "it's fine",
    reference: reference.toLowerCase(),
  });
  const patch = await admin.patch<Row>("/people/bob", {
    mood: "sad",
    code: "BB",
    rank: 3,
    chief: null,
  });
  expect([patch.status, patch.body]).toEqual([
    200,
    expect.objectContaining({ mood: "sad", code: "BB", rank: 3, chief: null }),
  ]);
  const put = await admin.put<Row>("/people/bob", {
    ...values,
    mood: "ok",
    reference,
    chief: "ann",
  });
  expect([put.status, put.text]).toEqual([200, put.text]);
  const found = async (query: string) => {
    const { status, body, text } = await admin.list(`/people?${query}`);
    expect([query, status, text]).toEqual([query, 200, text]);
    return body.data.map(({ id }) => id);
  };
  expect(await found("filter[nick]=BOB")).toEqual(["bob"]);
  expect(await found("filter[code]=B")).toEqual(["bob"]);
  expect(await found("filter[reference]=no-uuid")).toEqual([]);
  expect(await found(`filter[reference]=${reference}`)).toEqual(["bob"]);
  expect(await found("filter[reference][in]=x,00000000-0000-4000-8000-00000000000a")).toEqual([
    "ann",
  ]);
  expect(await found("filter[reference][contains]=00b")).toEqual(["bob"]);
  expect(await found("filter[chief]=ann")).toEqual(["bob"]);
  expect(await found("q=00b")).toEqual(["bob"]);
  expect(await found("sort=-reference&filter[mood][in]=ok,sad")).toEqual(["bob", "ann"]);
  expect(
    (await admin.get("/people/_aggregate?by=reference,mood&distinct=reference,code")).status,
  ).toBe(200);
});

test("arrays are lists, and none is the empty list", async () => {
  await app.db.query("update people set tags = null, numbers = '{1,null}' where login = 'ann'");
  const found = async (query: string) => {
    const { status, body, text } = await admin.list(`/people?perPage=100&${query}`);
    expect([query, status, text]).toEqual([query, 200, text]);
    return body.data.map(({ id }) => id);
  };
  const ann = await admin.get<Row>("/people/ann");
  expect(ann.body).toMatchObject({ tags: [], words: ["a"], numbers: [1, null], moods: [] });
  const lists = { tags: ["x", "y"], words: ["b"], numbers: [7, -7], moods: ["it's fine", "ok"] };
  const made = await admin.post<Row>("/people", { id: "lis", email: "lis@example.com", ...lists });
  expect([made.status, made.text]).toEqual([201, made.text]);
  expect(made.body).toMatchObject(lists);
  const added = await admin.patch<Row>("/people/ann", { tags: { add: ["z"] }, moods: ["sad"] });
  expect(added.body).toMatchObject({ tags: ["z"], moods: ["sad"] });
  expect(await found("filter[tags][has]=x")).toEqual(["lis"]);
  expect(await found("filter[words][hasAny]=b,c")).toEqual(["lis"]);
  expect(await found("filter[numbers][has]=7")).toEqual(["lis"]);
  expect(await found("filter[numbers][has]=70000")).toEqual([]);
  expect(await found("filter[numbers][hasAny]=70000,1")).toEqual(["ann"]);
  expect(await found("filter[moods][has]=ok")).toEqual(["lis"]);
  expect(await found("filter[tags]=")).toEqual(["bob"]);
  expect((await admin.list("/people?q=zz")).status).toBe(200);
});

test("values that another record has are refused at the field", async () => {
  const taken = async (values: object) => {
    const { status, body } = await admin.post<Row>("/people", {
      ...{ id: "new", email: "new@example.com", ...values },
    });
    return [status, body.issues];
  };
  const another = [{ path: expect.any(String), message: "Another record has this value" }];
  expect(await taken({ email: "ann@example.com" })).toEqual([422, another]);
  expect(await taken({ code: "A" })).toEqual([422, another]);
  expect(await taken({ nick: "ANNIE" })).toEqual([422, another]);
  expect(await taken({ rank: 1 })).toEqual([422, another]);
  expect(await taken({ reference: "00000000-0000-4000-8000-00000000000A" })).toEqual([
    422,
    another,
  ]);
  expect((await taken({ reference: "x" }))[0]).toBe(422);
  expect((await taken({ mood: "happy" }))[0]).toBe(422);
  expect((await taken({ rank: 0 }))[0]).toBeLessThan(500);
  expect((await taken({ chief: "no such id" }))[0]).toBe(422);
  expect((await taken({ id: "ann" }))[0]).toBe(422);
});

test("a record that an optional link leads to is not deleted", async () => {
  const { status, text } = await admin.delete("/people/ann");
  expect([status, text]).toEqual([409, expect.stringContaining("1 person")]);
});

test("many at once are stored as one by one", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      admin.post<Row>("/people", {
        ...{ id: `many${at}`, email: `many${at}@example.com`, mood: at % 2 === 0 ? "ok" : "sad" },
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  const changes = await Promise.all(
    answers.map(({ body }, at) => admin.patch<Row>(`/people/${body.id}`, { nick: `N${at}` })),
  );
  expect(changes.map(({ body }) => body.nick)).toEqual(changes.map((_, at) => `N${at}`));
});
