import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type Client, client, type Row } from "../support/http/client.js";

// Owners where the app has a sign-in of its own: accounts are texts. A token is `<account>` or `<account>:<role>`.

const descriptors = new Map([
  [
    "notes.yaml",
    `owner: author
access: { read: [auditor, owner], create: [editor, owner], update: [editor, owner], delete: owner }
unique: [[author, title]]
fields:
  author: { type: string, required: true }
  title: { type: string, required: true }
  stars: { type: number, integer: true }
`,
  ],
  [
    "pages.yaml",
    `owner: noteId.author
access: { read: owner, write: owner }
fields:
  noteId: { type: belongsTo, resource: notes, required: true, inverse: pages }
  text: { type: string }
`,
  ],
  [
    "marks.yaml",
    `fields:
  noteId: { type: belongsTo, resource: notes }
`,
  ],
]);

const settings = "auth: { enabled: false }\nserver: { host: 127.0.0.1 }\n";
const ids = { ada: "auth0|ada", bob: "user_2b'; drop table notes --" };

let app: WrittenApp;
let [ada, bob, editor, auditor]: Client[] = [];
let note: Row;
let foreign: Row;

const as = (account: string, role = "") => {
  return client(app.url, Buffer.from(JSON.stringify([account, role])).toString("base64url"));
};

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors,
    settings,
    options: {
      authenticate: async (request) => {
        const token = request.headers.authorization?.split(" ")[1];
        if (token === undefined) return null;
        const [accountId, role] = JSON.parse(Buffer.from(token, "base64url").toString());
        return { accountId, role: role === "" ? null : role, sessionId: null };
      },
    },
  });
  [ada, bob, editor, auditor] = [
    as(ids.ada),
    as(ids.bob),
    as("editor", "editor"),
    as("auditor", "auditor"),
  ];
  note = await created(someone(ada), "notes", { title: "Ada's", stars: 1 });
  foreign = await created(someone(bob), "notes", { title: "Bob's", stars: 5 });
  await created(someone(bob), "notes", { title: "More", stars: 4 });
  await created(someone(ada), "pages", { noteId: note.id, text: "one" });
  await created(someone(bob), "pages", { noteId: foreign.id, text: "two" });
});
afterAll(() => app.close());

function someone(caller: Client | undefined): Client {
  return caller ?? expect.unreachable();
}

async function titles(caller: Client | undefined, query = ""): Promise<unknown[]> {
  const { status, text, body } = await someone(caller).list(`/notes?sort=title${query}`);
  expect(status, text).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map((row) => row.title);
}

describe("a caller whom `authenticate` names", () => {
  test("owns what they create", () => {
    expect([note.author, foreign.author]).toEqual([ids.ada, ids.bob]);
  });

  test("lists, counts and reads own records", async () => {
    expect(await titles(ada)).toEqual(["Ada's"]);
    expect(await titles(bob)).toEqual(["Bob's", "More"]);
    expect(await titles(bob, "&filter[stars][gte]=5")).toEqual(["Bob's"]);
    expect(await titles(auditor)).toEqual(["Ada's", "Bob's", "More"]);
    expect(await titles(as("nobody"))).toEqual([]);
    const stats = await someone(bob).get("/notes/_stats");
    expect(stats.body).toMatchObject({ total: 2 });
    const sums = await someone(bob).get("/notes/_aggregate?sum=stars");
    expect(sums.body).toMatchObject({ data: [{ count: 2, sum: { stars: 9 } }] });
    expect((await someone(ada).get(`/notes/${note.id}`)).body).toEqual(note);
    expectRefusal(await someone(ada).get(`/notes/${foreign.id}`), 404);
    const cursor = await someone(bob).list("/notes?cursor=&perPage=1");
    expect(cursor.body.data).toHaveLength(1);
  });

  test("sees own records at the end of a path, and no others", async () => {
    const own = await someone(ada).list("/pages?include=note");
    expect(own.body.data).toEqual([expect.objectContaining({ text: "one", note })]);
    expect(own.body.meta.total).toBe(1);
    const pages = await someone(bob).list("/notes?include=pages&sort=title");
    expect(pages.body.data[0]).toMatchObject({ pages: { data: [{ text: "two" }], more: false } });
    const mark = await created(someone(bob), "marks", { noteId: foreign.id });
    const shown = await someone(ada).get(`/marks/${mark.id}?include=note`);
    expect(shown.body).toMatchObject({ noteId: foreign.id, note: null });
    const where = encodeURIComponent(JSON.stringify({ note: { stars: 5 } }));
    expect((await someone(ada).list(`/marks?where=${where}`)).body.meta.total).toBe(0);
    expect((await someone(bob).list(`/marks?where=${where}`)).body.meta.total).toBe(1);
  });

  test("neither creates a record for another account nor gives one away", async () => {
    const given = await someone(ada).post("/notes", { title: "x", author: ids.bob });
    expect(paths(given)).toEqual(["author"]);
    const moved = await someone(ada).patch(`/notes/${note.id}`, { author: ids.bob });
    expect(paths(moved)).toEqual(["author"]);
    const same = await someone(ada).patch(`/notes/${note.id}`, { author: ids.ada, stars: 2 });
    expect([same.status, same.body.author]).toEqual([200, ids.ada]);
    const put = await someone(ada).put(`/notes/${note.id}`, { title: "Ada's", stars: 1 });
    expect([put.status, put.body.author]).toEqual([200, ids.ada]);
    for (const noteId of [foreign.id, "00000000-0000-4000-8000-000000000000"]) {
      const linked = await someone(ada).post("/pages", { noteId });
      expectRefusal(linked, 422, ["issues"]);
      expect(linked.body).toMatchObject({
        issues: [{ path: "noteId", message: "No such record" }],
      });
    }
    const marked = await someone(ada).post("/marks", { noteId: foreign.id });
    expectRefusal(marked, 422, ["issues"]);
    expect((await someone(ada).post("/marks", { noteId: null })).status).toBe(201);
  });

  test("cannot change or delete other accounts' records", async () => {
    expectRefusal(await someone(ada).patch(`/notes/${foreign.id}`, { stars: 0 }), 404);
    expectRefusal(await someone(ada).delete(`/notes/${foreign.id}`), 404);
    const values = { author: ids.bob, title: "Bob's", stars: 0 };
    const upsert = await someone(ada).post("/_service/batch", {
      operations: [{ upsert: "notes", by: "author+title", values }],
    });
    expectRefusal(upsert, 422, ["index", "issues"]);
    expect((await someone(bob).get(`/notes/${foreign.id}`)).body).toMatchObject({ stars: 5 });
  });

  test("may name any account with a role, and is the owner otherwise", async () => {
    const named = await created(someone(editor), "notes", { title: "Sent", author: "carl" });
    const own = await created(someone(editor), "notes", { title: "Kept" });
    expect([named.author, own.author]).toEqual(["carl", "editor"]);
    expect(await titles(as("carl"))).toEqual(["Sent"]);
    const moved = await someone(editor).patch(`/notes/${named.id}`, { author: "carla" });
    expect([moved.status, moved.body.author]).toEqual([200, "carla"]);
    expect(await titles(as("carl"))).toEqual([]);
    expect((await as("carla").delete(`/notes/${named.id}`)).status).toBe(204);
    expect((await someone(editor).delete(`/notes/${own.id}`)).status).toBe(204);
  });
});

test("app code must name the owner, or act for a caller", async () => {
  const caller = { accountId: ids.ada, role: null, sessionId: null };
  const notes = app.app.resources as unknown as {
    notes: { create(values: object): Promise<Row> };
    as(caller: object): {
      notes: { create(values: object): Promise<Row>; get(id: string): unknown };
    };
  };
  await expect(notes.notes.create({ title: "x" })).rejects.toMatchObject({ status: 422 });
  const made = await notes.as(caller).notes.create({ title: "By code" });
  expect(made.author).toBe(ids.ada);
  expect(await notes.as(caller).notes.get(foreign.id)).toBeNull();
  expect(() => notes.as({ ...caller, accountId: "" })).toThrow(
    new TypeError('resources.as: "accountId" must be a string, not ""'),
  );
  await app.db.query("delete from notes where id = $1", [made.id]);
});

test("an index sorts the newest records of each account", async () => {
  const [plan] = await app.db.query<{ "QUERY PLAN": string }>(
    "select indexdef as \"QUERY PLAN\" from pg_indexes where indexname = 'notes__author__index'",
  );
  expect(plan?.["QUERY PLAN"]).toMatch(/\(author, created_at DESC, id DESC\)$/);
});
