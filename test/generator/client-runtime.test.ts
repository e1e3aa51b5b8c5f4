import { expect, test } from "vitest";
import { clientOf, isApiError, NetworkError } from "../../templates/generated/client/runtime.js";

/** The types of a resource as a client of an app would have them. */
interface NoteTypes {
  name: "note-books";
  record: { id: string; title: string; createdAt: string; updatedAt: string };
  create: { title: string };
  where: { title?: string };
  references: { shelfId: "shelves" };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A client of one resource whose requests get these answers, the last one for ever. */
function clientWith(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = [];
  const answer = async (address: string | URL | Request, init: RequestInit = {}) => {
    const { method = "", headers, body } = init;
    const path = decodeURIComponent(String(address).replace("http://localhost/api", ""));
    sent.push({
      method,
      path,
      headers: headers as Sent["headers"],
      body: body && JSON.parse(String(body)),
    });
    const next = answers[Math.min(sent.length, answers.length) - 1];
    if (next instanceof Error || next === undefined) throw next;
    return next.clone();
  };
  const resources = { noteBooks: { name: "note-books", files: ["cover"], links: ["shelf"] } };
  const options = { url: "http://localhost/api/", token: "t", fetch: answer, timeout: 1000 };
  return { api: clientOf<{ noteBooks: NoteTypes }>(resources, options), sent };
}

const record = { id: "1", title: "A", createdAt: "x", updatedAt: "x" };
const page = { data: [record], meta: { page: 1, perPage: 20, total: 1, totalPages: 1 } };

function json(body: object, init?: ResponseInit): Response {
  return Response.json(body, init);
}

test("a query is written into the address, its conditions as JSON", async () => {
  const { api, sent } = clientWith(json(page));
  await api.noteBooks.list({ where: { title: "a&b" }, sort: ["-title"], perPage: 5 });
  expect(sent).toMatchObject([
    {
      method: "GET",
      path: '/note-books?etags=true&where={"title":"a&b"}&sort=-title&perPage=5',
      headers: { authorization: "Bearer t" },
    },
  ]);
});

test("all follows the cursors to the last page", async () => {
  const first = { data: [record], meta: { perPage: 1, next: "c" } };
  const { api, sent } = clientWith(
    json(first),
    json({ ...first, meta: { perPage: 1, next: null } }),
  );
  const seen: string[] = [];
  for await (const { title } of api.noteBooks.all()) seen.push(title);
  expect(seen).toEqual(["A", "A"]);
  expect(sent.map(({ path }) => /cursor=(.*)/.exec(path)?.[1])).toEqual(["", "c"]);
});

test("fields that the server sets are left out of a body, and a write has a key", async () => {
  const { api, sent } = clientWith(json(record, { headers: { etag: '"1"' } }));
  const changes: object = { ...record, title: "B", cover: "key", coverFile: {}, shelf: {} };
  await api.noteBooks.update("1", changes);
  await api.noteBooks.update("1", {}, { ifMatch: await api.noteBooks.get("1") });
  const [write, , matched] = sent;
  expect(write).toMatchObject({ method: "PATCH", path: "/note-books/1" });
  expect(write?.body).toEqual({ title: "B", cover: "key" });
  expect(write?.headers["idempotency-key"]).toMatch(/^\d+-\d+-\d+-\d+$/);
  expect(matched?.headers["if-match"]).toBe('"1"');
});

test("a read is sent three times, a write twice, before it fails without a response", async () => {
  const { api, sent } = clientWith(new TypeError("broken"));
  await expect(api.noteBooks.get("1")).rejects.toBeInstanceOf(NetworkError);
  expect(sent.length).toBe(3);
  await expect(api.noteBooks.create({ title: "A" })).rejects.toBeInstanceOf(NetworkError);
  expect(sent.length).toBe(5);
  expect(sent[3]?.headers["idempotency-key"]).toBe(sent[4]?.headers["idempotency-key"]);
});

test("a refusal has its status, its sentence and its issues", async () => {
  const issues = [{ path: "title", message: "is required" }];
  const { api } = clientWith(json({ error: "Invalid", issues }, { status: 422 }));
  const error: unknown = await api.noteBooks.create({ title: "" }).catch((cause) => cause);
  expect(isApiError(error, 422) && [error.error, error.issues]).toEqual(["Invalid", issues]);
});

test("a response from another server is not a record", async () => {
  const { api } = clientWith(new Response("<html>", { headers: { "content-type": "text/html" } }));
  await expect(api.noteBooks.get("1")).rejects.toMatchObject({
    status: 200,
    error: "/note-books/1 is not a response of this version of the API",
  });
});

test("a batch refers to records that it creates by the index of the operation", async () => {
  const { api, sent } = clientWith(json({ data: [record, record] }));
  await api.batch((batch) => {
    batch.noteBooks.create({ title: "A" });
    const { ref } = batch.noteBooks.create({ title: "B" });
    batch.noteBooks.update("1", { title: `${ref}` });
  });
  expect(sent[0]?.body).toEqual({
    operations: [
      { create: "note-books", values: { title: "A" } },
      { create: "note-books", values: { title: "B" } },
      { update: "note-books", id: "1", values: { title: "1" } },
    ],
  });
});
