import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paths } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Json } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";
import { download, upload } from "../support/storage/files.js";
import { pdf } from "../support/storage/stored.js";

let app: WrittenApp;
let editor: RuledCaller;
let auditor: RuledCaller;
let ada: RuledCaller;
let bob: RuledCaller;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "articles.yaml",
        `changes: { history: 30 }
access: { write: [editor], history: [editor, auditor] }
fields:
  title: { type: string, required: true }
  text: { type: text }
  price: { type: number, decimals: 2 }
  state: { type: enum, values: [draft, live], required: true, default: draft }
  topicId: { type: belongsTo, resource: topics }
  margin: { type: number, integer: true, access: { read: [editor] } }
  code: { type: string, access: { read: [auditor], write: [editor] } }
  scan: { type: file }
  letter: { type: file, private: true }
`,
      ],
      ["topics.yaml", "fields: { name: { type: string } }\n"],
      [
        "notes.yaml",
        `changes: { history: 30 }
owner: writerId
access: { read: [owner, editor], write: owner }
fields:
  writerId: { type: belongsTo, resource: users, required: true }
  text: { type: text }
`,
      ],
      ["plans.yaml", "changes: true\nfields: { name: { type: string } }\n"],
    ]),
    options: {
      hooks: {
        articles: {
          beforeUpdate: (values: { readonly title?: string }) =>
            values.title === "Shouted" ? { ...values, title: "SHOUTED" } : undefined,
        },
      },
    } as never,
  });
  [editor, auditor, ada, bob] = (await Promise.all(
    ["editor", "auditor", null, null].map((role) => app.caller(role)),
  )) as [RuledCaller, RuledCaller, RuledCaller, RuledCaller];
});
afterAll(() => app.close());

interface Change {
  readonly field: string;
  readonly from: Json;
  readonly to: Json;
  readonly cut?: true;
}

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly op: string;
  readonly by: { readonly id: string; readonly name: string } | null;
  readonly changes: readonly Change[];
}

interface History {
  readonly data: readonly Entry[];
  readonly meta: { readonly perPage: number; readonly next: string | null };
}

interface Reverted {
  readonly record: Readonly<Record<string, Json>>;
  readonly skipped: readonly string[];
}

async function made(resource: string, values: object, by: Client = editor.client) {
  const reply = await by.post(`/${resource}`, values);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
}

async function history(path: string, by: Client = editor.client, query = ""): Promise<History> {
  const reply = await by.get<History>(`${path}/_history${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

async function reverted(path: string, to: string | undefined, by: Client = editor.client) {
  return by.post<Reverted & { issues: { path: string; message: string }[] }>(`${path}/_revert`, {
    to,
  });
}

const shown = ({ data }: History) =>
  data.map(({ op, changes }) => [op, ...changes.map(({ field, from, to }) => [field, from, to])]);

test("a record's history has every change, newest first, also of a deleted record", async () => {
  const path = `/articles/${await made("articles", { title: "One", price: 1.5 })}`;
  await editor.client.patch(path, { text: "Words", price: { add: 0.5 } });
  await app.db.query("update articles set state = 'live' where id = $1", [path.slice(10)]);
  await editor.client.delete(path);
  const whole = await history(path);
  expect(shown(whole)).toEqual([
    [
      "delete",
      ["title", "One", null],
      ["text", "Words", null],
      ["price", 2, null],
      ["state", "live", null],
    ],
    ["update", ["state", "draft", "live"]],
    ["update", ["text", null, "Words"], ["price", 1.5, 2]],
    ["create", ["title", null, "One"], ["price", null, 1.5], ["state", null, "draft"]],
  ]);
  expect(whole.meta).toEqual({ perPage: 25, next: null });
  expect(whole.data[1]).toEqual({
    id: expect.any(String),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    op: "update",
    by: null,
    changes: [{ field: "state", from: "draft", to: "live" }],
  });
  const writer = { id: editor.id, name: "Caller 1" };
  expect(whole.data.map(({ by }) => by)).toEqual([writer, null, writer, writer]);
  const first = await history(path, editor.client, "?perPage=3");
  expect(first.data).toEqual(whole.data.slice(0, 3));
  const rest = await history(path, editor.client, `?perPage=3&cursor=${first.meta.next}`);
  expect(rest).toEqual({ data: whole.data.slice(3), meta: { perPage: 3, next: null } });
});

test("an entry names its writer to callers who may read profiles", async () => {
  const id = await made("articles", { title: "Signed" });
  await app.db.transaction(async (tx) => {
    await tx.query("select set_config('service.account', $1, true)", [editor.id]);
    await tx.query("update articles set text = 'x' where id = $1", [id]);
  });
  const { data } = await history(`/articles/${id}`, auditor.client);
  expect(data[0]?.by).toEqual({ id: editor.id, name: "Caller 1" });
});

test("long texts are cut in lists, and whole in an entry", async () => {
  const long = "é".repeat(1_001);
  const path = `/articles/${await made("articles", { title: "Long", text: long })}`;
  const [entry] = (await history(path)).data;
  const text = entry?.changes.find(({ field }) => field === "text");
  expect(text).toEqual({ field: "text", from: null, to: "é".repeat(1_000), cut: true });
  const whole = await editor.client.get<Entry>(`${path}/_history/${entry?.id}`);
  expect(whole.body).toEqual({
    ...entry,
    changes: entry?.changes.map((one) =>
      one.field === "text" ? { field: "text", from: null, to: long } : one,
    ),
  });
  for (const id of ["0", "x", "99999999", `${entry?.id}0`]) {
    expect((await editor.client.get(`${path}/_history/${id}`)).status).toBe(404);
  }
});

test("fields that the caller may not read are left out", async () => {
  const path = `/articles/${await made("articles", { title: "Margins", margin: 5 })}`;
  await editor.client.patch(path, { margin: 6 });
  expect(shown(await history(path, auditor.client))).toEqual([
    ["update"],
    ["create", ["title", null, "Margins"], ["state", null, "draft"]],
  ]);
});

test("callers outside of the rule are refused; a missing record or entry is not found", async () => {
  const id = await made("articles", { title: "Closed" });
  expect((await ada.client.get(`/articles/${id}/_history`)).status).toBe(403);
  expect((await reverted(`/articles/${id}`, "1", ada.client)).status).toBe(403);
  expect((await editor.client.get(`/articles/${randomUUID()}/_history`)).status).toBe(404);
  expect((await editor.client.get("/articles/x/_history")).status).toBe(404);
  const plan = await made("plans", { name: "x" });
  expect((await editor.client.get(`/plans/${plan}/_history`)).status).toBe(404);
  expect((await reverted(`/plans/${plan}`, "1")).status).toBe(404);
});

test.each(["perPage=0", "cursor=x", "sort=at"])("refuses _history?%s", async (query) => {
  const id = await made("articles", { title: `Query ${query}` });
  expect((await editor.client.get(`/articles/${id}/_history?${query}`)).status).toBe(400);
});

test("owners may read the history of own records; of a deleted record its last owner", async () => {
  const path = `/notes/${await made("notes", { text: "mine" }, ada.client)}`;
  await ada.client.patch(path, { text: "ours" });
  expect((await history(path, ada.client)).data).toHaveLength(2);
  expect((await bob.client.get(`${path}/_history`)).status).toBe(404);
  // The default is the rule of update.
  expect((await editor.client.get(`${path}/_history`)).status).toBe(404);
  await app.db.query("update notes set writer_id = $1 where id = $2", [bob.id, path.slice(7)]);
  expect((await ada.client.get(`${path}/_history`)).status).toBe(404);
  expect((await history(path, bob.client)).data).toHaveLength(3);
  await bob.client.delete(path);
  expect((await ada.client.get(`${path}/_history`)).status).toBe(404);
  expect((await history(path, bob.client)).data).toHaveLength(4);
});

test("a record is reverted to what it was after an entry, as a PUT writes it", async () => {
  const path = `/articles/${await made("articles", { title: "First", price: 3 })}`;
  await editor.client.patch(path, { title: "Second", text: "More", state: "live", price: null });
  const { data } = await history(path);
  const reply = await reverted(path, data.at(-1)?.id);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toEqual({
    record: expect.objectContaining({ title: "First", text: null, price: 3, state: "draft" }),
    skipped: [],
  });
  expect(reply.headers.etag).toBe((await editor.client.get(path)).headers.etag);
  expect((await history(path)).data).toHaveLength(3);
  // Hooks run.
  await app.db.query("update articles set title = 'Shouted' where id = $1", [path.slice(10)]);
  const [shouted] = (await history(path)).data;
  await editor.client.patch(path, { title: "Third" });
  expect((await reverted(path, shouted?.id)).body.record.title).toBe("SHOUTED");
});

test("a field that the caller may write is reverted, though the caller may not read it", async () => {
  const id = await made("articles", { title: "Coded", code: "former" });
  const path = `/articles/${id}`;
  await editor.client.patch(path, { code: "latter" });
  const reply = await reverted(path, (await history(path)).data.at(-1)?.id);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.record).not.toHaveProperty("code");
  const rows = await app.db.query("select code from articles where id = $1", [id]);
  expect(rows).toEqual([{ code: "former" }]);
});

test("If-Match is checked as for a PUT", async () => {
  const path = `/articles/${await made("articles", { title: "Matched" })}`;
  const etag = (await editor.client.get(path)).headers.etag;
  const [entry] = (await history(path)).data;
  await editor.client.patch(path, { text: "Later" });
  const text = JSON.stringify({ to: entry?.id });
  const send = (tag: string | undefined) =>
    editor.client.send("POST", `${path}/_revert`, { text, headers: { "if-match": tag } });
  expect((await send(etag)).status).toBe(412);
  // As nginx sends it on where it compresses.
  expect((await send(`W/${(await editor.client.get(path)).headers.etag}`)).status).toBe(200);
});

test("a request with an idempotency key reverts once", async () => {
  await app.db.query("delete from service.kept_answers");
  const file = await upload(editor.client, "articles/letter", "keyed.pdf", pdf);
  const first = { title: "Keyed", price: 3.5, margin: 7, letter: file.body.key };
  const path = `/articles/${await made("articles", first)}`;
  const { etag } = (await editor.client.patch(path, { title: "Later" })).headers;
  const created = (await history(path)).data.at(-1)?.id;
  const send = (key: string, to = created, headers = {}) =>
    editor.client.send("POST", `${path}/_revert`, {
      text: JSON.stringify({ to }),
      headers: { "idempotency-key": key, ...headers },
    });
  expect((await send("a b")).status).toBe(400);
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => send("once", created, { "if-match": etag })),
  );
  for (const { status, text, headers } of replies) {
    expect([status, headers.etag], text).toEqual([200, replies[0]?.headers.etag]);
    expect(JSON.parse(text)).toMatchObject({ record: { title: "Keyed", margin: 7 }, skipped: [] });
    expect(JSON.parse(text).record.letterFile.url).toContain("signature=");
  }
  const replayed = replies.map(({ headers }) => headers["idempotency-replayed"] ?? "");
  expect(replayed.toSorted()).toEqual(["", "true", "true", "true"]);
  expect((await history(path)).data).toHaveLength(3);
  expect((await send("once", "1")).status).toBe(422);

  // A body that is no longer stored is made again.
  await app.db.query("update service.kept_answers set body = null where key = 'once'");
  const again = await send("once", created, { "if-match": etag });
  expect([again.status, again.headers.etag]).toEqual([200, replies[0]?.headers.etag]);
  expect(JSON.parse(again.text)).toMatchObject({ record: { title: "Keyed" }, skipped: [] });

  // A deleted record that is created again.
  await editor.client.delete(path);
  const revived = await Promise.all([send("revive"), send("revive")]);
  expect(revived.map(({ status }) => status)).toEqual([200, 200]);
  expect((await send("revive")).headers["idempotency-replayed"]).toBe("true");
  expect(shown(await history(path)).map(([op]) => op)).toHaveLength(5);
});

test("a deleted record is created again under its id, with its file", async () => {
  const file = await upload(editor.client, "articles/scan", "scan.pdf", pdf);
  const id = await made("articles", { title: "Deleted", scan: file.body.key });
  const path = `/articles/${id}`;
  await editor.client.delete(path);
  const { data } = await history(path);
  expect((await reverted(path, data[0]?.id)).body.issues.map((one) => one.path)).toEqual(["to"]);
  const reply = await reverted(path, data[1]?.id);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.record).toMatchObject({ id, title: "Deleted", scan: file.body.key });
  expect((await editor.client.get(path)).status).toBe(200);
  expect((await download(app.url, file.body.url)).status).toBe(200);
  expect(shown(await history(path)).map(([op]) => op)).toEqual(["create", "delete", "create"]);
});

test("a record gets a private file back that another account uploaded", async () => {
  const other = await app.caller("editor");
  const [former, latter] = await Promise.all(
    ["former.pdf", "latter.pdf"].map(async (name) => {
      const file = await upload(editor.client, "articles/letter", name, pdf);
      return file.body.key;
    }),
  );
  const path = `/articles/${await made("articles", { title: "Sealed", letter: former })}`;
  await editor.client.patch(path, { letter: latter });
  const created = (await history(path)).data.at(-1);
  const reply = await reverted(path, created?.id, other.client);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.record).toMatchObject({ letter: former, letterFile: { name: "former.pdf" } });
  await editor.client.delete(path);
  const again = await reverted(path, created?.id, other.client);
  expect(again.status, again.text).toBe(200);
  expect(again.body.record).toMatchObject({ letter: former });
  // The key alone is not enough.
  expect(paths(await other.client.patch(path, { letter: latter }))).toEqual(["letter"]);
});

test("a deleted record that several callers restore at once exists once", async () => {
  for (let round = 0; round < 5; round += 1) {
    const path = `/articles/${await made("articles", { title: `Contested ${round}` })}`;
    await editor.client.delete(path);
    const created = (await history(path)).data[1];
    const replies = await Promise.all(Array.from({ length: 8 }, () => reverted(path, created?.id)));
    for (const { status, text } of replies) expect([200, 409], text).toContain(status);
    expect(replies.map(({ status }) => status)).toContain(200);
    expect((await editor.client.get(path)).status).toBe(200);
  }
});

test("the right to read a history does not include the right to revert", async () => {
  const path = `/articles/${await made("articles", { title: "Read only" })}`;
  const [entry] = (await history(path)).data;
  expect((await reverted(path, entry?.id, auditor.client)).status).toBe(403);
  // Before the body is judged, as for every write.
  expect((await reverted(path, "x", auditor.client)).status).toBe(403);
  await editor.client.delete(path);
  expect((await reverted(path, entry?.id, auditor.client)).status).toBe(403);
});

test("an entry that cannot be reverted to is refused", async () => {
  const path = `/articles/${await made("articles", { title: "Here" })}`;
  const other = `/articles/${await made("articles", { title: "There" })}`;
  const [elsewhere] = (await history(other)).data;
  for (const to of [elsewhere?.id, "0", "x", undefined]) {
    const reply = await reverted(path, to);
    expect(reply.status).toBe(422);
    expect(reply.body.issues.map((one) => one.path)).toEqual(["to"]);
  }
  for (const [sent, wrong] of [
    [{ to: (await history(path)).data[0]?.id, more: 1 }, ["more"]],
    [{ to: "x", more: 1, other: 1 }, ["more", "other", "to"]],
  ] as const) {
    const reply = await editor.client.post(`${path}/_revert`, sent);
    expect([reply.status, paths(reply).toSorted()]).toEqual([422, wrong]);
  }
});

test("a body that cannot be read is refused before a record that does not exist", async () => {
  for (const id of [randomUUID(), "x"]) {
    const send = (text: string, headers = {}) =>
      editor.client.send("POST", `/articles/${id}/_revert`, { text, headers });
    expect((await send("{")).status).toBe(400);
    expect((await send("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await send(JSON.stringify({ to: "1".repeat(2_000) }))).status).toBe(413);
    expect((await send("{}")).status).toBe(404);
  }
});

test("missing targets and dropped values are named; fields that no longer exist are skipped", async () => {
  const topic = await made("topics", { name: "Gone" });
  const id = await made("articles", { title: "Linked", topicId: topic });
  const path = `/articles/${id}`;
  await editor.client.patch(path, { topicId: null });
  await editor.client.delete(`/topics/${topic}`);
  await history(path);
  // As an older release had it.
  await app.db.query(
    `update service.changes
     set before = before || '{"state": "archived", "sold_out_at": "2026-01-01", "rank": 1}'
     where id = $1 and op = 'update'`,
    [id],
  );
  const created = (await history(path)).data.at(-1);
  const refused = await reverted(path, created?.id);
  expect(refused.status).toBe(422);
  expect(refused.body.issues.map((one) => one.path)).toEqual(["state", "topicId"]);
  await app.db.query(
    `update service.changes set before = before || '{"state": "live"}' where id = $1 and op = 'update'`,
    [id],
  );
  const dead = await reverted(path, created?.id);
  expect(dead.status).toBe(422);
  expect(dead.body.issues.map((one) => one.path)).toEqual(["topicId"]);
  // A value that the column's type no longer has.
  await app.db.query(
    `update service.changes set before = before || '{"topic_id": null, "price": "dear"}' where id = $1 and op = 'update'`,
    [id],
  );
  const reply = await reverted(path, created?.id);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body.skipped.toSorted()).toEqual(["rank", "soldOutAt"]);
  expect(reply.body.record).toMatchObject({ title: "Linked", state: "live" });
});

test("the descriptors say who may read histories", async () => {
  const can = async (by: RuledCaller) => {
    const { body } = await by.client.get<{ data: { name: string; can: { history?: unknown } }[] }>(
      "/_service/resources",
    );
    return Object.fromEntries(body.data.map((one) => [one.name, one.can.history]));
  };
  expect(await can(editor)).toEqual({ articles: true, notes: "own" });
  expect(await can(ada)).toEqual({ articles: false, notes: "own" });
});
