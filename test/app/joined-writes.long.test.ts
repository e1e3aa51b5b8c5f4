import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { importLines } from "../support/apps/imported.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Json, Row } from "../support/http/client.js";

const sql = `
create table actor (actor_id smallserial primary key, name varchar(40) not null unique);
create table film (
  film_id serial primary key, title varchar(40) not null unique, last_update timestamptz not null default now()
);
create table film_actor (
  film_id integer not null references film on delete cascade,
  actor_id smallint not null references actor,
  last_update timestamptz not null default '2020-01-01',
  primary key (film_id, actor_id),
  constraint no_ninth check (actor_id <> 9),
  constraint "tenth once" exclude (actor_id with =) where (actor_id = 10)
);
create unique index one_eighth on film_actor (actor_id) where actor_id = 8;
create function guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.actor_id = 6 then return null; end if;
    return old;
  end if;
  if new.actor_id = 7 then raise exception 'The seventh is ill'; end if;
  if new.actor_id = 5 then return null; end if;
  return new;
end $$;
create trigger guard before insert or delete on film_actor for each row execute function guard();
create table tag (slug varchar(20) primary key);
create table actor_tag (
  actor integer references actor on delete cascade, tag varchar(20) references tag on delete cascade,
  primary key (actor, tag)
);
insert into actor (name) select 'Actor ' || n from generate_series(1, 60) as n;
insert into tag values ('b'), ('a'), ('c');
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
let clerk: Client;
const seen: unknown[] = [];

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, sql);
  const rules = "access: { read: [admin], write: [admin] }";
  const descriptors = new Map(
    [...files.descriptors].map(([name, text]) => [
      name,
      name === "actor.yaml"
        ? text.replace(
            rules,
            `access: { read: [admin, { who: signed-in, where: { name: { in: [Actor 1, Actor 2] } } }], write: [admin] }`,
          )
        : text.replace(rules, "access: { read: signed-in, write: signed-in }"),
    ]),
  );
  app = await startWrittenApp({
    ...files,
    descriptors,
    databaseUrl: database.url,
    options: {
      hooks: {
        film: {
          beforeUpdate: (values: { title?: string; actorIds?: readonly string[] }) => {
            seen.push(values.actorIds);
            return values.title === "Crowded" ? { ...values, actorIds: ["1", "2", "3"] } : values;
          },
        },
      },
    } as never,
  });
  ({ client: admin } = await app.caller("admin"));
  ({ client: clerk } = await app.caller("clerk"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

let titles = 0;
async function film(actorIds: readonly string[] = []): Promise<string> {
  titles += 1;
  const { status, text, body } = await admin.post<Row>("/film", {
    title: `Film ${titles}`,
    actorIds,
  });
  expect([status, text]).toEqual([201, text]);
  expect(body.actorIds).toEqual([...actorIds].sort((one, other) => Number(one) - Number(other)));
  return body.id;
}

async function listed(id: string): Promise<Json | undefined> {
  return (await admin.get<Row>(`/film/${id}`)).body.actorIds;
}

test("writes set the whole list, and keep the rows of links that stay", async () => {
  const id = await film(["3", "1"]);
  await app.db.query("update film_actor set last_update = '2019-01-01' where actor_id = 3");
  const before = await admin.get<Row>(`/film/${id}`);
  const patched = await admin.patch<Row>(`/film/${id}`, { actorIds: ["4", "3"] });
  expect([patched.status, patched.body.actorIds]).toEqual([200, ["3", "4"]]);
  expect(patched.headers.etag).not.toBe(before.headers.etag);
  expect(String(patched.body.updatedAt) > String(before.body.updatedAt)).toBe(true);
  const rows = await app.db.query(
    "select actor_id, last_update::date::text as at from film_actor where film_id = $1 order by 1",
    [id],
  );
  expect(rows).toEqual([
    { actor_id: 3, at: "2019-01-01" },
    { actor_id: 4, at: "2020-01-01" },
  ]);
  const put = await admin.put<Row>(`/film/${id}`, { title: `Put ${id}`, actorIds: ["2"] });
  expect([put.status, put.body.actorIds]).toEqual([200, ["2"]]);
  const emptied = await admin.put<Row>(`/film/${id}`, { title: `Put ${id}` });
  expect([emptied.status, emptied.body.actorIds]).toEqual([200, []]);
});

test("an empty PATCH changes nothing", async () => {
  const id = await film(["1"]);
  const before = await admin.get<Row>(`/film/${id}`);
  const patched = await admin.patch<Row>(`/film/${id}`, {});
  expect([patched.status, patched.body]).toEqual([200, before.body]);
  expect(patched.headers.etag).toBe(before.headers.etag);
});

test("changes add and remove, and hooks get the resulting list", async () => {
  const id = await film(["1", "2"]);
  seen.length = 0;
  const changed = await admin.patch<Row>(`/film/${id}`, {
    actorIds: { add: ["11", "2"], remove: ["1", "12"] },
  });
  expect([changed.status, changed.body.actorIds]).toEqual([200, ["2", "11"]]);
  expect(seen).toEqual([["2", "11"]]);
  const byHook = await admin.patch<Row>(`/film/${id}`, { title: "Crowded" });
  expect([byHook.status, byHook.body.actorIds]).toEqual([200, ["1", "2", "3"]]);
  const old = await admin.send("PATCH", `/film/${id}`, {
    text: JSON.stringify({ actorIds: [] }),
    headers: { "if-match": changed.headers.etag },
  });
  expect(old.status).toBe(412);
  expect(await listed(id)).toEqual(["1", "2", "3"]);
});

test("mistakes are 422 at their places, and change nothing", async () => {
  const id = await film(["1"]);
  const issues = async (values: Json) => {
    const { status, body } = await admin.patch<Row>(`/film/${id}`, values);
    const found = body.issues as readonly { path: string; message: string }[] | undefined;
    return [status, ...(found ?? []).map(({ path, message }) => `${path}: ${message}`)];
  };
  expect(await issues({ actorIds: ["1", "999", "x", "1"] })).toEqual([
    422,
    "actorIds.2: Must be the id of a record",
    "actorIds.3: Is in the list already",
  ]);
  expect(await issues({ actorIds: ["2", "40000", "9999999999"] })).toEqual([
    422,
    "actorIds.1: No such record",
    "actorIds.2: No such record",
  ]);
  expect(await issues({ actorIds: { add: ["2", "998"] } })).toEqual([
    422,
    "actorIds.add.1: No such record",
  ]);
  expect(await issues({ actorIds: null })).toMatchObject([422, expect.any(String)]);
  const many = Array.from({ length: 1001 }, (_, at) => String(at + 1));
  expect(await issues({ actorIds: many })).toEqual([422, "actorIds: At most 1000 records"]);
  expect(await listed(id)).toEqual(["1"]);
  const made = await admin.post<Row>("/film", { title: "Never", actorIds: ["1", "997"] });
  expect([made.status, made.body.issues]).toEqual([
    422,
    [{ path: "actorIds.1", message: "No such record" }],
  ]);
  expect((await admin.list("/film?filter[title]=Never")).body.data).toEqual([]);
});

test("refusals of the table with the links are answers", async () => {
  const id = await film(["1"]);
  const refused = async (...ids: readonly string[]) => {
    const { status, body } = await admin.patch<Row>(`/film/${id}`, { actorIds: { add: ids } });
    return [status, body.issues ?? body.error];
  };
  expect(await refused("9")).toEqual([
    422,
    [{ path: "actorIds", message: 'The value violates the check constraint "no_ninth"' }],
  ]);
  await film(["8", "10"]);
  expect(await refused("8")).toMatchObject([422, [{ path: "actorIds" }]]);
  expect(await refused("10")).toMatchObject([409, expect.stringContaining("tenth once")]);
  expect(await refused("7")).toEqual([422, "The seventh is ill"]);
  expect(await refused("2", "5")).toEqual([
    409,
    'A trigger of the table "film_actor" dropped the change of a link',
  ]);
  const kept = await film(["6"]);
  const emptied = await admin.patch<Row>(`/film/${kept}`, { actorIds: [] });
  expect(emptied.status).toBe(409);
  expect([await listed(id), await listed(kept)]).toEqual([["1"], ["6"]]);
});

test("concurrent changes all hold, also those of the other program", async () => {
  const id = await film(["1", "2"]);
  const ids = Array.from({ length: 20 }, (_, at) => String(at + 20));
  const theirs = Array.from({ length: 10 }, (_, at) => String(at + 40));
  const write = async () => {
    for (const one of theirs) {
      const values = [id, Number(one)];
      await app.db.query("insert into film_actor (film_id, actor_id) values ($1, $2)", values);
    }
  };
  const [answers] = await Promise.all([
    Promise.all([
      ...ids.map((one) => admin.patch(`/film/${id}`, { actorIds: { add: [one] } })),
      admin.patch(`/film/${id}`, { actorIds: { remove: ["2"] } }),
    ]),
    write(),
  ]);
  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  expect(await listed(id)).toEqual(["1", ...ids, ...theirs]);
});

test("callers link only to records that they may get, and keep the others", async () => {
  const id = await film(["1", "3"]);
  const refused = await clerk.patch<Row>(`/film/${id}`, { actorIds: ["1", "3", "2", "4"] });
  expect([refused.status, refused.body.issues]).toEqual([
    422,
    [{ path: "actorIds.3", message: "No such record" }],
  ]);
  const changed = await clerk.patch<Row>(`/film/${id}`, { actorIds: ["2", "3"] });
  expect([changed.status, changed.body.actorIds]).toEqual([200, ["2", "3"]]);
  const made = await clerk.post<Row>("/film", { title: "Of a clerk", actorIds: ["4"] });
  expect(made.status).toBe(422);
});

test("batches write lists, with the records that they create", async () => {
  const id = await film();
  const operations = [
    { create: "tag", values: { id: "new" } },
    { create: "actor", values: { name: "New", tagIds: ["a", { ref: 0 }] } },
    { update: "film", id, values: { actorIds: { add: [{ ref: 1 }, "1"] } } },
  ];
  const done = await admin.post("/_service/batch", { operations });
  expect([done.status, done.text]).toEqual([200, done.text]);
  const [actor] = (await admin.list("/actor?filter[name]=New")).body.data;
  expect(actor?.tagIds).toEqual(["a", "new"]);
  expect(await listed(id)).toEqual(["1", String(actor?.id)]);
  const wrong = await admin.post<Row>("/_service/batch", {
    operations: [
      { update: "film", id, values: { actorIds: [] } },
      { update: "film", id, values: { actorIds: ["996"] } },
    ],
  });
  expect(wrong.status).toBe(422);
  expect(await listed(id)).toEqual(["1", String(actor?.id)]);
});

test("app code and imports write lists", async () => {
  const resource = (app.app.resources as unknown as Record<string, AppFilms>).film;
  const made = await resource?.create({ title: "Of code", actorIds: ["2", "1"] });
  expect(made?.actorIds).toEqual(["1", "2"]);
  const changed = await resource?.update(made?.id ?? "", { actorIds: { add: ["3"] } });
  expect(changed?.actorIds).toEqual(["1", "2", "3"]);
  const imported = (text: string, more: object = {}) =>
    importLines(app, { resource: "film", text, more });
  expect(await imported("title,actorIds\nFile 1,2|1\nFile 2,\nFile 3,995\n")).toMatchObject({
    result: { created: 0, refused: 1, errors: [{ row: 3, message: expect.any(String) }] },
  });
  expect(await imported("title,actorIds\nFile 1,2|1\nFile 2,\n")).toMatchObject({
    result: { created: 2, refused: 0 },
  });
  const again = await imported("title,actorIds\nFile 1,3\nFile 2,1|2\n", { upsert: "title" });
  expect(again).toMatchObject({ result: { updated: 2, refused: 0 } });
  const named = await imported("title,actorIds\nFile 4,Actor 2|Actor 1\n", {
    link: { actorIds: "name" },
  });
  expect(named).toMatchObject({ result: { created: 1, refused: 0 } });
  const { body } = await admin.list("/film?sort=title&filter[title][starts]=File");
  expect(body.data.map(({ actorIds }) => actorIds)).toEqual([["3"], ["1", "2"], ["1", "2"]]);
  const lines = '{"title":"File 1","actorIds":["4"]}\n{"title":"File 5","actorIds":["1"]}\n';
  const json = await imported(lines, { upsert: "title", format: "ndjson" });
  expect(json).toMatchObject({ result: { created: 1, updated: 1 } });
});

interface AppFilms {
  create(values: object): Promise<Row>;
  update(id: string, values: object): Promise<Row>;
}

test("a record goes with its links, and a listed one as the foreign key says", async () => {
  const id = await film(["51"]);
  const kept = await admin.delete("/actor/51");
  expect([kept.status, kept.text]).toEqual([409, expect.stringContaining("1 row of film_actor")]);
  expect((await admin.delete(`/film/${id}`)).status).toBe(204);
  expect((await admin.delete("/actor/51")).status).toBe(204);
  const tagged = await admin.patch<Row>("/actor/52", { tagIds: ["c", "b"] });
  expect([tagged.status, tagged.body.tagIds]).toEqual([200, ["b", "c"]]);
  expect((await admin.delete("/tag/b")).status).toBe(204);
  expect((await admin.get<Row>("/actor/52")).body.tagIds).toEqual(["c"]);
});
