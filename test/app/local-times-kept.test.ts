import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selectForFile } from "../../runtime/resource/index.js";
import { sending, sentRows } from "../../runtime/resource/transfer/sent.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

const notesSql = `
do $$ begin execute format('alter database %I set timezone to ''America/New_York''', current_database()); end $$;
create table notes (
  id uuid primary key default gen_random_uuid(),
  title varchar(40) not null,
  due timestamp,
  doc json,
  created timestamp not null default now()
);
insert into notes (id, title, due, doc, created) values
  ('00000000-0000-4000-8000-00000000000a', 'first', '2026-07-01 12:00:00.123456', '{"a": 1}', '2026-07-01 12:00');
`;

let database: TestDatabase;
let app: WrittenApp;
let admin: Client;
const first = "/notes/00000000-0000-4000-8000-00000000000a";

beforeAll(async () => {
  database = await emptyDatabase();
  const files = await adoptedFiles(database.url, notesSql, { timezone: "Europe/Oslo" });
  const text = files.descriptors.get("notes.yaml") ?? "";
  const descriptors = new Map([["notes.yaml", `${text}changes: { history: 30 }\ntrash: 30\n`]]);
  app = await startWrittenApp({ ...files, descriptors, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

test("histories and the trash show the moments, and a restored record has its time", async () => {
  const made = await admin.post<Row>("/notes", { title: "new", due: "2026-08-01T10:00:00Z" });
  expect(made.status, made.text).toBe(201);
  const path = `/notes/${made.body.id}`;
  const patch = await admin.patch<Row>(path, { due: "2026-12-01T10:00:00Z", doc: { b: [2] } });
  expect(patch.status, patch.text).toBe(200);
  const history = await admin.get<{ data: readonly Record<string, unknown>[] }>(`${path}/_history`);
  expect(history.status, history.text).toBe(200);
  expect(JSON.stringify(history.body)).toContain("2026-08-01T10:00:00.000Z");
  expect(JSON.stringify(history.body)).toContain("2026-12-01T10:00:00.000Z");
  expect((await admin.delete(path)).status).toBe(204);
  const trash = await admin.get<{ data: readonly Row[] }>("/notes?trash=only");
  expect(trash.status, trash.text).toBe(200);
  expect(trash.body.data).toMatchObject([{ due: "2026-12-01T10:00:00.000Z", doc: { b: [2] } }]);
  const found = await admin.get<{ data: readonly Row[] }>(
    "/notes?trash=only&filter[due]=2026-12-01T10:00:00Z&sort=due",
  );
  expect(found.body.data).toHaveLength(1);
  const restored = await admin.post<Row>(`${path}/_restore`, {});
  expect([restored.status, restored.text]).toEqual([200, restored.text]);
  expect((await admin.get<Row>(path)).body).toMatchObject({ due: "2026-12-01T10:00:00.000Z" });
  const [row] = await app.db.query<Row>("select due::text as due from notes where title = 'new'");
  expect(row?.due).toBe("2026-12-01 11:00:00");
  expect((await admin.delete(path)).status).toBe(204);
});

test("an export has the moments, and its import the local times", async () => {
  const { notes } = await import(pathToFileURL(join(app.root, "generated/notes/table.ts")).href);
  const { cells, records, keys } = selectForFile(notes, { fields: null });
  const [json] = await app.db.query<{ json: string }>(
    `select _row.* from (${records}) as _row (json)`,
  );
  const due = "2026-07-01T10:00:00.123Z";
  expect(JSON.parse(json?.json ?? "")).toMatchObject({ due, doc: { a: 1 } });
  const [cell] = await app.db.query<Record<string, string>>(
    `select _row.* from (${cells}) as _row (${keys.map((key) => `"${key}"`).join(", ")})`,
  );
  expect(cell).toMatchObject({ due, createdAt: "2026-07-01T10:00:00.000Z" });
  const sent = sending(notes);
  const id = "00000000-0000-4000-8000-00000000000b";
  const given = { hasId: true, createdAt: due, updatedAt: null };
  const values = { title: "sent", due, doc: { c: 3 } };
  const create = { id, given, checked: { values } } as never;
  await app.db.query(sent.insert(sentRows(sent)), [
    sent.json([{ row: 1, line: 2, isWrong: false, create }]),
  ]);
  const [row] = await app.db.query<Row>(
    "select due::text as due, created::text as created, doc::text as doc from notes where title = 'sent'",
  );
  expect(row).toEqual({
    due: "2026-07-01 12:00:00.123",
    created: "2026-07-01 12:00:00.123",
    doc: '{"c":3}',
  });
  expect((await admin.get<Row>(`/notes/${id}`)).body).toMatchObject({ due, createdAt: due });
  expect((await admin.get<Row>(first)).body).toMatchObject({ due });
});
