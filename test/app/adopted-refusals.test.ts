import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

// What constraints, triggers and functions of an adopted table refuse, at once and at the commit.
const ordersSql = `
create table rooms (id serial primary key, name varchar(20) not null);
create table stays (
  id serial primary key,
  room integer not null references rooms deferrable initially deferred,
  guest varchar(20) not null,
  nights integer not null,
  during int4range,
  constraint few check (nights < 100),
  constraint whole check (guest <> 'none' or nights = 0),
  constraint one_guest unique (guest) deferrable initially deferred,
  exclude using gist (during with &&)
);
create unique index loud on stays (lower(guest)) where nights > 50;
create function no_smith() returns trigger language plpgsql as
  'begin if new.guest = ''Smith'' then raise exception ''No Smiths''; end if; return new; end';
create trigger no_smith before insert or update on stays for each row execute function no_smith();
create function no_late() returns trigger language plpgsql as
  'begin if new.guest like ''Late%'' then raise exception ''Too late'' using errcode = ''40001''; end if; return null; end';
create constraint trigger no_late after insert or update on stays deferrable initially deferred
  for each row execute function no_late();
create function broken() returns trigger language plpgsql as
  'begin if new.guest = ''Zero'' then perform 1 / 0; end if; if new.guest = ''Gone'' then return null; end if; return new; end';
create trigger x_broken before insert or update on stays for each row execute function broken();
create table audit (room integer references rooms, note point);
insert into rooms (name) values ('a'), ('b');
insert into stays (room, guest, nights) values (1, 'Ann', 1), (1, 'Bob', 60);
insert into audit values (2), (2);
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, ordersSql);
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

const cases: readonly (readonly [string, Partial<Stay>, number, string])[] = [
  ["a check", { nights: 100 }, 422, "nights"],
  ["a check of two columns", { guest: "none" }, 422, "guest"],
  ["raise exception", { guest: "Smith" }, 422, "No Smiths"],
  ["raise exception at the commit", { guest: "Late" }, 422, "Too late"],
  ["a deferred unique constraint", { guest: "Ann" }, 422, "guest"],
  ["a partial unique index on an expression", { guest: "BOB", nights: 70 }, 422, "guest"],
  ["a deferred foreign key", { room: "9" }, 422, "room"],
  ["an error of a function", { guest: "Zero" }, 409, "failed"],
  ["a row that a trigger drops", { guest: "Gone" }, 409, "dropped"],
];

interface Stay {
  readonly room: string;
  readonly guest: string;
  readonly nights: number;
}

/** Values of one of several concurrent creates. The same new guest in all of them would be a deadlock at the commit. */
const numbered = (values: Partial<Stay>, at: number): Partial<Stay> =>
  values.guest === "Late" ? { ...values, guest: `Late ${at}` } : values;

test.each(cases)("%s refuses each kind of write", async (_, values, status, words) => {
  const usual = { room: "1", guest: "New", nights: 2 };
  const made = await admin.post<Row>("/stays", { ...usual, guest: `Own${cases.length}` });
  expect(made.status, made.text).toBe(201);
  const path = `/stays/${made.body.id}`;
  const replies = [
    await admin.post<Row>("/stays", { ...usual, ...values }),
    await admin.patch<Row>(path, values),
    await admin.put<Row>(path, { ...usual, ...values }),
  ];
  for (const { status: found, text } of replies) {
    expect([found, text]).toEqual([status, expect.stringContaining(words)]);
  }
  const batch = await admin.post("/_service/batch", {
    operations: [{ create: "stays", values: { ...usual, ...values } }],
  });
  expect([batch.status, batch.text]).toEqual([status, expect.stringContaining(words)]);
  const joined = await Promise.all(
    Array.from({ length: 5 }, (_each, at) =>
      admin.post<Row>("/stays", { ...usual, ...numbered(values, at) }),
    ),
  );
  expect(joined.map((one) => one.status)).toEqual(joined.map(() => status));
  expect((await admin.delete(path)).status).toBe(204);
});

test("rows of a table without a descriptor are counted when they keep a record", async () => {
  const { status, text } = await admin.delete("/rooms/2");
  expect([status, text]).toEqual([409, expect.stringContaining("2 rows of audit")]);
  const other = await admin.delete("/rooms/1");
  expect([other.status, other.text]).toEqual([409, expect.stringContaining("2 stays")]);
});
