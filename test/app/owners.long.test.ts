import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookmarks } from "../../fixtures/apps/notes/generated/bookmarks/table.js";
import { notebooks } from "../../fixtures/apps/notes/generated/notebooks/table.js";
import { notes } from "../../fixtures/apps/notes/generated/notes/table.js";
import { notes as textNotes } from "../../fixtures/cases/text-owners/generated/notes/table.js";
import { pages } from "../../fixtures/cases/text-owners/generated/pages/table.js";
import { refuseOtherAccounts } from "../../runtime/app/start/start-checks.js";
import type { Table } from "../../runtime/resource/index.js";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { type Client, client, type Reply, type Row } from "../support/http/client.js";
import { pdf } from "../support/storage/stored.js";

let app: RunningApp;
let ada: Client;
let bob: Client;
let auditor: Client;
let editor: Client;
let adaId: string;
let bobId: string;
/** Ada's. */
let notebook: Row;
let note: Row;
let attachment: Row;
/** Bob's. */
let foreignNotebook: Row;
let foreignNote: Row;

const nowhere = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  app = await startApp("apps/notes");
  const [one, two, three, four] = await Promise.all(
    [null, null, "auditor", "editor"].map(async (role) => client(app.url, await app.signIn(role))),
  );
  [ada, bob, auditor, editor] = [one, two, three, four] as [Client, Client, Client, Client];
  [adaId, bobId] = (await Promise.all([idOf(ada), idOf(bob)])) as [string, string];
  notebook = await created(ada, "notebooks", { title: "Ada's", code: "A" });
  note = await created(ada, "notes", { notebookId: notebook.id, text: "secret tea", stars: 5 });
  attachment = await created(ada, "attachments", { noteId: note.id, name: "plan" });
  foreignNotebook = await created(bob, "notebooks", { title: "Bob's", code: "B", colour: "blue" });
  foreignNote = await created(bob, "notes", { notebookId: foreignNotebook.id, text: "coffee" });
  await created(bob, "notes", { notebookId: foreignNotebook.id, text: "tea", done: true });
});
afterAll(() => app.close());

async function idOf(caller: Client): Promise<string> {
  return (await caller.get<{ user: { id: string } }>("/auth/me")).body.user.id;
}

interface CursorPage {
  readonly data: readonly Row[];
  readonly meta: { readonly next: string | null };
}

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

async function texts(caller: Client, query = ""): Promise<unknown[]> {
  const { status, text, body } = await caller.list(`/notes?sort=text${query}`);
  expect(status, text).toBe(200);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map((row) => row.text);
}

describe("a caller to whom the rule applies as the owner only", () => {
  test("owns what they create, by the link or by the records on the way", async () => {
    expect(notebook.accountId).toBe(adaId);
    expect((await ada.get(`/notes/${note.id}`)).body).toEqual(note);
    expect((await ada.get(`/attachments/${attachment.id}`)).body).toEqual(attachment);
  });

  test("lists and counts own records", async () => {
    expect(await texts(ada)).toEqual(["secret tea"]);
    expect(await texts(bob)).toEqual(["coffee", "tea"]);
    expect(await texts(auditor)).toEqual(["coffee", "secret tea", "tea"]);
    expect(await texts(editor)).toEqual([]);
    expect(await texts(bob, "&filter[done]=true")).toEqual(["tea"]);
    expect(await texts(bob, "&q=TEA")).toEqual(["tea"]);
    const page = await bob.list("/notes?sort=text&page=2&perPage=1");
    expect(page.body.data.map((row) => row.text)).toEqual(["tea"]);
    const { body } = await bob.post<{ data: Row[] }>("/notes/_query", { where: {} });
    expect(body.data.map((row) => row.text).sort()).toEqual(["coffee", "tea"]);
  });

  test("sorts by own linked records, and treats others as missing", async () => {
    const labels: [label: string, noteId: unknown][] = [
      ["mine", note.id],
      ["none", null],
      ["theirs", foreignNote.id],
    ];
    for (const [label, noteId] of labels) {
      const author = noteId === foreignNote.id ? bob : ada;
      await created(author, "bookmarks", { label, noteId });
    }
    const sorted = async (caller: Client, sort: string) => {
      const { status, text, body } = await caller.list(`/bookmarks?sort=${sort}`);
      expect(status, text).toBe(200);
      const found = body.data.map(({ label }) => label);
      const walked: unknown[] = [];
      for (let next: string | null = ""; next !== null; ) {
        const address = `/bookmarks?sort=${sort}&perPage=1&cursor=${next}`;
        const page: Reply<CursorPage> = await caller.get<CursorPage>(address);
        walked.push(...page.body.data.map((one) => one.label));
        next = page.body.meta.next;
      }
      expect(walked).toEqual(found);
      return found;
    };
    // "coffee" is Bob's, "secret tea" is Ada's.
    expect(await sorted(ada, "note.text,label")).toEqual(["mine", "none", "theirs"]);
    expect(await sorted(ada, "note.text,-label")).toEqual(["mine", "theirs", "none"]);
    expect(await sorted(bob, "-note.text,label")).toEqual(["theirs", "mine", "none"]);
    expect(await sorted(bob, "note.createdAt,label")).toEqual(["theirs", "mine", "none"]);
    expect(await sorted(auditor, "note.text,label")).toEqual(["theirs", "mine", "none"]);
    expect(await sorted(auditor, "-note.notebook.title")).toEqual(["theirs", "mine", "none"]);
    expect(await sorted(ada, "-note.notebook.title,label")).toEqual(["mine", "none", "theirs"]);
    expect(await sorted(editor, "note.notebook.colour,-label")).toEqual(["theirs", "none", "mine"]);
    const books = "/notes?sort=notebook.title,text&include=bookmarks";
    const inside = `${books}&include[bookmarks][sort]=-note.notebook.title`;
    expect((await bob.list(inside)).body.data).toMatchObject([
      { text: "coffee", bookmarks: { data: [{ label: "theirs" }] } },
      { text: "tea" },
    ]);
    const counted = await bob.list(`${inside}&include[bookmarks][perPage]=0`);
    expect(counted.body.data).toMatchObject([{ bookmarks: { count: 1 } }, {}]);
  });

  test("walks own records by cursor", async () => {
    const seen: unknown[] = [];
    let next: string | null = "";
    while (next !== null) {
      const reply: Reply<CursorPage> = await bob.get<CursorPage>(
        `/notes?perPage=1&sort=text&cursor=${encodeURIComponent(next)}`,
      );
      expect(reply.status, reply.text).toBe(200);
      seen.push(...reply.body.data.map((row) => row.text));
      next = reply.body.meta.next;
    }
    expect(seen).toEqual(["coffee", "tea"]);
  });

  test("counts own records in statistics", async () => {
    const { body } = await bob.get("/notes/_stats?field=done&series=day");
    expect(body).toMatchObject({ total: 2, current: 2, values: { true: 1, false: 1 } });
    const books = await ada.get("/notebooks/_stats?field=colour");
    expect(books.body).toMatchObject({ total: 1, values: { red: 1, green: 0, blue: 0 } });
  });

  test("adds up own records", async () => {
    const sums = async (caller: Client) =>
      (await caller.get("/notes/_aggregate?sum=stars&by=done")).body as unknown;
    expect(await sums(ada)).toMatchObject({ data: [{ count: 1, sum: { stars: 5 } }] });
    expect(await sums(auditor)).toMatchObject({ data: [{ count: 2 }, { count: 1 }] });
    expectRefusal(await ada.get("/notes/_aggregate?sum=score"), 400, ["issues"]);
    expect((await auditor.get("/notes/_aggregate?sum=score")).status).toBe(200);
  });

  test("does not find another owner's record", async () => {
    for (const path of [`/notes/${foreignNote.id}`, `/notebooks/${foreignNotebook.id}`]) {
      expectRefusal(await ada.get(path), 404);
      expectRefusal(await ada.get(`${path}?fields=id`), 404);
      expectRefusal(await ada.patch(path, { title: "mine", text: "mine" }), 404);
      expectRefusal(await ada.patch(path, {}), 404);
      expectRefusal(await ada.put(path, { title: "mine", text: "mine" }), 404);
      expectRefusal(await ada.delete(path), 404);
      const headers = { "if-match": "*" };
      expectRefusal(await ada.send("DELETE", path, { headers }), 404);
      const text = JSON.stringify({ title: "mine", text: "mine" });
      expectRefusal(await ada.send("PATCH", path, { headers, text }), 404);
    }
    expect((await bob.get(`/notes/${foreignNote.id}`)).body).toEqual(foreignNote);
  });

  test("changes and deletes own records", async () => {
    const own = await created(ada, "notes", { notebookId: notebook.id, text: "draft" });
    expect((await ada.patch(`/notes/${own.id}`, { text: "better" })).body.text).toBe("better");
    const whole = await ada.put(`/notes/${own.id}`, { text: "whole" });
    expect(whole.body).toMatchObject({ text: "whole", notebookId: notebook.id });
    expect((await ada.delete(`/notes/${own.id}`)).status).toBe(204);
  });

  test("cannot give a record to another owner", async () => {
    const given = await ada.post("/notebooks", { title: "x", accountId: bobId });
    expectRefusal(given, 422, ["issues"]);
    expect(paths(given)).toEqual(["accountId"]);
    for (const body of [{ accountId: bobId }, { accountId: nowhere }]) {
      expect(paths(await ada.patch(`/notebooks/${notebook.id}`, body))).toEqual(["accountId"]);
    }
    const put = await ada.put(`/notebooks/${notebook.id}`, { title: "x", accountId: bobId });
    expect(paths(put)).toEqual(["accountId"]);
    const moved = await ada.patch(`/notes/${note.id}`, { notebookId: foreignNotebook.id });
    expect(paths(moved)).toEqual(["notebookId"]);
    const missing = await ada.patch(`/notes/${note.id}`, { notebookId: nowhere });
    expect(missing.body).toEqual(moved.body);
    const made = await ada.post("/notes", { notebookId: foreignNotebook.id, text: "x" });
    expect(paths(made)).toEqual(["notebookId"]);
    const deep = await ada.post("/attachments", { noteId: foreignNote.id, name: "x" });
    expect(paths(deep)).toEqual(["noteId"]);
    expect((await ada.get(`/notebooks/${notebook.id}`)).body).toEqual(notebook);
  });

  test("links only to records that it could get, from a resource open to all", async () => {
    expect((await ada.post("/bookmarks", { noteId: note.id })).status).toBe(201);
    const refused = await ada.post("/bookmarks", { noteId: foreignNote.id });
    expect(paths(refused)).toEqual(["noteId"]);
    expect((await auditor.post("/bookmarks", { noteId: foreignNote.id })).status).toBe(201);
    const empty = await created(ada, "bookmarks", {});
    const changed = await ada.patch(`/bookmarks/${empty.id}`, { noteId: foreignNote.id });
    expect(changed.body).toEqual(refused.body);
    expect((await ada.patch(`/bookmarks/${empty.id}`, { noteId: null })).status).toBe(200);
  });

  test("sees other owners' records neither in include nor through where", async () => {
    const shared = await created(auditor, "bookmarks", { noteId: foreignNote.id, label: "shared" });
    const seen = await ada.get(`/bookmarks/${shared.id}?include=note`);
    expect(seen.body).toMatchObject({ noteId: foreignNote.id, note: null });
    expect((await bob.get(`/bookmarks/${shared.id}?include=note`)).body.note).not.toBeNull();
    for (const [where, count] of [
      [{ note: { text: "coffee" } }, 0],
      [{ label: "shared", note: {} }, 0],
      [{ label: "shared", not: { note: {} } }, 1],
      [{ label: "shared", note: { notebook: { title: "Bob's" } } }, 0],
    ] as const) {
      const reply = await ada.list(`/bookmarks?where=${json(where)}`);
      expect(reply.body.meta.total, JSON.stringify(where)).toBe(count);
    }
    const books = await auditor.list("/notebooks?sort=title&include=notes");
    expect(books.body.data.map((row) => (row.notes as { data: Row[] }).data.length)).toEqual([
      1, 2,
    ]);
    const own = await ada.list("/notebooks?include=notes,account");
    expect(own.body.data).toHaveLength(1);
  });

  test("cannot see them through other spellings of the query", async () => {
    await created(auditor, "bookmarks", { noteId: foreignNote.id, label: "escaped" });
    const where = json({ label: "escaped", note: { text: "coffee" } });
    expect((await ada.list(`/bookmarks?wh%65re=${where}`)).body.data).toEqual([]);
    expect((await ada.get(`/bookmarks/_stats?wh%65re=${where}`)).body).toMatchObject({ total: 0 });
    const counted = await ada.get(`/bookmarks/_aggregate?%77here=${where}`);
    expect(counted.body).toMatchObject({ data: [{ count: 0 }] });
    const { body } = await ada.list("/bookmarks?incl%75de=note&filter[label]=escaped");
    expect(body.data.map((row) => row.note)).toEqual([null]);
    const [row] = body.data;
    expect((await ada.get(`/bookmarks/${row?.id}?%69nclude=note`)).body.note).toBeNull();
  });

  test("detects unique values of all owners, and nothing else", async () => {
    const taken = await ada.post("/notebooks", { title: "x", code: "B" });
    expect(paths(taken)).toEqual(["code"]);
    const upsert = { upsert: "notebooks", by: "code", values: { code: "B", title: "mine" } };
    const reply = await ada.post("/_service/batch", { operations: [upsert] });
    expectRefusal(reply, 422, ["index", "issues"]);
    expect(reply.body).toMatchObject({ issues: [{ index: 0, path: "code" }] });
    expect((await bob.get(`/notebooks/${foreignNotebook.id}`)).body.title).toBe("Bob's");
  });

  test("writes own records in batches", async () => {
    const reply = await ada.post<{ data: Row[] }>("/_service/batch", {
      operations: [
        { create: "notebooks", values: { title: "batch" } },
        { create: "notes", values: { notebookId: { ref: 0 }, text: "in a batch" } },
        { update: "notes", id: note.id, values: { stars: 4 } },
      ],
    });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.data[0]?.accountId).toBe(adaId);
    await ada.delete(`/notebooks/${reply.body.data[0]?.id}`);
    for (const operation of [
      { update: "notes", id: foreignNote.id, values: { stars: 1 } },
      { delete: "notes", id: foreignNote.id },
    ]) {
      expectRefusal(await ada.post("/_service/batch", { operations: [operation] }), 404, ["index"]);
    }
  });

  test("is not the owner because its role is named owner", async () => {
    const impostor = client(app.url, await app.signIn("owner"));
    expect(await texts(impostor)).toEqual([]);
    expectRefusal(await impostor.get(`/notes/${note.id}`), 404);
  });
});

describe("a caller whose role has the rule", () => {
  test("may change every record, and move it to records that they can get", async () => {
    const changed = await editor.patch(`/notes/${foreignNote.id}`, { stars: 3 });
    expect(changed.status, changed.text).toBe(200);
    expect(
      paths(await editor.patch(`/notes/${note.id}`, { notebookId: foreignNotebook.id })),
    ).toEqual(["notebookId"]);
    expectRefusal(await editor.delete(`/notes/${note.id}`), 404);
    expectRefusal(await auditor.patch(`/notes/${note.id}`, { stars: 1 }), 404);
  });
});

describe("a field with rules", () => {
  test("is hidden from callers who may not read it", async () => {
    expect(note).not.toHaveProperty("remark");
    expect(note).not.toHaveProperty("score");
    const seen = await auditor.get(`/notes/${note.id}`);
    expect(seen.body).toMatchObject({ remark: null, score: 0 });
    const keys = Object.keys(seen.body).filter((key) => key !== "remark" && key !== "score");
    expect(Object.keys((await ada.get(`/notes/${note.id}`)).body)).toEqual(keys);
    for (const query of [
      "filter[score]=0",
      "filter[score][gte]=0",
      `where=${json({ score: 0 })}`,
      `where=${json({ or: [{ remark: null }] })}`,
      "sort=score",
      "fields=score",
    ]) {
      const unknown = query.replaceAll("score", "nothing").replaceAll("remark", "nothing");
      const refused = await ada.list(`/notes?${query}`);
      expectRefusal(refused, 400, ["issues"]);
      expect(refused.text.replaceAll("score", "nothing").replaceAll("remark", "nothing")).toBe(
        (await ada.list(`/notes?${unknown}`)).text,
      );
      expect((await auditor.list(`/notes?${query}`)).status, query).toBe(200);
    }
    const inside = await ada.list(`/bookmarks?where=${json({ note: { score: 0 } })}`);
    expectRefusal(inside, 400, ["issues"]);
    const included = await ada.list("/notebooks?include=notes");
    expect(JSON.stringify(included.body)).not.toMatch(/remark|score/);
    for (const path of [
      "/notebooks?include=notes&include[notes][sort]=score",
      "/bookmarks?sort=note.score",
      "/attachments?sort=-note.score,name&cursor=",
      "/notebooks?include=notes&include[notes][fields]=score",
      "/notes/_aggregate?max=score",
      "/notes/_aggregate?sum=stars&sort=sum.score",
    ]) {
      const refused = await ada.get(path);
      expectRefusal(refused, 400, ["issues"]);
      const unknown = await ada.get(path.replace("score", "nothing"));
      expect(refused.text.replaceAll("score", "nothing")).toBe(unknown.text);
    }
  });

  test("is skipped in searches of callers who may not read it", async () => {
    await auditor.patch(`/notes/${note.id}`, { remark: "suspicious" });
    expectRefusal(await auditor.patch(`/notes/${note.id}`, { remark: "suspicious" }), 404);
    await editor.patch(`/notes/${note.id}`, { remark: "suspicious" });
    expect(await texts(auditor, "&q=suspicious")).toEqual(["secret tea"]);
    expect(await texts(ada, "&q=suspicious")).toEqual([]);
  });

  test("is refused from callers who may not write it, whatever the value", async () => {
    for (const value of [1, null, "x", { add: 1 }]) {
      const body = { score: value, text: "x", notebookId: notebook.id };
      const expected = { issues: [{ path: "score", message: "Not allowed" }] };
      expect((await ada.post("/notes", body)).body).toMatchObject(expected);
      expect((await ada.patch(`/notes/${note.id}`, body)).body).toMatchObject(expected);
      expect((await ada.put(`/notes/${note.id}`, body)).body).toMatchObject(expected);
    }
    const operations = [{ update: "notes", id: note.id, values: { score: 1 } }];
    const batch = await ada.post("/_service/batch", { operations });
    expect(batch.body).toMatchObject({
      issues: [{ index: 0, path: "score", message: "Not allowed" }],
    });
  });

  test("is incremented by callers who may write it, in their own records", async () => {
    const { stars } = (await ada.get(`/notes/${note.id}`)).body;
    const added = await ada.patch(`/notes/${note.id}`, { stars: { add: -1 } });
    expect(added.body.stars).toBe(Number(stars) - 1);
    for (const stars of [{ add: 1 }, { add: -1_000 }]) {
      expectRefusal(await ada.patch(`/notes/${foreignNote.id}`, { stars }), 404);
    }
    await ada.patch(`/notes/${note.id}`, { stars });
  });

  test("keeps its value on PUT", async () => {
    await app.db.query("update notes set score = 7, remark = 'kept' where id = $1", [note.id]);
    const put = await ada.put(`/notes/${note.id}`, { text: "secret tea" });
    expect(put.status, put.text).toBe(200);
    expect(put.body).not.toHaveProperty("score");
    const seen = await auditor.get(`/notes/${note.id}`);
    expect(seen.body).toMatchObject({ score: 7, remark: "kept", stars: null });
    const edited = await editor.put(`/notes/${note.id}`, {
      text: "secret tea",
      notebookId: notebook.id,
    });
    expect(paths(edited)).toEqual(["notebookId"]);
  });

  test("does not affect the tag for callers who may not read it", async () => {
    const before = (await ada.get(`/notes/${note.id}`)).headers.etag;
    const listed = await ada.get<{ meta: { etags: string[] } }>("/notes?etags=true");
    expect(listed.body.meta.etags).toEqual([before]);
    expect((await auditor.get(`/notes/${note.id}`)).headers.etag).not.toBe(before);
    const headers = { "if-match": String(before) };
    const text = JSON.stringify({ stars: 2 });
    expect((await ada.send("PATCH", `/notes/${note.id}`, { headers, text })).status).toBe(200);
    expectRefusal(await ada.send("PATCH", `/notes/${note.id}`, { headers, text }), 412);
  });

  test("takes no upload from callers who may not write it", async () => {
    const upload = { text: pdf, headers: { "content-type": "application/pdf" } };
    const path = "/_service/uploads/attachments/scan?name=a.pdf";
    expectRefusal(await ada.send("PUT", path, upload), 403);
    const taken = await auditor.send("PUT", path, upload);
    expect(taken.status, taken.text).toBe(201);
  });
});

describe("what a caller may do", () => {
  interface Described {
    readonly name: string;
    readonly can: Readonly<Record<string, unknown>>;
    readonly fields: readonly { name: string; readable: boolean; writable: boolean }[];
  }

  async function described(caller: Client): Promise<Described> {
    const { body } = await caller.get<{ data: Described[] }>("/_service/resources");
    const found = body.data.find(({ name }) => name === "notes");
    return found ?? expect.unreachable();
  }

  test("is listed for each action", async () => {
    const own = { list: "own", get: "own", stats: "own", create: "own", update: "own" };
    expect((await described(ada)).can).toEqual({ ...own, delete: "own" });
    expect((await described(editor)).can).toEqual({ ...own, update: true, delete: "own" });
    const read = { list: true, get: true, stats: true };
    expect((await described(auditor)).can).toEqual({ ...own, ...read, delete: "own" });
  });

  test("is listed for each field, by its own rules", async () => {
    const rights = async (caller: Client) =>
      Object.fromEntries(
        (await described(caller)).fields.map(({ name, readable, writable }) => [
          name,
          [readable, writable],
        ]),
      );
    expect(await rights(ada)).toMatchObject({
      text: [true, true],
      remark: [false, false],
      score: [false, false],
    });
    expect(await rights(editor)).toMatchObject({ remark: [false, true], score: [true, false] });
  });
});

test("a repeated write leaves out fields that its caller may no longer read", async () => {
  const role = "auditor";
  const token = await app.signIn(role);
  const caller = client(app.url, token);
  const own = await created(caller, "notebooks", { title: "Mine" });
  const sent = {
    text: JSON.stringify({ notebookId: own.id, text: "kept" }),
    headers: { "idempotency-key": "one", "content-type": "application/json" },
  };
  const first = await caller.send<Row>("POST", "/notes", sent);
  expect(first.body).toMatchObject({ text: "kept", score: 0 });
  await app.db.query("update service.users set role = null where id = $1", [await idOf(caller)]);
  const again = await caller.send<Row>("POST", "/notes", sent);
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect(again.status).toBe(201);
  expect(again.body).toMatchObject({ id: first.body.id, text: "kept" });
  expect(Object.keys(again.body)).toEqual(
    Object.keys(first.body).filter((key) => key !== "remark" && key !== "score"),
  );
});

test("an app starts only with the accounts setting that its descriptors need", () => {
  const starting = (enabled: boolean, ...tables: readonly Table<never>[]) => {
    const definition = { shapes: { create: {}, replace: {}, update: {} }, access: notes.access };
    const definitions = tables.map((table) => ({ ...definition, table }));
    return () => refuseOtherAccounts({ enabled }, definitions);
  };
  expect(starting(false, notebooks, notes)).toThrow(
    /^"accountId" of "notebooks" is a required link to users, but there are no users\b.*$/,
  );
  expect(starting(false, bookmarks, textNotes, pages)).not.toThrow();
  for (const [table, name] of [
    [textNotes, "notes"],
    [pages, "pages"],
  ] as const) {
    expect(starting(true, table)).toThrow(
      `auth.enabled is true, but the owner of "${name}" is a string`,
    );
  }
  const team = { groups: () => "select group_id from memberships" };
  const ofTeam: Table<never> = {
    ...textNotes,
    owner: { field: "id", column: "id", account: "text", team },
  };
  expect(starting(false, ofTeam)).not.toThrow();
  expect(starting(true, ofTeam)).toThrow(
    'auth.enabled is true, but members of "notes" are named by a string',
  );
  expect(starting(true, notebooks, notes)).not.toThrow();
});
