import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTaskApp, usualImport } from "../support/apps/task-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let ada: RuledCaller;
let admin: RuledCaller;
beforeAll(async () => {
  const fields = `fields:
  name: { type: string, required: true, unique: true }
  state: { type: enum, values: [draft, live], required: true, default: draft }
`;
  const drafts = "[{ who: signed-in, where: { state: draft } }, admin]";
  app = await startWrittenApp({
    descriptors: new Map([
      ["notes.yaml", `trash: true\naccess: { delete: ${drafts} }\n${fields}`],
      ["secrets.yaml", `trash: true\naccess: { read: ${drafts}, delete: ${drafts} }\n${fields}`],
    ]),
  });
  [ada, admin] = [await app.caller(null), await app.caller("admin")];
});
afterAll(() => app.close());

async function deleted(resource: string, values: object = {}): Promise<string> {
  const sent = { name: randomUUID(), state: "live", ...values };
  const { status, body, text } = await admin.client.post<{ id: string }>(`/${resource}`, sent);
  expect(status, text).toBe(201);
  expect((await admin.client.delete(`/${resource}/${body.id}`)).status).toBe(204);
  return body.id;
}

async function statuses(path: string): Promise<readonly number[]> {
  const { client } = ada;
  return [
    (await client.get(`${path}?trash=only`)).status,
    (await client.post(`${path}/_restore`, undefined)).status,
    (await client.delete(`${path}?trash=skip`)).status,
  ];
}

test("a deleted record that a condition of `delete` hides is 403 for callers who may get it", async () => {
  const id = await deleted("notes");
  expect(await statuses(`/notes/${id}`)).toEqual([403, 403, 403]);
  const list = await ada.client.get<{ data: unknown[] }>(`/notes?trash=only&filter[id]=${id}`);
  expect(list.body.data).toEqual([]);
  expect(await statuses(`/notes/${randomUUID()}`)).toEqual([404, 404, 404]);
  expect((await admin.client.post(`/notes/${id}/_restore`, undefined)).status).toBe(200);
});

test("it is 404 for callers who may not get it", async () => {
  const id = await deleted("secrets");
  expect(await statuses(`/secrets/${id}`)).toEqual([404, 404, 404]);
  const draft = await deleted("secrets", { state: "draft" });
  expect(await statuses(`/secrets/${draft}`)).toEqual([200, 200, 204]);
});

test("an import of the id of a deleted record is a mistake of its row", async () => {
  const id = await deleted("notes");
  const tasks = await openTaskApp({
    name: app.root,
    databaseUrl: app.config.database.url,
    make: async () => {
      const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
      return createApp();
    },
  });
  const path = join(app.root, "rows.csv");
  writeFileSync(path, `id,name\n${randomUUID()},${randomUUID()}\n${id},${randomUUID()}\n`);
  const imported = async (upsert: string | null) => {
    const request = { ...usualImport, resource: "notes", path, errors: `${path}.errors.csv` };
    const end = await tasks.run<{ result: { created: number; errors: unknown[] } }>((events) => ({
      kind: "import",
      request: { ...request, upsert, onError: "skip", events },
    }));
    return end.result;
  };
  try {
    const mistake = { row: 2, column: "id", message: "Another record has this value" };
    expect(await imported("id")).toMatchObject({ created: 1, errors: [mistake] });
    expect(await imported("name")).toMatchObject({ created: 0, errors: [mistake] });
    expect((await admin.client.get(`/notes/${id}`)).status).toBe(404);
    expect((await admin.client.get(`/notes/${id}?trash=only`)).status).toBe(200);
  } finally {
    await tasks.close();
  }
});

test("a restore into a table that a migration is about to drop is 503", async () => {
  const id = await deleted("notes");
  await app.db.query(
    "create trigger moved before insert on notes for each row execute function service.refuse_moved()",
  );
  try {
    const restored = await admin.client.post(`/notes/${id}/_restore`, undefined);
    const created = await admin.client.post("/notes", { name: randomUUID() });
    for (const { status, headers } of [restored, created]) {
      expect({ status, after: headers["retry-after"] }).toEqual({ status: 503, after: "2" });
    }
  } finally {
    await app.db.query("drop trigger moved on notes");
  }
  expect((await admin.client.post(`/notes/${id}/_restore`, undefined)).status).toBe(200);
});

test("records do not belong to rows of other schemas, or by other keys", async () => {
  await app.db.query("create schema other");
  await app.db.query("create table other.secrets (id uuid primary key)");
  await app.db.query("create table shelves (id integer primary key)");
  await app.db.query(
    `alter table notes
     add other_id uuid references other.secrets on delete cascade,
     add shelf_id integer references shelves on delete cascade`,
  );
  const secret = await deleted("secrets");
  const ids: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    const { body } = await admin.client.post<{ id: string }>("/notes", { name: randomUUID() });
    ids.push(body.id);
  }
  await app.db.query("insert into other.secrets values ($1)", [secret]);
  await app.db.query("insert into shelves values (1)");
  await app.db.query("update notes set other_id = $1, shelf_id = 1 where id = any ($2)", [
    secret,
    ids,
  ]);
  // One row, then several rows of one statement.
  await app.db.query("delete from notes where id = $1", [ids[0]]);
  await app.db.query("delete from notes where id = any ($1)", [ids]);
  const parents = () =>
    app.db.query("select parents from service.trash where table_name = 'notes' and id = any ($1)", [
      ids,
    ]);
  expect(await parents()).toEqual(Array(3).fill({ parents: null }));
  expect((await admin.client.delete(`/secrets/${secret}?trash=skip`)).status).toBe(204);
  expect(await parents()).toHaveLength(3);
});
