import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Row } from "../support/http/client.js";

let database: TestDatabase;
let app: WrittenApp;

beforeAll(async () => {
  database = await emptyDatabase();
  const sql = `
    create table film (film_id serial primary key, title varchar(40) not null);
    create table tag (id uuid primary key);
    create table film_tag (film integer references film, tag uuid references tag, primary key (film, tag));
    insert into film (title) values ('One');
    insert into tag values ('00000000-0000-7000-8000-000000000001');
    insert into film_tag select film_id, id from film, tag;`;
  const files = await adoptedFiles(database.url, sql, { triggers: false });
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

test("tables without triggers have lists of links through a third", async () => {
  const { client } = await app.caller("admin");
  const film = await client.get<Row>("/film/1?include=tags");
  expect(film.body).toMatchObject({
    tagIds: ["00000000-0000-7000-8000-000000000001"],
    tags: { data: [{ id: "00000000-0000-7000-8000-000000000001" }] },
  });
});
