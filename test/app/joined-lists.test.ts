import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

const filmsSql = `
create table actor (actor_id smallserial primary key, name varchar(40) not null);
create table film (film_id serial primary key, title varchar(40) not null);
create table film_actor (
  actor_id smallint not null references actor on delete cascade,
  film_id integer not null references film,
  last_update timestamp not null default now(),
  primary key (film_id, actor_id)
);
create index on film_actor (actor_id);
create table tag (slug varchar(20) primary key);
create table actor_tag (actor integer references actor, tag varchar(20) references tag, primary key (actor, tag));
create table film_price (film_id integer references film, actor_id integer references actor, price integer, primary key (film_id, actor_id));
create table ball (id integer primary key);
create table box (id integer primary key);
create table box_ball (box integer references box, ball integer references ball, primary key (box, ball));
create schema club;
create table club.fan ("Id" uuid primary key default gen_random_uuid(), name varchar(20) not null);
create table club."Fan Actor" (
  fan uuid references club.fan on delete cascade, actor integer references actor on delete cascade,
  primary key (fan, actor)
);
insert into actor (name) values ('Ann'), ('Bob'), ('Cid');
insert into film (title) values ('One'), ('Two'), ('Three');
insert into film_actor (film_id, actor_id) values (1, 2), (1, 1), (2, 2);
insert into tag values ('b'), ('a');
insert into actor_tag values (1, 'b'), (1, 'a');
insert into ball select generate_series(1, 1001);
insert into box values (1);
insert into box_ball select 1, id from ball;
insert into club.fan (name) values ('Dan'), ('Eve');
insert into club."Fan Actor" select "Id", 2 from club.fan where name = 'Eve';
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
let files: Awaited<ReturnType<typeof adoptedFiles>>;

beforeAll(async () => {
  database = await emptyDatabase();
  files = await adoptedFiles(database.url, filmsSql, {
    schemas: ["public", "club"],
    timezone: "UTC",
  });
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

async function found(query: string, resource = "film"): Promise<readonly unknown[]> {
  const { status, body, text } = await admin.list(`/${resource}?sort=id&${query}`);
  expect([query, status, text]).toEqual([query, 200, text]);
  return body.data.map(({ id }) => id);
}

const where = (condition: object) => `where=${encodeURIComponent(JSON.stringify(condition))}`;

test("a table that only links two others becomes a list of the first", () => {
  const fields = (name: string) => {
    const text = files.descriptors.get(`${name}.yaml`) ?? "";
    return text.slice(text.indexOf("fields:"));
  };
  expect([...files.descriptors.keys()]).toEqual([
    ...["fan.yaml", "actor.yaml", "ball.yaml", "box.yaml", "film.yaml", "tag.yaml"],
  ]);
  expect(fields("fan")).toBe(`fields:
  name: { type: string, maxLength: 20, required: true }
  actorIds: { type: links, resource: actor, through: { table: club.Fan Actor, record: fan, target: actor }, inverse: fan, maxItems: 1000 }
`);
  expect(fields("film")).toBe(`fields:
  title: { type: string, maxLength: 40, required: true }
  actorIds: { type: links, resource: actor, through: { table: film_actor, record: film_id, target: actor_id }, inverse: film, maxItems: 1000 }
`);
  expect(fields("actor")).toBe(`fields:
  name: { type: string, maxLength: 40, required: true }
  tagIds: { type: links, resource: tag, through: { table: actor_tag, record: actor, target: tag }, inverse: actor, onDelete: refuse, maxItems: 1000 }
`);
  expect(files.report.filter(({ kind }) => kind === "composite-key")).toMatchObject([
    { table: "club.Fan Actor", taken: true },
    {
      table: "public.actor_tag",
      taken: true,
      why: "its rows are links of actor to tag, a list of actor",
    },
    { table: "public.box_ball", taken: false },
    { table: "public.film_actor", taken: true },
    { table: "public.film_price", taken: false },
  ]);
});

test("records show the ids in order, and the records on both sides", async () => {
  const { body } = await admin.list("/film?sort=id");
  expect(body.data.map(({ actorIds }) => actorIds)).toEqual([["1", "2"], ["2"], []]);
  const film = await admin.get<Row>("/film/1?include=actors");
  expect(film.body.actors).toMatchObject({
    data: [{ id: "1", tagIds: ["a", "b"] }, { id: "2" }],
  });
  const actor = await admin.get<Row>("/actor/2?include=film");
  expect(actor.body.film).toMatchObject({ data: [{ id: "1" }, { id: "2" }] });
  const tag = await admin.get<Row>("/tag/a?include=actor");
  expect(tag.body.actor).toMatchObject({ data: [{ name: "Ann" }] });
  const fans = await admin.list("/fan?sort=name&include=actors");
  expect(fans.body.data).toMatchObject([
    { actorIds: [], actors: { data: [] } },
    { actorIds: ["2"], actors: { data: [{ name: "Bob" }] } },
  ]);
  const liked = await admin.get<Row>("/actor/2?include=fan");
  expect(liked.body.fan).toMatchObject({ data: [{ name: "Eve" }] });
});

test("lists are filtered, grouped and counted by the ids", async () => {
  expect(await found("filter[actorIds]=2")).toEqual(["1", "2"]);
  expect(await found("filter[actorIds]=1")).toEqual(["1"]);
  expect(await found("filter[actorIds][in]=1,3")).toEqual(["1"]);
  expect(await found("filter[actorIds][all]=1,2")).toEqual(["1"]);
  expect(await found("filter[actorIds]=99999")).toEqual([]);
  expect(await found("filter[actorIds]=")).toEqual(["3"]);
  expect(await found(where({ actors: { some: { name: "Bob" } } }))).toEqual(["1", "2"]);
  expect(await found(where({ film: { some: { title: "Two" } } }), "actor")).toEqual(["2"]);
  expect(await found(where({ tagIds: "a" }), "actor")).toEqual(["1"]);
  expect((await admin.get("/film?filter[actorIds]=x")).status).toBe(400);
  const { body } = await admin.list("/fan?filter[actorIds]=2");
  expect(body.data).toMatchObject([{ name: "Eve" }]);
  const none = where({ fan: { none: {} } });
  expect(await found(none, "actor")).toEqual(["1", "3"]);
  const groups = await admin.get<{ data: readonly unknown[] }>(
    "/film/_aggregate?by=actorIds&include=actors",
  );
  expect(groups.status, groups.text).toBe(200);
  expect(groups.body.data).toMatchObject([
    { by: { actorIds: "1" }, count: 1 },
    { by: { actorIds: "2" }, count: 2 },
    { by: { actorIds: null }, count: 1 },
  ]);
});

test("links of the other program count at once", async () => {
  await app.db.query("insert into film_actor (film_id, actor_id) values (3, 3)");
  expect((await admin.get<Row>("/film/3")).body.actorIds).toEqual(["3"]);
  const patch = await admin.patch<Row>("/film/3", { title: "Third" });
  expect([patch.status, patch.body.actorIds]).toEqual([200, ["3"]]);
  const kept = await admin.delete("/film/3");
  expect([kept.status, kept.text]).toEqual([409, expect.stringContaining("1 row of film_actor")]);
  expect((await admin.delete("/actor/3")).status).toBe(204);
  expect((await admin.get<Row>("/film/3")).body.actorIds).toEqual([]);
  expect((await admin.post<Row>("/film", { title: "New" })).body.actorIds).toEqual([]);
});

test("a list that is read-only is refused in writes", async () => {
  const role = `reader_${Math.random().toString(36).slice(2, 10)}`;
  const other = await emptyDatabase();
  const setUp = `
    create role ${role} login password 'x';
    create table film (id integer primary key);
    create table tag (id integer primary key);
    create table film_tag (film_id integer references film, tag_id integer references tag, primary key (film_id, tag_id));
    grant select, insert, update, delete on film, tag to ${role};
    grant select on film_tag to ${role};
    grant create on database "${new URL(other.url).pathname.slice(1)}" to ${role};
  `;
  const url = new URL(other.url);
  Object.assign(url, { username: role, password: "x" });
  await run(other.url, setUp);
  const found = await adoptedFiles(url.href, "select", { triggers: false });
  expect(found.descriptors.get("film.yaml")).toContain("maxItems: 1000, readOnly: true }");
  expect(found.report.filter(({ kind }) => kind === "composite-key")).toMatchObject([
    {
      taken: "read-only",
      why: "its rows are links of film to tag, read-only in the API: the connected role lacks permission to insert or delete",
      way: `grant insert, delete on public.film_tag to the role in database.url, and remove readOnly from the list`,
    },
  ]);
  const reading = await startWrittenApp({ ...found, databaseUrl: other.url });
  try {
    const { client } = await reading.caller("admin");
    const made = await client.post<Row>("/film", { id: "1", tagIds: [] });
    expect([made.status, made.body.issues]).toEqual([
      422,
      [{ path: "tagIds", message: "Read-only" }],
    ]);
  } finally {
    await reading.close();
    await run(other.url, `drop owned by ${role}; drop role ${role}`);
    await other.drop();
  }
});

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
