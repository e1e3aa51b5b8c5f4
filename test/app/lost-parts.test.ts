import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
import { lostParts, type Table } from "../../runtime/resource/index.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { compileApp } from "../support/apps/compiled-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { cloneDatabase, emptyDatabase, type TestDatabase } from "../support/database/database.js";

const notesSql = `
create table notes (
  id int primary key generated always as identity,
  title varchar(20) not null unique,
  size int,
  seen timestamptz,
  mood text check (mood in ('sad', 'ok'))
);
create table tags (id int primary key);
create table note_tags (note int references notes, tag int references tags, primary key (note, tag));
insert into notes (title) values ('a');
`;

let template: TestDatabase;
let database: TestDatabase;
let table: Table<never>;
let files: Awaited<ReturnType<typeof adoptedFiles>>;

beforeAll(async () => {
  template = await emptyDatabase();
  files = await adoptedFiles(template.url, notesSql);
  const app = await start(template);
  const module = await import(pathToFileURL(join(app.root, "generated/notes/table.ts")).href);
  table = module.notes;
  await app.close();
});
beforeEach(async () => {
  database = await cloneDatabase(template);
  return () => database.drop();
});
afterAll(() => template?.drop());

function start({ url }: TestDatabase): Promise<WrittenApp> {
  return startWrittenApp({ ...files, databaseUrl: url });
}

async function run(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** What the resource lacks, by the connection. */
async function lost(client: pg.Client, table: Table<never>): Promise<readonly string[]> {
  const query = async (text: string, values: readonly unknown[]) =>
    (await client.query(text, [...values])).rows;
  return (await lostParts({ query } as never, [table])).map(({ message }) => message);
}

test.each([
  ["alter table notes rename to other", 'The table notes of "notes" is missing'],
  ["drop table note_tags", 'The table note_tags of "tagIds" in "notes" is missing'],
  [
    "alter table note_tags rename tag to label",
    'The table note_tags of "tagIds" in "notes" lacks the column tag',
  ],
  [
    "alter table note_tags drop note",
    'The table note_tags of "tagIds" in "notes" lacks the column note',
  ],
  [
    "alter table note_tags drop constraint note_tags_tag_fkey, alter tag type text",
    'The column tag of the table note_tags of "tagIds" in "notes" is now text, which cannot store these ids',
  ],
  ["alter table notes drop size", 'The table notes of "notes" lacks the column size'],
  [
    "alter table notes alter size type text",
    '"size" of "notes" cannot be read from the column size, which is text now',
  ],
  [
    "alter table notes alter seen type timestamp",
    '"seen" of "notes" cannot be read from the column seen, which is timestamp without time zone now',
  ],
  [
    "alter table notes alter title type int using 1",
    '"title" of "notes" cannot be read from the column title, which is integer now',
  ],
  [
    "alter table notes drop constraint notes_pkey cascade",
    "Values of the key id of the table notes are no longer unique",
  ],
])("after %s", async (statement, message) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(statement);
  expect(await lost(client, table)).toEqual([message]);
  await client.end();
});

test("a server does not start without what a resource needs", async () => {
  await run("alter table notes drop size");
  const root = makeAppFolder();
  try {
    await compileApp(root, files);
    const env = { DATABASE_URL: database.url, PORT: "0", SERVICE_SECRET: "x".repeat(32) };
    await migrate({ url: database.url, directory: join(root, "migrations") });
    const server = await execa(process.execPath, ["dist/server.js"], {
      ...{ cwd: root, env, reject: false, all: true },
    });
    expect(server.exitCode).toBe(1);
    expect(server.all).toContain('The table notes of "notes" lacks the column size');
  } finally {
    removeAppFolder(root);
  }
});

test.each([
  "alter table notes alter size type bigint, alter title type text",
  "alter table notes drop constraint notes_title_key, add another int",
  "create domain words as text; alter table notes alter title type words",
])("a server starts after %s", async (statement) => {
  await run(statement);
  const app = await start(database);
  const { client } = await app.caller("admin");
  const { status, body } = await client.list("/notes?filter[title]=a&sort=-size");
  expect([status, body.data.length]).toEqual([200, 1]);
  await app.close();
});

test("a role that may not read a table, or sees only some of its rows, is refused", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const problems = async () => {
    await client.query("set role lost_parts");
    const found = await lost(client, table);
    await client.query("reset role");
    return found;
  };
  await client.query("create role lost_parts");
  try {
    expect(await problems()).toEqual([
      'The role in database.url may not read the table notes of "notes"',
      'The role in database.url may not read the table note_tags of "tagIds" in "notes"',
    ]);
    await client.query("grant select on notes, note_tags to lost_parts");
    expect(await problems()).toEqual([]);
    await client.query("alter table notes enable row level security");
    expect(await problems()).toEqual([
      'Policies hide rows of the table notes of "notes" from the role in database.url',
    ]);
  } finally {
    await client.query("drop owned by lost_parts; drop role lost_parts");
    await client.end();
  }
});
