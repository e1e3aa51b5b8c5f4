import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Json } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";
import { download, upload } from "../support/storage/files.js";
import { known, onDisk, pdf, pruneIn } from "../support/storage/stored.js";

type Made = Readonly<Record<string, Json>> & { readonly id: string };

const called: unknown[] = [];
const note =
  (hook: string) =>
  ({ id }: { readonly id: string }, { trash }: { readonly trash: boolean }) => {
    called.push([hook, id, trash]);
  };

let app: WrittenApp;
let ada: RuledCaller;
let viewer: RuledCaller;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "lists.yaml",
        `trash: true
changes: { history: 30 }
access: { delete: [editor], history: signed-in, write: [editor] }
fields:
  name: { type: string, required: true }
  scan: { type: file, private: true }
`,
      ],
      [
        "lines.yaml",
        `trash: 2
access: { delete: [editor], purge: nobody }
fields:
  listId: { type: belongsTo, resource: lists, required: true, onDelete: cascade }
`,
      ],
      ["plain.yaml", "fields: { name: { type: string } }\n"],
    ]),
    options: {
      hooks: Object.fromEntries(
        ["lists", "lines"].map((name) => [
          name,
          {
            beforeDelete: note(`${name} beforeDelete`),
            afterDelete: note(`${name} afterDelete`),
            beforeRestore: note(`${name} beforeRestore`),
          },
        ]),
      ),
    } as never,
  });
  [ada, viewer] = [await app.caller("editor"), await app.caller(null)];
});
afterAll(() => app.close());
beforeEach(() => {
  called.length = 0;
});

async function made(resource: string, values: object): Promise<Made> {
  const reply = await ada.client.post<Made>(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

async function list(): Promise<{ readonly path: string; readonly id: string; line: string }> {
  const { id } = await made("lists", { name: "List" });
  const { id: line } = await made("lines", { listId: id });
  return { path: `/lists/${id}`, id, line };
}

const statusOf = async (path: string, by = ada) => (await by.client.get(path)).status;

test("hooks see whether a record is kept, and each restored record", async () => {
  const { path, id, line } = await list();
  expect((await ada.client.delete(path)).status).toBe(204);
  expect((await ada.client.post(`${path}/_restore`, undefined)).status).toBe(200);
  expect((await ada.client.delete(`${path}?trash=skip`)).status).toBe(204);
  await expect.poll(() => called.length).toBe(10);
  expect(called.toSorted()).toEqual(
    [
      ...["lists", "lines"].flatMap((name) =>
        [true, false].flatMap((trash) =>
          ["beforeDelete", "afterDelete"].map((hook) => [
            `${name} ${hook}`,
            name === "lists" ? id : line,
            trash,
          ]),
        ),
      ),
      ["lists beforeRestore", id, false],
      ["lines beforeRestore", line, false],
    ].toSorted(),
  );
});

test("a batch restores and deletes permanently", async () => {
  const [one, two] = [await list(), await list()];
  expect((await ada.client.delete(one.path)).status).toBe(204);
  const batch = (operations: readonly object[], atomic = true) =>
    ada.client.post<{ data: Json[]; errors?: Json[] }>("/_service/batch", { operations, atomic });
  const reply = await batch([
    { restore: "lists", id: one.id },
    { delete: "lists", id: two.id, trash: "skip" },
  ]);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.data).toMatchObject([{ id: one.id }, null]);
  expect(await statusOf(`/lines/${one.line}`)).toBe(200);
  expect(await statusOf(`${two.path}?trash=only`)).toBe(404);
  expect((await ada.client.delete(one.path)).status).toBe(204);
  const refused = await batch([{ restore: "lines", id: one.line }], false);
  expect(refused.body.errors).toMatchObject([
    { index: 0, status: 409, resource: "lists", id: one.id },
  ]);
  for (const operation of [
    { restore: "plain", id: one.id },
    { delete: "plain", id: one.id, trash: "skip" },
    { delete: "lists", id: one.id, trash: "only" },
    { restore: "lists", id: one.id, values: {} },
  ]) {
    expect((await batch([operation])).status).toBe(400);
  }
});

test("app code lists, gets, restores and deletes", async () => {
  const { path, id } = await list();
  const { lists } = app.app.resources as never as Record<string, Record<string, never>>;
  const call = (name: string, ...given: readonly unknown[]) =>
    (lists as never as Record<string, (...all: unknown[]) => Promise<never>>)[name]?.(...given);
  await call("delete", id);
  expect(await statusOf(path)).toBe(404);
  expect(await call("get", id)).toBeNull();
  expect(await call("get", id, { trash: "only" })).toMatchObject({ id, deletedBy: null });
  expect(await call("list", { trash: "only", where: { id } })).toMatchObject({ data: [{ id }] });
  expect(await call("restore", id)).toMatchObject({ id });
  expect(await statusOf(path)).toBe(200);
  await call("delete", id, { trash: "skip" });
  expect(await call("get", id, { trash: "only" })).toBeNull();
});

test("a revert does not recreate a record that is in the trash", async () => {
  const { path } = await list();
  expect((await ada.client.delete(path)).status).toBe(204);
  const history = await ada.client.get<{ data: { id: string; op: string }[] }>(`${path}/_history`);
  expect(history.body.data.map(({ op }) => op)).toEqual(["trash", "create"]);
  const to = history.body.data[1]?.id;
  expect((await ada.client.post(`${path}/_revert`, { to })).status).toBe(409);
});

test("a file of a deleted record is kept, and private for callers who may delete", async () => {
  const { key } = (await upload(ada.client, "lists/scan", "scan.pdf", pdf)).body;
  const { id } = await made("lists", { name: "With a file", scan: key });
  expect((await ada.client.delete(`/lists/${id}`)).status).toBe(204);
  const uses = await app.db.query(
    "select from service.trash where files @> array[$1::text] and id = $2",
    [key, id],
  );
  expect(uses).toHaveLength(1);
  const shown = (await ada.client.get<Made>(`/lists/${id}?trash=only`)).body;
  const { url } = shown.scanFile as { readonly url: string };
  expect((await download(app.url, url)).status).toBe(200);
  const path = `/_service/files/${key}`;
  const accept = { headers: { accept: "*/*" } };
  expect((await ada.client.send("HEAD", path, accept)).status).toBe(200);
  expect((await viewer.client.send("HEAD", path, accept)).status).toBe(404);
  // Pruning keeps it for as long as the record is in the trash.
  const { storage } = app.config.uploads;
  const stored = { db: app.db, storage: storage.driver === "disk" ? storage.path : "" };
  await pruneIn(1_000, stored);
  expect([await known(app.db, [key]), onDisk(stored, [key])]).toEqual([[key], [key]]);
  expect((await ada.client.post(`/lists/${id}/_restore`, undefined)).status).toBe(200);
  expect((await ada.client.delete(`/lists/${id}?trash=skip`)).status).toBe(204);
  // The history holds it until its days are over.
  await app.db.query("truncate service.changes, service.change_histories");
  await pruneIn(1_000, stored);
  await pruneIn(2_000, stored);
  expect([await known(app.db, [key]), onDisk(stored, [key])]).toEqual([[], []]);
});

test("a repeated restore with the same key gets the same response, and restores once", async () => {
  const { path, id } = await list();
  expect((await ada.client.delete(path)).status).toBe(204);
  const headers = { "Idempotency-Key": randomUUID() };
  const restore = () => ada.client.send<Made>("POST", `${path}/_restore`, { headers });
  const first = await restore();
  expect(first.status, first.text).toBe(200);
  expect((await ada.client.delete(path)).status).toBe(204);
  const again = await restore();
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(await statusOf(path)).toBe(404);
  expect(await statusOf(`${path}?trash=only`)).toBe(200);
  const other = await ada.client.send("POST", `/lists/${randomUUID()}/_restore`, { headers });
  expect(other.status).toBe(422);
  expect(called.filter((one) => JSON.stringify(one).includes("beforeRestore"))).toHaveLength(2);
  expect(id).toBe(first.body.id);
});

test("expired records are deleted with all records deleted with them, by the retention of the first one", async () => {
  const { path, id, line } = await list();
  const alone = await list();
  expect((await ada.client.delete(path)).status).toBe(204);
  expect((await ada.client.delete(`/lines/${alone.line}`)).status).toBe(204);
  const expire = async (days: number) => {
    await app.db.query(
      "update service.trash set deleted_at = now() - make_interval(days => $1) where id = any($2)",
      [days, [id, line, alone.line]],
    );
    await app.db.query(
      "select service.expire_marks(array(select service.expired_marks($1, '{}', 100)), null, 100)",
      [JSON.stringify({ lists: 30, lines: 2 })],
    );
  };
  await expire(3);
  expect(await statusOf(`/lines/${alone.line}?trash=only`)).toBe(404);
  expect(await statusOf(`/lines/${line}?trash=only`)).toBe(200);
  await expire(31);
  expect(await statusOf(`${path}?trash=only`)).toBe(404);
  expect(await statusOf(`/lines/${line}?trash=only`)).toBe(404);
});

test("a descriptor says how long records are kept, and what the caller may do", async () => {
  interface Described extends Made {
    readonly name: string;
    readonly access: { readonly purge: Json };
    readonly can: { readonly purge: Json };
  }
  const { data } = (await ada.client.get<{ data: Described[] }>("/_service/resources")).body;
  const [lines, lists, plain] = ["lines", "lists", "plain"].map((name) =>
    data.find((one) => one.name === name),
  );
  expect([lines?.trash, lines?.access.purge, lines?.can.purge]).toEqual([2, "nobody", false]);
  expect([lists?.trash, lists?.access.purge]).toEqual([30, ["editor"]]);
  expect([plain?.trash, plain?.can.purge]).toEqual([undefined, undefined]);
  expect((await ada.client.delete(`/lines/${randomUUID()}?trash=skip`)).status).toBe(403);
});
