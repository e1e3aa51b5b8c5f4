import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

const thingsSql = `
create domain rank as smallint check (value > 0);
create domain word as varchar(10) check (value <> 'bad');
create table things (
  id serial primary key,
  name varchar(20) not null,
  body text not null default '',
  nick varchar(20),
  big bigint,
  rank rank,
  doc json not null default '{}',
  codes char(4)[],
  keys uuid[] not null default '{}',
  ranks rank[],
  words word[],
  day date,
  "order" int,
  fields text,
  "createdAt" text,
  amount numeric,
  cost money,
  constraint short check (length(name) < 15),
  exclude (nick with =)
);
insert into things (name, body, big, doc, codes, keys, day, amount, cost) values
  ('', E'two\\nlines', 9007199254740993, E'{"b": 1,\\n "a":  "x  y", "b": 2}', '{a,bcde}',
    '{00000000-0000-4000-8000-00000000000a}', '294277-01-01', 'NaN', 12.5),
  ('far', '', -9223372036854775808, '{"n": 1e400000, "z": "\\u0000\\ud800"}', null, '{}', '5874897-12-31', 1e100, null),
  ('old', '', 9223372036854775807, '[1, {"a": "\\ud83d\\ude00"}]', null, '{}', '4713-01-02 BC', 1, null);
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
let descriptor: string;

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, thingsSql);
  descriptor = files.descriptors.get("things.yaml") ?? "";
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

async function found(query: string): Promise<readonly unknown[]> {
  const { status, body, text } = await admin.list(`/things?sort=id&${query}`);
  expect([query, status, text]).toEqual([query, 200, text]);
  return body.data.map(({ id }) => id);
}

const where = (condition: object) => `where=${encodeURIComponent(JSON.stringify(condition))}`;

test("columns named like parts of the API, and types without a field, are taken as they can be", () => {
  const fields = descriptor.slice(descriptor.indexOf("  day:"));
  expect(fields).toBe(`  day: { type: date }
  order: { type: number, integer: true, min: -2147483648, max: 2147483647 }
  fields: { type: string }
  column15: { type: string, column: createdAt }
  # amount: numeric may hold numbers that JSON cannot represent exactly; declare at most 15 digits, as in numeric(15, 2)
  amount: { type: text, readOnly: true }
  # cost: no kind of field supports money
  cost: { type: text, readOnly: true }
`);
});

test("an empty text is a value, also of a required field", async () => {
  const made = await admin.post<Row>("/things", { name: "", nick: "" });
  expect([made.status, made.body.name, made.body.nick]).toEqual([201, "", ""]);
  const { id } = made.body;
  expect((await admin.patch<Row>(`/things/${id}`, { body: "", name: "x" })).status).toBe(200);
  const put = await admin.put<Row>(`/things/${id}`, { name: "", body: "", doc: {} });
  expect([put.status, put.body.name, put.body.nick]).toEqual([200, "", null]);
  const missing = await admin.post<Row>("/things", { name: null });
  expect([missing.status, missing.body.issues]).toEqual([
    422,
    [{ path: "name", message: "A value is required" }],
  ]);
  expect((await admin.delete(`/things/${id}`)).status).toBe(204);
});

test("numbers beyond those of JSON are found as they are", async () => {
  expect(await found("filter[big]=9007199254740993")).toEqual(["1"]);
  expect(await found("filter[big]=9007199254740992")).toEqual([]);
  expect(await found("filter[big][in]=9007199254740993,9223372036854775807")).toEqual(["1", "3"]);
  expect(await found("filter[big][gt]=9007199254740992")).toEqual(["1", "3"]);
  expect(await found("filter[big][gte]=9223372036854775807")).toEqual(["3"]);
  expect(await found("filter[big][gt]=9223372036854775807")).toEqual([]);
  expect(await found("filter[big][lt]=9223372036854775808")).toEqual(["1", "2", "3"]);
  expect(await found("filter[big][lte]=-9223372036854775808")).toEqual(["2"]);
  expect(await found("filter[big][gt]=1e300")).toEqual([]);
  expect(await found("filter[big]=99999999999999999999999")).toEqual([]);
  expect(await found(where({ big: "9007199254740993" }))).toEqual(["1"]);
  expect(await found(where({ big: { gt: "9007199254740992", lt: 1e300 } }))).toEqual(["1", "3"]);
  expect((await admin.get("/things?filter[big]=x")).status).toBe(400);
});

test("periods are counted before and after the years of times", async () => {
  for (const unit of ["day", "week", "month", "year"]) {
    const { status, text } = await admin.get(`/things/_aggregate?by=day:${unit}`);
    expect([unit, status, text]).toEqual([unit, 200, text]);
  }
  for (const query of ["at=day", "at=day&series=month", "at=day&series=week"]) {
    expect((await admin.get(`/things/_stats?${query}`)).status).toBe(200);
  }
});

test("json is shown as it was written, on one line", async () => {
  const { text, status } = await admin.get("/things?sort=id");
  expect(status).toBe(200);
  expect(text).toContain('"doc":{"b": 1,  "a":  "x  y", "b": 2}');
  expect(text).toContain('"doc":{"n": 1e400000, "z": "\\u0000\\ud800"}');
  expect(await found(where({ doc: { has: { a: "x  y" } } }))).toEqual(["1"]);
  expect(await found(where({ doc: { has: [{ a: "😀" }] } }))).toEqual(["3"]);
  const made = await admin.post<Row>("/things", { name: "doc", doc: { z: [1], a: null } });
  expect([made.status, made.body.doc]).toEqual([201, { z: [1], a: null }]);
  const patch = await admin.patch<Row>(`/things/${made.body.id}`, { doc: ["x"] });
  expect([patch.status, patch.body.doc]).toEqual([200, ["x"]]);
  expect((await admin.delete(`/things/${made.body.id}`)).status).toBe(204);
});

test("arrays of padded texts, UUIDs and domains are lists", async () => {
  const first = await admin.get<Row>("/things/1");
  expect(first.body).toMatchObject({
    codes: ["a", "bcde"],
    keys: ["00000000-0000-4000-8000-00000000000a"],
    ranks: [],
    words: [],
  });
  const lists = {
    codes: ["b", "xy"],
    keys: ["00000000-0000-4000-8000-00000000000b"],
    ranks: [3, 4],
    words: ["good"],
  };
  const made = await admin.post<Row>("/things", { name: "lists", ...lists });
  expect([made.status, made.text]).toEqual([201, made.text]);
  expect(made.body).toMatchObject(lists);
  const { id } = made.body;
  expect(await found("filter[codes][has]=xy")).toEqual([id]);
  expect(await found("filter[keys][has]=00000000-0000-4000-8000-00000000000b")).toEqual([id]);
  expect(await found("filter[keys][hasAny]=no-uuid")).toEqual([]);
  expect(await found("filter[ranks][hasAll]=3,4")).toEqual([id]);
  expect(await found("filter[words][has]=good")).toEqual([id]);
  const patch = await admin.patch<Row>(`/things/${id}`, { codes: { add: ["z"] }, ranks: [5] });
  expect([patch.status, patch.body.codes, patch.body.ranks]).toEqual([200, ["b", "xy", "z"], [5]]);
  expect((await admin.delete(`/things/${id}`)).status).toBe(204);
});

test("what the table's own rules refuse is refused at its fields", async () => {
  const refused = async (values: object) => {
    const { status, body } = await admin.post<Row>("/things", { name: "new", ...values });
    return [status, body.issues ?? body.error];
  };
  const check = (path: string, name: string) => [
    422,
    [{ path, message: `The value violates the check constraint "${name}"` }],
  ];
  expect(await refused({ name: "sixteen letters." })).toEqual(check("name", "short"));
  expect(await refused({ words: ["bad"] })).toEqual(check("words", "word_check"));
  expect(await refused({ rank: 0 })).toEqual([
    422,
    [
      { path: "rank", message: 'The value violates the check constraint "rank_check"' },
      { path: "ranks", message: 'The value violates the check constraint "rank_check"' },
    ],
  ]);
  await admin.post("/things", { name: "one", nick: "same" });
  expect((await refused({ nick: "same" }))[0]).toBe(409);
});
