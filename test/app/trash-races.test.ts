import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { lockWaiters } from "../support/database/lock-waits.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let ada: RuledCaller;
let other: pg.Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([["notes.yaml", "trash: true\nfields: { name: { type: string } }\n"]]),
  });
  ada = await app.caller(null);
  other = new pg.Client({ connectionString: app.config.database.url });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await app.close();
});

async function note(): Promise<string> {
  const reply = await ada.client.post("/notes", { name: "Note" });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

/** The status of a permanent deletion that waits for the other transaction with this statement. */
async function purgedAfter(id: string, statement: string): Promise<number> {
  await other.query("begin");
  await other.query(statement, [id]);
  const purging = ada.client.delete(`/notes/${id}?trash=skip`);
  await expect.poll(() => app.db.query(lockWaiters)).toHaveLength(1);
  await other.query("commit");
  return (await purging).status;
}

async function expectGone(id: string): Promise<void> {
  expect((await ada.client.get(`/notes/${id}`)).status).toBe(404);
  expect((await ada.client.get(`/notes/${id}?trash=only`)).status).toBe(404);
}

test("a permanent deletion finds a record that another request moves to the trash", async () => {
  const id = await note();
  expect(await purgedAfter(id, "delete from notes where id = $1")).toBe(204);
  await expectGone(id);
});

test("a permanent deletion finds a record that another request restores", async () => {
  const id = await note();
  expect((await ada.client.delete(`/notes/${id}`)).status).toBe(204);
  const restore = "select service.restore_trash(mark) from service.trash where id = $1";
  expect(await purgedAfter(id, restore)).toBe(204);
  await expectGone(id);
});

test("of two concurrent permanent deletions of a record, one is 404", async () => {
  const id = await note();
  expect((await ada.client.delete(`/notes/${id}`)).status).toBe(204);
  const empty = "select service.empty_trash(array['notes/' || $1])";
  expect(await purgedAfter(id, empty)).toBe(404);
  await expectGone(id);
});
