import { afterAll, beforeAll, expect, test } from "vitest";
import { findDrift } from "../../runtime/migrate/index.js";
import { startReceiver } from "../runtime/webhooks/support/receiver.js";
import { newSession } from "../support/accounts/accounts.js";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { expectedIn } from "../support/database/drift.js";
import type { Json, Row } from "../support/http/client.js";
import { type EventStream, openEvents } from "../support/http/event-stream.js";
import type { RuledCaller } from "../support/rights/request.js";

const statements = `
create schema shop;
create table shop."Item" (
  "No" integer generated always as identity primary key,
  "Name" varchar(40) not null,
  other integer references shop."Item" on delete set null
);
create index on shop."Item" (other);
create table public.code (code char(5) primary key, label text not null default '');
create table public.part (part uuid primary key default gen_random_uuid(), label text not null default '');
`;

const own: readonly (readonly [string, string])[] = [
  [
    "folders.yaml",
    `id: { type: integer }
changes: { history: 30 }
owner: ownerId
access: { read: [owner, admin], write: [owner, admin] }
fields:
  name: { type: string, required: true }
  ownerId: { type: belongsTo, resource: users, required: true }
`,
  ],
  [
    "papers.yaml",
    `id: { type: string, given: true }
changes: { history: 30 }
owner: folderId.ownerId
access: { read: [owner, admin], write: [owner, admin] }
fields:
  title: { type: string, required: true }
  folderId: { type: belongsTo, resource: folders, required: true, onDelete: cascade }
`,
  ],
];

const logged = "changes: { history: 30 }\n";

let database: TestDatabase;
let app: WrittenApp;
let admin: RuledCaller;
let ada: RuledCaller;
let bob: RuledCaller;
beforeAll(async () => {
  database = await emptyDatabase();
  const adopted = await adoptedFiles(database.url, statements, { schemas: ["public", "shop"] });
  const descriptors = new Map([
    ...[...adopted.descriptors].map(([name, text]) => [name, text + logged] as const),
    ...own,
  ]);
  app = await startWrittenApp({
    ...adopted,
    descriptors,
    databaseUrl: database.url,
    settings: `auth: { check_breached_passwords: false, operators: [admin] }
server: { host: 127.0.0.1 }
webhooks: { allow: [127.0.0.1] }
`,
  });
  [admin, ada, bob] = [await app.caller("admin"), await app.caller(null), await app.caller(null)];
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

interface Entry {
  readonly id: string;
  readonly op: string;
  readonly by: { readonly id: string } | null;
  readonly changes: readonly Json[];
}

const at = (resource: string, id: string) =>
  `/${resource}/${encodeURIComponent(id).replace(/^_/, "%5F")}`;

async function create(resource: string, values: object, by = admin): Promise<Row> {
  const { status, text, body } = await by.client.post<Row>(`/${resource}`, values);
  expect(status, text).toBe(201);
  return body;
}

async function history(resource: string, id: string, by = admin): Promise<readonly Entry[]> {
  const reply = await by.client.get<{ data: readonly Entry[] }>(`${at(resource, id)}/_history`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
}

/** The record after its first change, its change and its deletion; then it is reverted to its creation. */
async function revertBoth(resource: string, made: Row, changed: object): Promise<void> {
  const path = at(resource, made.id);
  expect((await admin.client.patch(path, changed)).status).toBe(200);
  const [, first] = await history(resource, made.id);
  const living = await admin.client.post(`${path}/_revert`, { to: first?.id });
  expect(living.status, living.text).toBe(200);
  const { updatedAt: _, ...values } = made;
  expect(living.body).toMatchObject({ record: values });
  expect((await admin.client.delete(path)).status).toBe(204);
  const deleted = await admin.client.post(`${path}/_revert`, { to: first?.id });
  expect(deleted.status, deleted.text).toBe(200);
  const entries = await history(resource, made.id);
  expect(entries.map(({ op }) => op)).toEqual(["create", "delete", "update", "update", "create"]);
  expect(entries.map(({ by }) => by?.id)).toEqual(Array(5).fill(admin.id));
  expect((await admin.client.get(path)).body).toMatchObject({ id: made.id });
}

async function watched(watch: object, by = admin): Promise<EventStream> {
  const token = await newSession(app.db, by.id);
  const query = `/_service/changes?watch=${encodeURIComponent(JSON.stringify(watch))}`;
  const stream = await openEvents(app.url, token, query);
  expect((await stream.next()).event).toBe("ready");
  return stream;
}

test("the triggers stand as the migrations have them", async () => {
  expect(await findDrift(app.config.database.url, expectedIn(app.root))).toEqual({
    differences: [],
    unmanaged: [],
  });
});

test("a record of any id has its history, and returns to an earlier state under its id", async () => {
  const item = await create("item", { name: "first" });
  expect(item.id).toBe("1");
  await revertBoth("item", item, { name: "second" });
  expect(await create("item", { name: "next", other: "1" })).toMatchObject({ id: "2" });
  await revertBoth("code", await create("code", { id: "AB", label: "x" }), { label: "y" });
  await revertBoth("part", await create("part", { label: "x" }), { label: "y" });
  const folder = await create("folders", { name: "one", ownerId: admin.id });
  await revertBoth("folders", folder, { name: "two" });
  for (const id of ['_stats "a"\\', "é/ü %", "a,b", "x".repeat(500)]) {
    const paper = await create("papers", { id, title: "x", folderId: folder.id });
    await revertBoth("papers", paper, { title: "y" });
  }
});

test("histories show what other programs wrote, and only the record's own", async () => {
  await app.db.query(`insert into shop."Item" ("Name") values ('of SQL'), ('other')`);
  const [row] = await app.db.query<{ id: string }>(
    `update shop."Item" set other = 2 where "Name" = 'of SQL' returning "No"::text as id`,
  );
  const entries = await history("item", row?.id ?? "");
  expect(entries).toMatchObject([
    { op: "update", by: null, changes: [{ field: "other", from: null, to: "2" }] },
    { op: "create", by: null },
  ]);
  for (const id of ["99999", "01", "x", "9223372036854775807"]) {
    expect((await admin.client.get(`/item/${id}/_history`)).status).toBe(404);
  }
  await app.db.query("insert into code values ('C1', 'a')");
  await app.db.query("update code set code = 'C2' where code = 'C1'");
  expect((await history("code", "C2")).map(({ op }) => op)).toContain("create");
  expect((await admin.client.get("/code/C1/_history")).body).toMatchObject({
    data: [{ op: "delete" }, { op: "create" }],
  });
  await app.db.query("delete from code");
});

test("streams name records by their ids", async () => {
  const stream = await watched({ item: true, papers: { fields: ["title"] }, code: true });
  const after = async (write: () => Promise<unknown>) => {
    const written = await write();
    const { data } = await stream.next();
    return [written, [data.resource, data.op, data.id, data.record?.id ?? null, data.changed]];
  };
  const sql =
    (text: string, ...values: readonly string[]) =>
    () =>
      app.db.query(text, values);
  const [item, created] = (await after(() => create("item", { name: "live" }))) as [Row, unknown];
  const { id: no } = item;
  expect(created).toEqual(["item", "create", no, no, ["name"]]);
  const renamed = await after(sql(`update shop."Item" set "Name" = 'lively' where "No" = $1`, no));
  expect(renamed[1]).toEqual(["item", "update", no, no, ["name"]]);
  const deleted = await after(() => admin.client.delete(`/item/${no}`));
  expect(deleted[1]).toEqual(["item", "delete", no, null, null]);
  const folder = await create("folders", { name: "of papers", ownerId: ada.id });
  const id = 'say "hi"\\ \u00e9';
  const paper = await after(() => create("papers", { id, title: "t", folderId: folder.id }));
  expect(paper[1]).toEqual(["papers", "create", id, id, ["title"]]);
  const gone = await after(sql("delete from papers where id = $1", id));
  expect(gone[1]).toEqual(["papers", "delete", id, null, null]);
  const code = await after(sql("insert into code values ('C9', 'a')"));
  expect(code[1]).toEqual(["code", "create", "C9", "C9", ["label"]]);
  stream.close();
});

test("owners see their own records in streams, and another owner ends them", async () => {
  const folder = await create("folders", { name: "of Ada", ownerId: ada.id });
  const others = await create("folders", { name: "of Bob", ownerId: bob.id });
  const stream = await watched({ papers: true }, ada);
  await create("papers", { id: "B", title: "hidden", folderId: others.id });
  await create("papers", { id: "A", title: "seen", folderId: folder.id }, ada);
  expect((await stream.next()).data).toMatchObject({ op: "create", id: "A" });
  expect((await ada.client.get("/papers/B/_history")).status).toBe(404);
  expect(await history("papers", "A", ada)).toHaveLength(1);
  expect((await admin.client.patch(`/folders/${folder.id}`, { ownerId: bob.id })).status).toBe(200);
  expect(await stream.next()).toMatchObject({ event: "reset", data: { reason: "rights" } });
  stream.close();
  expect((await ada.client.get("/papers/A/_history")).status).toBe(404);
});

test("writes of several callers in one statement each have their author", async () => {
  const folders = await Promise.all(
    [ada, bob].map((by) => create("folders", { name: "mine", ownerId: by.id }, by)),
  );
  const papers = folders.flatMap((folder, who) =>
    Array.from({ length: 12 }, (_, number) => ({
      id: `j-${who}-${number}`,
      folderId: folder.id,
      by: who === 0 ? ada : bob,
    })),
  );
  await Promise.all(
    papers.map(({ by, ...paper }) => create("papers", { ...paper, title: "x" }, by)),
  );
  await Promise.all(
    papers.map(({ id, by }) => by.client.patch(`/papers/${id}`, { title: "changed" })),
  );
  for (const { id, by } of papers) {
    const entries = await history("papers", id);
    expect(entries.map((entry) => [entry.op, entry.by?.id])).toEqual([
      ["update", by.id],
      ["create", by.id],
    ]);
  }
});

test("webhooks get the ids of records", async () => {
  const receiver = await startReceiver();
  const webhook = await admin.client.post("/_service/webhooks", {
    url: receiver.url,
    events: ["item.*", "papers.*"],
  });
  expect(webhook.status, webhook.text).toBe(201);
  const item = await create("item", { name: "sent" });
  await admin.client.patch(`/item/${item.id}`, { name: "sent again" });
  await admin.client.delete(`/item/${item.id}`);
  const folder = await create("folders", { name: "sent", ownerId: ada.id });
  await create("papers", { id: 'a "b"', title: "t", folderId: folder.id });
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(4);
  const bodies = receiver.received.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ type, data }) => [type, data.id]).toSorted()).toEqual(
    [
      ["item.created", item.id],
      ["item.updated", item.id],
      ["item.deleted", item.id],
      ["papers.created", 'a "b"'],
    ].toSorted(),
  );
  await receiver.close();
});
