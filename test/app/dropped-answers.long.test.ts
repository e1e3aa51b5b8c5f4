import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { dropOldest } from "../../runtime/resource/idempotency/bound.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { type Client, client, type Row } from "../support/http/client.js";

// An answer whose body was dropped shows the record as it is now, to those alone who may read it now.

let app: RunningApp;
let ada: Client;
let bob: Client;
/** May change notes, and get none. */
let editor: Client;
let notebook: Row;
let foreign: Row;
beforeAll(async () => {
  app = await startApp("apps/notes", {
    policies: { notes: { get: (_, note) => Reflect.get(Object(note), "text") !== "kept back" } },
  });
  const signIn = async (role: string | null) => client(app.url, await app.signIn(role));
  [ada, bob, editor] = await Promise.all([signIn(null), signIn(null), signIn("editor")]);
  notebook = await created(ada, "notebooks", { title: "Ada's" });
  foreign = await created(bob, "notebooks", { title: "Bob's" });
});
afterAll(() => app.close());

let keys = 0;

/** Sends a keyed request and returns what repeats it. */
async function sendKeyed(caller: Client, method: string, path: string, body: unknown) {
  keys += 1;
  const sent = { text: JSON.stringify(body), headers: { "idempotency-key": `key-${keys}` } };
  const repeat = () => caller.send<Row>(method, path, sent);
  const first = await repeat();
  expect(first.status, first.text).toBeLessThan(300);
  const accounts = await app.db.query<{ id: string }>("select id from service.users");
  for (const { id } of accounts) await dropOldest(app.db, id, { column: "body", maxBytes: 0 });
  return { first, repeat };
}

const post = (values: object = {}) =>
  sendKeyed(ada, "POST", "/notes", { notebookId: notebook.id, text: "tea", ...values });

test("a caller who may change a record but not get it receives the first response again, and 409 once the record has changed", async () => {
  const { id } = await created(ada, "notes", { notebookId: notebook.id, text: "tea" });
  const { first, repeat } = await sendKeyed(editor, "PATCH", `/notes/${id}`, { stars: 3 });
  expectRefusal(await editor.get(`/notes/${id}`), 404);
  const again = await repeat();
  expect([again.status, again.text, again.headers.etag]).toEqual([
    first.status,
    first.text,
    first.headers.etag,
  ]);
  await ada.patch(`/notes/${id}`, { body: "for nobody else" });
  expectRefusal(await repeat(), 409);
});

test("a record that was moved to another account is 409 once it has changed", async () => {
  const { first, repeat } = await post();
  expect((await repeat()).text).toBe(first.text);
  await app.db.query("update notes set notebook_id = $1 where id = $2", [
    foreign.id,
    first.body.id,
  ]);
  expectRefusal(await repeat(), 409);
});

test("a record that a policy now hides from the caller is 409", async () => {
  const { first, repeat } = await post();
  expect((await ada.patch(`/notes/${first.body.id}`, { text: "coffee" })).status).toBe(200);
  expect((await repeat()).body.text).toBe("coffee");
  expect((await ada.patch(`/notes/${first.body.id}`, { text: "kept back" })).status).toBe(200);
  expectRefusal(await ada.get(`/notes/${first.body.id}`), 403);
  expectRefusal(await repeat(), 409);
});

test("the record has only the fields that the caller may now read", async () => {
  const { first, repeat } = await post();
  await app.db.query("update notes set remark = 'secret', score = 7 where id = $1", [
    first.body.id,
  ]);
  const { status, body, headers } = await repeat();
  expect([status, Object.keys(body)]).toEqual([201, Object.keys(first.body)]);
  expect(Object.keys(body)).not.toContain("remark");
  expect(headers.location).toBe(first.headers.location);
  expect((await ada.get(`/notes/${first.body.id}`)).headers.etag).toBe(headers.etag);
});

test("a batch has its records as they are now, by one statement for each resource", async () => {
  const other = await created(ada, "notes", { notebookId: notebook.id, text: "other" });
  const create = (text: string) => ({ create: "notes", values: { notebookId: notebook.id, text } });
  const { repeat, first } = await sendKeyed(ada, "POST", "/_service/batch", {
    operations: [
      ...[1, 2, 3, 4, 5].map((at) => create(`note ${at}`)),
      { update: "notebooks", id: notebook.id, values: { title: "New" } },
      { delete: "notes", id: other.id },
      create("note 6"),
    ],
  });
  const made = (first.body as never as { data: readonly (Row | null)[] }).data;
  await app.db.query("update notes set remark = 'secret' where id = $1", [made[0]?.id]);
  await ada.patch(`/notes/${made[7]?.id}`, { text: "coffee" });
  const statements = vi.spyOn(pg.Client.prototype, "query");
  try {
    const { status, body } = await repeat();
    const { data } = body as never as { data: readonly (Row | null)[] };
    expect(status).toBe(200);
    expect(data.map((one) => one && [one.id, one.text ?? one.title])).toEqual([
      ...[1, 2, 3, 4, 5].map((at) => [made[at - 1]?.id, `note ${at}`]),
      ...[[notebook.id, "New"], null, [made[7]?.id, "coffee"]],
    ]);
    expect(Object.keys(data[0] ?? {})).toEqual(Object.keys(made[0] ?? {}));
    const texts = statements.mock.calls.map(([sent]: unknown[]) => textOf(sent));
    expect(texts.filter((text) => /\bxmin::text as version/.test(text))).toHaveLength(2);
  } finally {
    statements.mockRestore();
  }
  await ada.patch(`/notes/${made[3]?.id}`, { text: "kept back" });
  expectRefusal(await repeat(), 409);
});

test("what a policy reads besides does not count against the length of a batch's response", async () => {
  const operations = Array.from({ length: 100 }, (_, at) => ({
    create: "notes",
    values: { notebookId: notebook.id, text: `long ${at}` },
  }));
  const { repeat } = await sendKeyed(ada, "POST", "/_service/batch", { operations });
  await app.db.query("update notes set body = repeat('b', 90000) where text like 'long %'");
  const { status, body } = await repeat();
  expect(status).toBe(200);
  const { data } = body as never as { data: readonly Row[] };
  expect(data.map((one) => [one.text, String(one.body).length])).toEqual(
    operations.map((_, at) => [`long ${at}`, 90_000]),
  );
});

function textOf(sent: unknown): string {
  return typeof sent === "string" ? sent : String(Reflect.get(Object(sent), "text"));
}
