import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { client, type Json } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

type Made = Readonly<Record<string, Json>> & { readonly id: string };

let app: WrittenApp;
let ada: RuledCaller;
let editor: RuledCaller;
/** What the policy of `delete` was called with: names of records. */
const judged: unknown[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["notes.yaml", "trash: true\nfields: { name: { type: string } }\n"],
      [
        "lines.yaml",
        `trash: true
fields:
  noteId: { type: belongsTo, resource: notes, required: true, onDelete: cascade }
`,
      ],
      [
        "pages.yaml",
        `trash: true
access: { read: public, create: signed-in, update: [editor], delete: [editor, clerk] }
fields: { name: { type: string } }
`,
      ],
      [
        "stones.yaml",
        `trash: true
access: { read: public, create: signed-in, delete: nobody, purge: [editor] }
fields: { name: { type: string } }
`,
      ],
    ]),
    settings: `auth: { check_breached_passwords: false, profiles: [editor] }
server: { host: 127.0.0.1 }
`,
    options: {
      policies: {
        notes: {
          delete(_: unknown, { name }: { readonly name: string | null }) {
            judged.push(name);
            return !String(name).startsWith("kept");
          },
        },
      },
    } as never,
  });
  ada = await app.caller(null);
  editor = await app.caller("editor");
});
beforeEach(() => {
  judged.length = 0;
});
afterAll(() => app?.close());

async function made(resource: string, values: object = {}): Promise<Made> {
  const { status, body, text } = await ada.client.post<Made>(`/${resource}`, values);
  expect(status, text).toBe(201);
  return body;
}

/** Deletes as SQL does, which no policy judges. */
async function deleted(resource: string, values: object = {}): Promise<string> {
  const { id } = await made(resource, values);
  await app.db.query(`delete from ${resource} where id = $1`, [id]);
  return id;
}

const restore = (path: string, by = ada) => by.client.post<Made>(`${path}/_restore`, undefined);

describe("the policy of `delete`", () => {
  test("judges restores, by the record as it was", async () => {
    const kept = await deleted("notes", { name: "kept" });
    const free = await deleted("notes", { name: "free" });
    expect((await restore(`/notes/${kept}`)).status).toBe(403);
    expect((await ada.client.get(`/notes/${kept}`)).status).toBe(404);
    expect((await ada.client.get(`/notes/${kept}?trash=only`)).status).toBe(200);
    expect((await restore(`/notes/${free}`)).status).toBe(200);
    expect(judged).toEqual(["kept", "free"]);
    await app.db.query("delete from notes where id = $1", [free]);
    const batch = await ada.client.post("/_service/batch", {
      operations: [
        { restore: "notes", id: free },
        { restore: "notes", id: kept },
      ],
    });
    expect(batch.status).toBe(403);
    expect((await ada.client.get(`/notes/${free}?trash=only`)).status).toBe(200);
  });

  test("judges permanent deletions, of living records and of deleted ones", async () => {
    const { id: living } = await made("notes", { name: "kept living" });
    const kept = await deleted("notes", { name: "kept dead" });
    const free = await deleted("notes", { name: "free" });
    for (const id of [living, kept]) {
      expect((await ada.client.delete(`/notes/${id}?trash=skip`)).status).toBe(403);
    }
    expect((await ada.client.get(`/notes/${living}`)).status).toBe(200);
    expect((await ada.client.get(`/notes/${kept}?trash=only`)).status).toBe(200);
    expect((await ada.client.delete(`/notes/${free}?trash=skip`)).status).toBe(204);
    expect(judged).toEqual(["kept living", "kept dead", "free"]);
    const operations = [{ delete: "notes", id: kept, trash: "skip" }];
    expect((await ada.client.post("/_service/batch", { operations })).status).toBe(403);
  });

  test("is not asked for what comes back, or goes, with the record", async () => {
    const { id } = await made("notes", { name: "free" });
    await made("lines", { noteId: id });
    await app.db.query("delete from notes where id = $1", [id]);
    expect((await restore(`/notes/${id}`)).status).toBe(200);
    expect((await ada.client.delete(`/notes/${id}?trash=skip`)).status).toBe(204);
    expect(judged).toEqual(["free", "free"]);
  });
});

describe("trash=only", () => {
  test("is 403 without the rule of `delete`, and 401 without a token", async () => {
    const visitor = client(app.url, null);
    for (const resource of ["pages", "stones"]) {
      const id = await deleted(resource);
      for (const [by, status] of [
        [ada.client, 403],
        [visitor, 401],
      ] as const) {
        const replies = [
          await by.get(`/${resource}?trash=only`),
          await by.get(`/${resource}/${id}?trash=only`),
          await by.post(`/${resource}/_query`, { trash: "only" }),
          await by.post(`/${resource}/${id}/_restore`, undefined),
        ];
        expect(replies.map((reply) => reply.status)).toEqual(Array(4).fill(status));
        expect((await by.get(`/${resource}`)).status).toBe(200);
      }
    }
    const page = await deleted("pages");
    expect((await editor.client.get(`/pages/${page}?trash=only`)).status).toBe(200);
    const stone = await deleted("stones");
    expect((await editor.client.get(`/stones/${stone}?trash=only`)).status).toBe(403);
    expect((await editor.client.delete(`/stones/${stone}?trash=skip`)).status).toBe(204);
  });

  test("has deletedBy null after SQL and app code, and for callers who may not read names", async () => {
    const id = await deleted("pages");
    const { resources } = app.app as never as {
      resources: { pages: { delete(id: string): Promise<void> } };
    };
    const { id: other } = await made("pages");
    await resources.pages.delete(other);
    const { id: named } = await made("pages");
    expect((await editor.client.delete(`/pages/${named}`)).status).toBe(204);
    const { body } = await editor.client.list(
      `/pages?trash=only&filter[id][in]=${[id, other, named]}&sort=deletedAt`,
    );
    expect(body.data.map(({ id, deletedBy }) => [id, deletedBy])).toEqual([
      [id, null],
      [other, null],
      [named, { id: editor.id, name: expect.any(String) }],
    ]);
    const clerk = await app.caller("clerk");
    const unnamed = await clerk.client.get<Made>(`/pages/${named}?trash=only`);
    expect([unnamed.status, unnamed.body.deletedBy]).toEqual([200, null]);
  });
});

test("the typed client lists, gets, restores and deletes permanently", async () => {
  const { createClient } = await import(pathToFileURL(join(app.root, "generated/client.ts")).href);
  const { body } = await ada.client.post<{ token: string }>("/auth/service-tokens", {
    name: "cli",
  });
  const api = createClient({ url: `${app.url}/api`, token: body.token });
  const { notes } = api;
  const name = `free ${randomUUID()}`;
  const { id } = await notes.create({ name });
  await notes.delete(id);
  const trashed = await notes.get(id, { trash: "only" });
  expect(trashed).toMatchObject({ id, name, deletedBy: null });
  const listed = await notes.list({
    ...{ trash: "only", where: { name, deletedAt: { gte: trashed.deletedAt } } },
    sort: "-deletedAt",
  });
  expect(listed.data).toEqual([trashed]);
  const queried = await notes.query({ trash: "only", where: { name } });
  expect(queried.data).toEqual([trashed]);
  expect(await notes.restore(id)).toMatchObject({ id, name });
  await expect(notes.get(id, { trash: "only" })).rejects.toMatchObject({ status: 404 });
  await notes.delete(id);
  const [back] = await api.batch((batch: typeof api) => batch.notes.restore(id));
  expect(back).toMatchObject({ id, name });
  await api.batch((batch: typeof api) => batch.notes.delete(id, { trash: "skip" }));
  await expect(notes.restore(id)).rejects.toMatchObject({ status: 404 });
  const { id: living } = await notes.create({ name });
  await notes.delete(living, { trash: "skip" });
  expect((await notes.list({ trash: "only", where: { name } })).data).toEqual([]);
  const types = readFileSync(join(app.root, "generated/client/notes.ts"), "utf8");
  expect(types).toContain("  trash: true;\n");
});
