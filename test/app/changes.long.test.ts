import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { lockNumbers } from "../../runtime/db/index.js";
import { newSession } from "../support/accounts/accounts.js";
import { created } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { numberAll } from "../support/changes/numbered.js";
import type { Client, Row } from "../support/http/client.js";
import { type EventStream, openEvents, type StreamEvent } from "../support/http/event-stream.js";
import { upload } from "../support/storage/files.js";
import { pdf } from "../support/storage/stored.js";

const descriptors = new Map([
  [
    "products.yaml",
    `
changes: true
access: { write: [admin] }
fields:
  name: { type: string, required: true }
  price: { type: number, decimals: 2 }
  status: { type: enum, values: [draft, live], default: draft, required: true }
  cost: { type: number, access: { read: [admin] } }
`,
  ],
  [
    "notes.yaml",
    `
changes: true
owner: userId
access: { read: [admin, owner], write: [admin, owner] }
fields:
  userId: { type: belongsTo, resource: users, required: true }
  text: { type: text }
`,
  ],
  [
    "secrets.yaml",
    "changes: true\naccess: { read: [admin] }\nfields: { word: { type: string }, paper: { type: file } }\n",
  ],
  ["teams.yaml", "fields: { name: { type: string } }\n"],
  [
    "memberships.yaml",
    `
unique: [[teamId, userId]]
fields:
  teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade }
  userId: { type: belongsTo, resource: users, required: true, onDelete: cascade }
  note: { type: string }
`,
  ],
  [
    "projects.yaml",
    "fields: { teamId: { type: belongsTo, resource: teams, required: true, onDelete: cascade } }\n",
  ],
  [
    "tasks.yaml",
    `
changes: true
owner: { link: projectId.teamId, through: memberships }
access: { read: [admin, owner] }
fields:
  projectId: { type: belongsTo, resource: projects, required: true, onDelete: cascade }
  title: { type: string }
`,
  ],
  ["quiet.yaml", "fields: { word: { type: string } }\n"],
]);

let app: WrittenApp;
let admin: Client;
let adminToken: string;
let reader: { readonly id: string; readonly token: string; readonly client: Client };
const open: EventStream[] = [];
/** What a policy decides. */
let maySeeSecrets = true;

beforeAll(async () => {
  // They run as usual, but a test can let a minute pass.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"], shouldAdvanceTime: true });
  app = await startWrittenApp({
    descriptors,
    settings:
      'auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1, cors_origins: ["https://front.example"] }\nchanges: { streams: 6, streams_per_account: 4 }\n',
    options: { policies: { secrets: { list: () => maySeeSecrets } } },
  });
  const one = await app.caller("admin");
  admin = one.client;
  adminToken = await newSession(app.db, one.id);
});
beforeEach(async () => {
  const { id, client } = await app.caller(null);
  reader = { id, client, token: await newSession(app.db, id) };
});
afterEach(async () => {
  for (const stream of open.splice(0)) {
    stream.close();
    await stream.ended;
  }
});
/** A server that stops ends its streams at once, without an event. */
afterAll(async () => {
  const stream = await listen({ products: true });
  await app.close();
  await stream.ended;
  expect(stream.waiting).toEqual([]);
  vi.useRealTimers();
});

async function watch(
  what: object,
  { token = reader.token, ...headers }: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const stream = await openEvents(
    app.url,
    token,
    `/_service/changes?watch=${encodeURIComponent(JSON.stringify(what))}`,
    headers,
  );
  open.push(stream);
  return stream;
}

/** A stream that has begun. */
async function listen(what: object, headers: Readonly<Record<string, string>> = {}) {
  const stream = await watch(what, headers);
  const ready = await stream.next();
  expect(ready.event).toBe("ready");
  return stream;
}

async function product(values: object): Promise<Row> {
  const { body, status } = await admin.post<Row>("/products", values);
  expect(status).toBe(201);
  return body;
}

const outline = ({ event, data }: StreamEvent) => [event, data.op, data.id, data.changed];

test("a stream has every change, from any writer", async () => {
  const stream = await listen({ products: true });
  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  expect(stream.headers["content-encoding"]).toBeUndefined();
  const made = await product({ name: "Tea", price: 2 });
  const { cost: _, ...seen } = made;
  expect(await stream.next()).toEqual({
    event: "change",
    id: expect.any(String),
    data: {
      resource: "products",
      op: "create",
      id: made.id,
      record: seen,
      changed: ["name", "price", "status"],
    },
  });
  await admin.patch(`/products/${made.id}`, { price: 3 });
  expect((await stream.next()).data).toMatchObject({
    op: "update",
    record: { id: made.id, price: 3 },
    changed: ["price"],
  });
  await app.db.query("update products set name = 'Chai' where id = $1", [made.id]);
  expect(outline(await stream.next())).toEqual(["change", "update", made.id, ["name"]]);
  const operations = [{ update: "products", id: made.id, values: { status: "live" } }];
  expect((await admin.post("/_service/batch", { operations })).status).toBe(200);
  expect(outline(await stream.next())).toEqual(["change", "update", made.id, ["status"]]);
  await admin.delete(`/products/${made.id}`);
  expect((await stream.next()).data).toEqual({
    resource: "products",
    op: "delete",
    id: made.id,
    record: null,
    changed: null,
  });
});

test("fields that the reader may not read, or does not watch, are left out", async () => {
  const stream = await listen({ products: { fields: ["name"] } });
  const all = await listen({ products: true }, { token: adminToken });
  const { id } = await product({ name: "Tea", cost: 1 });
  expect((await stream.next()).data).toMatchObject({ record: { id, name: "Tea" } });
  await admin.patch(`/products/${id}`, { cost: 2 });
  await admin.patch(`/products/${id}`, { name: "Chai" });
  expect((await stream.next()).data).toEqual({
    resource: "products",
    op: "update",
    id,
    record: { id, name: "Chai" },
    changed: ["name"],
  });
  const costs = [await all.next(), await all.next()].map(({ data }) => data.record.cost);
  expect(costs.at(-1)).toBe(2);
});

test("a reader of a file's details only gets the change to another file", async () => {
  const stream = await listen({ secrets: { fields: ["paperFile"] } }, { token: adminToken });
  const { body: made } = await admin.post<Row>("/secrets", { word: "x" });
  expect((await stream.next()).data).toMatchObject({ op: "create", changed: [] });
  await admin.patch(`/secrets/${made.id}`, { word: "y" });
  const { key } = (await upload(admin, "secrets/paper", "paper.pdf", pdf)).body;
  await admin.patch(`/secrets/${made.id}`, { paper: key });
  expect((await stream.next()).data).toMatchObject({
    op: "update",
    record: { id: made.id, paperFile: { key } },
    changed: ["paper"],
  });
});

test("a record over 64 kB is null, and its change is still sent", async () => {
  const stream = await listen({ notes: true });
  const { body: made } = await reader.client.post<Row>("/notes", { text: "x".repeat(60_000) });
  expect((await stream.next()).data.record).toEqual(made);
  const long = await reader.client.patch(`/notes/${made.id}`, { text: "x".repeat(65_536) });
  expect(long.status).toBe(200);
  expect((await stream.next()).data).toEqual({
    ...{ resource: "notes", op: "update", id: made.id },
    ...{ record: null, changed: ["text"] },
  });
});

test("a record that begins to fulfil where is created for its reader; one that no longer does is deleted", async () => {
  const stream = await listen({ products: { where: { status: "live" } } });
  const { id } = await product({ name: "Tea" });
  await admin.patch(`/products/${id}`, { status: "live" });
  expect(outline(await stream.next()).slice(0, 3)).toEqual(["change", "create", id]);
  await admin.patch(`/products/${id}`, { status: "draft" });
  expect(outline(await stream.next())).toEqual(["change", "delete", id, null]);
  await admin.delete(`/products/${id}`);
  const { id: other } = await product({ name: "Mate", status: "live" });
  expect(outline(await stream.next()).slice(0, 3)).toEqual(["change", "create", other]);
});

test("an owner gets changes of own records only; records that change owner are created or deleted", async () => {
  const other = await app.caller(null);
  const stream = await listen({ notes: true });
  const everything = await listen({ notes: true }, { token: adminToken });
  const { body: foreign } = await other.client.post<Row>("/notes", { text: "not yours" });
  const { body: own } = await reader.client.post<Row>("/notes", { text: "yours" });
  expect(outline(await stream.next()).slice(1, 3)).toEqual(["create", own.id]);
  await admin.patch(`/notes/${foreign.id}`, { userId: reader.id });
  expect(outline(await stream.next()).slice(1, 3)).toEqual(["create", foreign.id]);
  await admin.patch(`/notes/${own.id}`, { userId: other.id });
  expect(outline(await stream.next()).slice(1, 3)).toEqual(["delete", own.id]);
  await admin.delete(`/notes/${own.id}`);
  await admin.delete(`/notes/${foreign.id}`);
  expect(outline(await stream.next()).slice(1, 3)).toEqual(["delete", foreign.id]);
  for (const op of ["create", "create", "update", "update", "delete", "delete"]) {
    expect((await everything.next()).data.op).toBe(op);
  }
});

test("a change of rights without a change of the record ends the streams of the accounts concerned", async () => {
  const made = async (resource: string, values: object) => {
    const answer = await admin.post<Row>(`/${resource}`, values);
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  const [mine, theirs] = [await made("teams", {}), await made("teams", {})];
  const projectId = await made("projects", { teamId: mine });
  const id = await made("memberships", { teamId: mine, userId: reader.id });
  const stream = await listen({ tasks: true });
  const task = await made("tasks", { projectId, title: "seen" });
  expect(outline(await stream.next()).slice(1, 3)).toEqual(["create", task]);
  // Of another team, and of nobody's rights.
  await made("memberships", { teamId: theirs, userId: (await app.caller(null)).id });
  await made("projects", { teamId: mine });
  await admin.patch(`/memberships/${id}`, { note: "still a member" });
  await admin.patch(`/tasks/${task}`, { title: "seen again" });
  expect(outline(await stream.next()).slice(1, 3)).toEqual(["update", task]);
  await admin.patch(`/projects/${projectId}`, { teamId: theirs });
  expect(await stream.next()).toMatchObject({ event: "reset", data: { reason: "rights" } });
  const member = await listen({ tasks: true });
  await admin.delete(`/memberships/${id}`);
  expect(await member.next()).toMatchObject({ event: "reset", data: { reason: "rights" } });
  const left = await listen({ tasks: true });
  await made("memberships", { teamId: theirs, userId: reader.id });
  expect(await left.next()).toMatchObject({ event: "reset", data: { reason: "rights" } });
  const emptied = await listen({ tasks: true });
  await app.db.query("truncate memberships");
  expect(await emptied.next()).toMatchObject({ event: "reset", data: { reason: "rights" } });
});

test("a stream has several changes of one transaction as one, and none that were rolled back", async () => {
  const stream = await listen({ products: { where: { status: "live" } } });
  const [id, passing] = [randomUUID(), randomUUID()];
  await app.db.transaction(async (tx) => {
    const insert = "insert into products (id, name, price, status) values ($1, 'Sum', 0, 'live')";
    await tx.query(insert, [id]);
    await tx.query(insert, [passing]);
    await tx.query("update products set price = 5 where id = $1", [id]);
    await tx.query("delete from products where id = $1", [passing]);
  });
  expect((await stream.next()).data).toMatchObject({ op: "create", id, record: { price: 5 } });
  await app.db.transaction(async (tx) => {
    await tx.query("update products set price = 6, status = 'draft' where id = $1", [id]);
    await tx.query("update products set price = 5, status = 'live' where id = $1", [id]);
  });
  await app.db.query("update products set name = 'Total' where id = $1", [id]);
  expect(outline(await stream.next())).toEqual(["change", "update", id, ["name"]]);
  await admin.delete(`/products/${id}`);
  expect(outline(await stream.next())).toEqual(["change", "delete", id, null]);
});

test("a stream after the position of a list misses no change since that list", async () => {
  const { id } = await product({ name: "before" });
  const { headers } = await reader.client.list("/products?position=true");
  const position = `${headers["changes-position"]}`;
  const one = await reader.client.get(`/products/${id}?position=true`);
  const queried = await reader.client.post("/products/_query", { position: true });
  for (const answer of [one, queried]) {
    expect(answer.status).toBe(200);
    expect(answer.headers["changes-position"]).toMatch(/./);
  }
  await admin.patch(`/products/${id}`, { name: "after" });
  const stream = await watch({ products: true }, { "last-event-id": position });
  expect((await stream.next()).event).toBe("ready");
  const events = [await stream.next()];
  while (events.at(-1)?.data.record?.name !== "after") events.push(await stream.next());
  const refused = await reader.client.get<{ issues: unknown }>("/quiet?position=true");
  expect(refused.status).toBe(400);
  expect(refused.body.issues).toEqual([
    {
      param: "position",
      message: 'quiet has no stream of changes: its descriptor needs "changes: true"',
    },
  ]);
});

test("a reader that reconnects gets the changes it missed, once", async () => {
  const stream = await listen({ products: true });
  const { id } = await product({ name: "one" });
  const last = await stream.next();
  stream.close();
  await admin.patch(`/products/${id}`, { name: "two" });
  await admin.patch(`/products/${id}`, { name: "three" });
  // What has its number is told together.
  await numberAll(app.db);
  const again = await listen({ products: true }, { "last-event-id": last.id ?? "" });
  expect((await again.next()).data).toMatchObject({ op: "update", record: { name: "three" } });
  await admin.delete(`/products/${id}`);
  expect(outline(await again.next()).slice(1, 3)).toEqual(["delete", id]);
});

/**
 * Begins after the position of a stream that was told more than it says: a break comes before the id at the end of some
 * events, another process has sent more, or a list was newer.
 */
async function resumed(watching: object, changes: readonly (() => Promise<unknown>)[]) {
  const stream = await watch(watching);
  const position = (await stream.next()).id ?? "";
  for (const change of changes) await change();
  // What has its number is told together.
  await numberAll(app.db);
  stream.close();
  const again = await listen(watching, { "last-event-id": position });
  const { id } = await product({ name: "the last", status: "live" });
  const { body: note } = await reader.client.post<Row>("/notes", { text: "the last" });
  const events: StreamEvent[] = [];
  do events.push(await again.next());
  while (![id, note.id].includes(events.at(-1)?.data.id));
  again.close();
  return events.slice(0, -1).map(outline);
}

/** Deletes a product, and creates it again with the same values. */
async function recreate(id: string): Promise<void> {
  await app.db.query("create table kept as select * from products where id = $1", [id]);
  await app.db.query("delete from products where id = $1", [id]);
  await app.db.query("insert into products table kept");
  await app.db.query("drop table kept");
}

test("a reader that is ahead of its position also gets later reversals", async () => {
  const live = { where: { status: "live" } };
  const { id: draft } = await product({ name: "Tea" });
  const { id: shown } = await product({ name: "Mate", status: "live" });
  const set = (id: string, values: object) => () => admin.patch(`/products/${id}`, values);

  let made = "";
  const create = async () => {
    made = (await product({ name: "Juice", status: "live" })).id;
  };
  const remove = () => admin.delete(`/products/${made}`);
  for (const products of [true, live]) {
    expect(await resumed({ products }, [create, remove])).toEqual([
      ["change", "delete", made, null],
    ]);
  }
  expect(
    await resumed({ products: live }, [
      set(draft, { status: "live" }),
      set(draft, { status: "draft" }),
    ]),
  ).toEqual([["change", "delete", draft, null]]);

  const named = { ...live, fields: ["name"] };
  expect(
    await resumed({ products: named }, [
      set(shown, { name: "Maté" }),
      set(shown, { name: "Mate" }),
    ]),
  ).toEqual([["change", "update", shown, []]]);
  const created = [["change", "create", shown, ["name"]]];
  expect(
    await resumed({ products: named }, [
      set(shown, { status: "draft" }),
      set(shown, { status: "live" }),
    ]),
  ).toEqual(created);
  expect(await resumed({ products: named }, [() => recreate(shown)])).toEqual(created);
  const unpriced = { where: { price: null }, fields: ["price"] };
  expect(await resumed({ products: unpriced }, [() => recreate(shown)])).toEqual([
    ["change", "create", shown, []],
  ]);

  const { body: note } = await admin.post<Row>("/notes", { text: "lent" });
  const { id: otherAdmin } = await app.caller("admin");
  const lend = (userId: string) => () => admin.patch(`/notes/${note.id}`, { userId });
  expect(await resumed({ notes: true }, [lend(reader.id), lend(otherAdmin)])).toEqual([
    ["change", "delete", note.id, null],
  ]);
});

test("a reader that resumes gets nothing about records that it may never see, or that look the same", async () => {
  const { id } = await product({ name: "Tea", status: "live" });
  const create = async () => {
    const { id: hidden } = await product({ name: "Juice" });
    await admin.patch(`/products/${hidden}`, { name: "Nectar" });
    await admin.delete(`/products/${hidden}`);
  };
  const cost = (value: number) => () => admin.patch(`/products/${id}`, { cost: value });
  const products = { where: { status: "live" }, fields: ["name", "price"] };
  expect(await resumed({ products }, [create, cost(1), cost(2)])).toEqual([]);
  const { id: priced } = await product({ name: "Coffee", price: 3 });
  const unpriced = { where: { price: null } };
  expect(await resumed({ products: unpriced }, [() => recreate(priced)])).toEqual([]);
  const other = await app.caller(null);
  const note = async () => {
    const { body } = await other.client.post<Row>("/notes", { text: "not yours" });
    await admin.patch(`/notes/${body.id}`, { text: "not yours either" });
    await admin.delete(`/notes/${body.id}`);
  };
  expect(await resumed({ notes: true }, [note])).toEqual([]);
});

test("a reader starts after the event that it names, else after the position in the address", async () => {
  const stream = await listen({ products: true });
  const { id } = await product({ name: "one" });
  const first = (await stream.next()).id ?? "";
  await admin.patch(`/products/${id}`, { name: "two" });
  const second = (await stream.next()).id ?? "";
  await admin.patch(`/products/${id}`, { name: "three" });
  await stream.next();
  const from = async (after: string, headers: Record<string, string> = {}) => {
    const path = `/_service/changes?watch=${encodeURIComponent('{"products":true}')}&after=${after}`;
    const one = await openEvents(app.url, reader.token, path, headers);
    const events = [await one.next(), await one.next()];
    one.close();
    return events.map(({ event, data }) => [event, data.changed]);
  };
  const rest = [
    ["ready", undefined],
    ["change", ["name"]],
  ];
  expect(await from(first)).toEqual(rest);
  expect(await from("nonsense", { "last-event-id": second })).toEqual(rest);
});

test("a page of another origin may name the event after which it starts", async () => {
  const headers = { origin: "https://front.example", "access-control-request-method": "GET" };
  const reply = await reader.client.send("OPTIONS", "/_service/changes", { headers });
  expect(reply.headers["access-control-allow-headers"]).toMatch(/,traceparent,Last-Event-ID$/);
});

test("a position that cannot be used makes the reader list again", async () => {
  const stream = await listen({ products: true });
  await product({ name: "one" });
  const id = (await stream.next()).id ?? "";
  const [log = "", release = "", n = ""] = id.split("-");
  const after = (position: string) => watch({ products: true }, { "last-event-id": position });
  const reason = async (position: string) => (await (await after(position)).next()).data;
  expect(await reason("nonsense")).toEqual({ reason: "unknown" });
  expect(await reason(`00000000-${release}-${n}`)).toEqual({ reason: "unknown" });
  expect(await reason(`${log}-${release}-zzzzzz`)).toEqual({ reason: "unknown" });
  expect(await reason(`${log}-0-${n}`)).toEqual({ reason: "schema" });
  await product({ name: "two" });
  await stream.next();
  await app.db.query("update service.changes set at = at - interval '8 days'");
  expect(await reason(id)).toEqual({ reason: "expired" });
  await app.db.query("update service.changes set at = at + interval '8 days'");
  await app.db.query(`insert into products (name) select 'many' from generate_series(1, 10001)`);
  await untilNumbered();
  expect(await reason(id)).toEqual({ reason: "behind" });
  await app.db.query("delete from products");
  // While these are numbered, a reader that begins gets some of them.
  await untilNumbered();
});

/** Until no committed change waits for its number. */
async function untilNumbered(): Promise<void> {
  const left = async () => {
    const [row] = await app.db.query<{ left: number }>(
      "select count(*)::int as left from service.changes_new",
    );
    return row?.left;
  };
  await expect.poll(left).toBe(0);
}

test("a reader that returns with other rights lists again", async () => {
  const stream = await listen({ products: true, notes: true });
  const { id } = await product({ name: "Tea" });
  const position = (await stream.next()).id ?? "";
  const other = await app.caller(null);
  const token = await newSession(app.db, other.id);
  const reset = { event: "reset", data: { reason: "rights" } };
  // Own records are those of another account. Everything else is the same for it.
  const asOther = { token, "last-event-id": position };
  expect(await (await watch({ products: true, notes: true }, asOther)).next()).toMatchObject(reset);
  const products = await listen({ products: true });
  await admin.patch(`/products/${id}`, { name: "Mate" });
  const shared = { token, "last-event-id": (await products.next()).id ?? "" };
  expect((await (await watch({ products: true }, shared)).next()).event).toBe("ready");
  await app.db.query("update service.users set role = 'admin' where id = $1", [reader.id]);
  for (const one of [stream, products]) await one.ended;
  const asAdmin = { "last-event-id": position };
  expect(await (await watch({ products: true, notes: true }, asAdmin)).next()).toMatchObject(reset);
});

test("a reader that got no change after its list also lists again if it returns with other rights", async () => {
  const { headers } = await reader.client.list("/products?position=true");
  const listed = `${headers["changes-position"]}`;
  const stream = await watch({ products: true }, { "last-event-id": listed });
  const ready = await stream.next();
  expect(ready.data).toEqual({ position: listed });
  await app.db.query("update service.users set role = 'admin' where id = $1", [reader.id]);
  await stream.ended;
  const again = await watch({ products: true }, { "last-event-id": ready.id ?? "" });
  expect(await again.next()).toMatchObject({ event: "reset", data: { reason: "rights" } });
});

test("a reader that missed many changes gets them in parts, and ends with the current records", async () => {
  const texts = (length: number) => `repeat('x', ${length})`;
  const stream = await listen({ notes: true });
  await app.db.query(
    `insert into notes (user_id, text) select $1, ${texts(20_000)} from generate_series(1, 60)`,
    [reader.id],
  );
  const known = new Map<string, string>();
  let position = "";
  while (known.size < 60) {
    const { data, id } = await stream.next();
    known.set(data.id, data.record.text);
    position = id ?? position;
  }
  stream.close();
  const ids = [...known.keys()];
  const { id: otherId } = await app.caller(null);
  await app.db.query(`update notes set text = ${texts(15_000)} where id = any($1)`, [ids]);
  await app.db.query("update notes set user_id = $2 where id = any($1)", [
    ids.slice(0, 20),
    otherId,
  ]);
  await app.db.query("delete from notes where id = any($1)", [ids.slice(10, 30)]);
  await app.db.query(`update notes set text = ${texts(30_000)} where id = any($1)`, [
    ids.slice(40),
  ]);
  const again = await listen({ notes: true }, { "last-event-id": position });
  const { body: last } = await reader.client.post<Row>("/notes", { text: "the last" });
  let parts = 0;
  for (let event = await again.next(); event.data.id !== last.id; event = await again.next()) {
    if (event.data.op === "delete") known.delete(event.data.id);
    else known.set(event.data.id, event.data.record.text);
    if (event.id !== null) parts += 1;
  }
  const there = await app.db.query<{ id: string; text: string }>(
    "select id, text from notes where user_id = $1 and id <> $2",
    [reader.id, last.id],
  );
  expect(there).toHaveLength(30);
  expect(known).toEqual(new Map(there.map(({ id, text }) => [id, text])));
  expect(parts).toBeGreaterThan(3);
  await app.db.query("delete from notes");
});

test("a change that cannot be read makes the reader list again", async () => {
  const { id } = await product({ name: "Tea", price: 1 });
  const stream = await listen({ products: true });
  await admin.patch(`/products/${id}`, { price: 2 });
  const position = (await stream.next()).id ?? "";
  await admin.patch(`/products/${id}`, { price: 3 });
  await stream.next();
  const damaged = await app.db.query(
    `update service.changes set before = before || '{"price": "much"}'
     where id = $1 and before ->> 'name' = 'Tea' and (before ->> 'price')::numeric = 2
     returning n`,
    [id],
  );
  expect(damaged).toHaveLength(1);
  const again = await watch({ products: true }, { "last-event-id": position });
  expect((await again.next()).event).toBe("ready");
  expect(await again.next()).toMatchObject({ event: "reset", data: { reason: "schema" } });
});

test("on every plan of PostgreSQL, a change that cannot be read affects no other", async () => {
  const { id: damaged } = await product({ name: "Tea" });
  const { id } = await product({ name: "Mate" });
  await admin.patch(`/products/${damaged}`, { name: "Juice" });
  await numberAll(app.db);
  await app.db.query(
    `update service.changes set before = before || '{"price": "much"}' where id = $1 and op = 'update'`,
    [damaged],
  );
  const [row] = await app.db.query<{ name: string }>("select current_database() as name");
  // Connections begin with it.
  const set = async (setting: string) => {
    await app.db.query(`alter database ${row?.name} ${setting}`);
    await app.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // The server may have to find out first that they have ended.
    const options = { timeout: 10_000 };
    return vi.waitUntil(() => listen({ products: true }).catch(() => null), options);
  };
  try {
    const stream = await set("set enable_nestloop = off");
    await admin.patch(`/products/${id}`, { name: "Maté" });
    await admin.patch(`/products/${id}`, { name: "Mate" });
    expect(outline(await stream.next()).slice(1, 3)).toEqual(["update", id]);
  } finally {
    await set("reset enable_nestloop");
  }
});

test("only readers of own records whose change cannot be read list again", async () => {
  const products = await listen({ products: true });
  const notes = await listen({ notes: true });
  const { body: note } = await reader.client.post<Row>("/notes", { text: "one" });
  expect(outline(await notes.next()).slice(1, 3)).toEqual(["create", note.id]);
  // Another process would number them meanwhile.
  const made = await app.db.transaction(async ({ query }) => {
    await query("select pg_advisory_xact_lock($1)", [lockNumbers.changes]);
    await reader.client.patch(`/notes/${note.id}`, { text: "two" });
    const damaged = await query(
      `update service.changes_new set before = before || '{"user_id": "nobody"}' where id = $1 returning id`,
      [note.id],
    );
    expect(damaged).toHaveLength(1);
    return product({ name: "Tea" });
  });
  expect(await notes.next()).toMatchObject({ event: "reset", data: { reason: "schema" } });
  expect(outline(await products.next()).slice(1, 3)).toEqual(["create", made.id]);
});

test("readers list again when a standby without the last changes becomes the primary", async () => {
  const stream = await listen({ products: true });
  const { id } = await product({ name: "Tea" });
  await stream.next();
  await app.db.query("delete from service.changes where id = $1", [id]);
  await app.db.query("update service.change_counter set n = n - 1");
  expect(await stream.next()).toMatchObject({ event: "reset", data: { reason: "unknown" } });
});

test("a truncate makes readers list again", async () => {
  const stream = await listen({ products: true });
  await app.db.query("truncate products");
  expect(await stream.next()).toMatchObject({ event: "reset", data: { reason: "schema" } });
  await stream.ended;
});

test("a stream ends once its token has ended, or its account has another role", async () => {
  const [signedOut, promoted, expired] = [
    await listen({ products: true }),
    await listen({ products: true }, { token: await newSession(app.db, reader.id) }),
    await listen({ products: true }, { token: await newSession(app.db, reader.id) }),
  ];
  const other = await app.caller(null);
  const disabled = await listen({ products: true }, { token: await newSession(app.db, other.id) });
  expect((await reader.client.send("GET", "/auth/me")).status).toBe(200);
  const bearer = { headers: { authorization: `Bearer ${reader.token}` } };
  expect((await reader.client.send("DELETE", "/auth/token", bearer)).status).toBe(204);
  expect(await signedOut.next()).toMatchObject({ event: "end", data: { status: 401 } });
  const signedOutEvent = { event: "end", data: { status: 401, error: "Sign in first" } };
  await app.db.query(
    `update service.sessions set expires_at = now()
     where id = (select id from service.sessions where user_id = $1 order by created_at desc, expires_at desc limit 1)`,
    [reader.id],
  );
  await app.db.query("update service.users set disabled_at = now() where id = $1", [other.id]);
  expect(await disabled.next()).toMatchObject(signedOutEvent);
  await disabled.ended;
  const first = await Promise.race(
    [promoted, expired].map(async (stream) => [stream, await stream.next()] as const),
  );
  expect(first[1]).toMatchObject(signedOutEvent);
  const left = first[0] === promoted ? expired : promoted;
  await app.db.query("update service.users set role = 'clerk' where id = $1", [reader.id]);
  await left.ended;
  expect(left.text()).toContain('event: reset\ndata: {"reason":"rights"}');
});

test("a comment is sent every 15 s, and a policy that refuses from now on ends the stream within a minute", async () => {
  const stream = await listen({ secrets: true, products: true }, { token: adminToken });
  const other = await listen({ products: true });
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.poll(() => stream.text().match(/^:$/gm)).toEqual([":", ":", ":", ":"]);
  await expect.poll(() => other.text().match(/^:$/gm)).toEqual([":", ":", ":", ":"]);
  maySeeSecrets = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await stream.next()).toMatchObject({
    event: "end",
    data: { status: 403, error: "You may not do this" },
  });
  await stream.ended;
  maySeeSecrets = true;
  const { id } = await product({ name: "Tea" });
  expect((await other.next()).data.id).toBe(id);
});

test("mistakes of a watch are reported, and a caller who may not list a resource is refused", async () => {
  const get = (query: string) =>
    reader.client.get<{ error: string; issues?: { param: string; message: string }[] }>(
      `/_service/changes${query}`,
    );
  const issue = async (watched: unknown) => {
    const text = typeof watched === "string" ? watched : JSON.stringify(watched);
    const { status, body } = await get(`?watch=${encodeURIComponent(text)}`);
    return [status, body.issues?.[0]?.message];
  };
  expect((await get("")).status).toBe(400);
  expect(await issue("{")).toEqual([
    400,
    'Must be a JSON object of resources, such as {"products":true}',
  ]);
  expect(await issue([])).toMatchObject([400, expect.any(String)]);
  expect(await issue({})).toEqual([400, "Must have 1 to 20 resources"]);
  expect(
    await issue(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`r${at}`, true]))),
  ).toEqual([400, "Must have 1 to 20 resources"]);
  expect(await issue({ quiet: true })).toEqual([
    400,
    '"quiet" is not a resource with a stream of changes',
  ]);
  expect(await issue({ products: false })).toMatchObject([400, expect.any(String)]);
  expect(await issue({ products: { sort: ["name"] } })).toMatchObject([400, expect.any(String)]);
  expect(await issue({ products: { fields: ["cost"] } })).toEqual([
    400,
    'products: "cost" is not a field',
  ]);
  expect(await issue({ notes: { where: { user: { name: "Ada" } } } })).toEqual([
    400,
    "notes: user is not a field to filter by",
  ]);
  let deep: object = {};
  for (let at = 0; at < 9; at += 1) deep = { and: [deep] };
  expect(await issue({ products: { where: deep } })).toMatchObject([
    400,
    expect.stringContaining("is nested more than 8 levels deep"),
  ]);
  const forbidden = await get(`?watch=${encodeURIComponent('{"secrets":true}')}`);
  expect([forbidden.status, forbidden.body.error]).toEqual([403, "You may not list secrets"]);
  // The query string of 8 kB that others have is too short for one in which each character is written as three.
  const long = { name: { in: Array.from({ length: 60 }, (_, at) => `${at}é`.repeat(20)) } };
  const fits = `?watch=${encodeURIComponent(JSON.stringify({ products: { where: long } }))}`;
  expect(fits.length).toBeGreaterThan(8_192);
  expect((await watch({ products: { where: long } })).status).toBe(200);
  const tooLong = JSON.stringify({ products: { where: { name: "x".repeat(8_192) } } });
  expect(await issue(tooLong)).toEqual([400, "Must be at most 8 kB"]);
  const accept = { accept: "image/png" };
  expect((await watch({ products: true }, accept)).status).toBe(406);
  expect((await watch({ products: true }, { accept: "application/json" })).status).toBe(200);
  expect((await watch({ products: true }, { accept: "text/event-stream" })).status).toBe(200);
  expect((await openEvents(app.url, null, "/_service/changes?watch={}")).status).toBe(401);
  const post = await reader.client.send("POST", "/_service/changes", { text: "{}" });
  expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

test("the streams of an account and of a process are limited", async () => {
  for (let at = 0; at < 4; at += 1) await listen({ products: true });
  expect((await watch({ products: true })).status).toBe(429);
  const more = { token: adminToken };
  const head = await reader.client.send("HEAD", `/_service/changes?watch={"products":true}`);
  expect(head.status).toBe(429);
  await listen({ products: true }, more);
  await listen({ products: true }, more);
  const refused = await watch({ products: true }, more);
  expect(refused.status).toBe(503);
  expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
});

test("of many streams opened at once, only the allowed number begins", async () => {
  const tokens: string[] = [];
  while (tokens.length < 12) {
    tokens.push(await newSession(app.db, (await app.caller(null)).id));
  }
  const asked = tokens.map((token) => watch({ products: true }, { token }));
  const statuses = (await Promise.all(asked)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array(6).fill(200), ...Array(6).fill(503)]);
  for (let at = 0; at < 8; at += 1) {
    const head = await reader.client.send("HEAD", `/_service/changes?watch={"products":true}`);
    expect(head.status).toBe(503);
  }
  await Promise.all(
    open.splice(0).map(async (stream) => {
      stream.close();
      await stream.ended;
    }),
  );
  // Neither a place that was not used nor one that was left stays taken.
  for (let at = 0; at < 8; at += 1) {
    const head = await reader.client.send("HEAD", `/_service/changes?watch={"products":true}`);
    expect([head.status, head.text]).toEqual([200, ""]);
  }
});

test("each of several owners gets changes of own records, together with records open to all", async () => {
  const others = await Promise.all([app.caller(null), app.caller(null)]);
  const tokens = await Promise.all(others.map(({ id }) => newSession(app.db, id)));
  const [one, two] = [
    await listen({ notes: true, products: true }, { token: tokens[0] ?? "" }),
    await listen({ notes: true, products: true }, { token: tokens[1] ?? "" }),
  ];
  const notes = await app.db.query<{ id: string }>(
    "insert into notes (user_id, text) select unnest($1::uuid[]), 'x' returning id",
    [others.map(({ id }) => id)],
  );
  const { id: shared } = await product({ name: "Tea" });
  const of = async (stream: EventStream) => [
    outline(await stream.next()).slice(1, 3),
    outline(await stream.next()).slice(1, 3),
  ];
  expect(await of(one)).toEqual([
    ["create", notes[0]?.id],
    ["create", shared],
  ]);
  expect(await of(two)).toEqual([
    ["create", notes[1]?.id],
    ["create", shared],
  ]);
  // From one to the other, while a third record changes: it is deleted for the one and created for the other.
  await app.db.query("update notes set user_id = $2 where id = $1", [notes[0]?.id, others[1]?.id]);
  expect(outline(await one.next()).slice(1, 3)).toEqual(["delete", notes[0]?.id]);
  expect(outline(await two.next()).slice(1, 3)).toEqual(["create", notes[0]?.id]);
});

test("a stream over HTTP/1.0 is not chunked", async () => {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding("utf8");
  let text = "";
  socket.on("data", (piece: string) => {
    text += piece;
  });
  const path = `/api/_service/changes?watch=${encodeURIComponent('{"products":true}')}`;
  socket.write(`GET ${path} HTTP/1.0\r\nauthorization: Bearer ${reader.token}\r\n\r\n`);
  await expect.poll(() => text).toContain("event: ready");
  const { id } = await product({ name: "Old" });
  await expect.poll(() => text).toContain(id);
  const [head = "", body = ""] = text.split("\r\n\r\n");
  expect(head.toLowerCase()).not.toContain("transfer-encoding");
  expect(body).toMatch(/^event: ready\ndata: \{"position":"[^"]+"\}\nid: .+\n\nevent: change\n/);
  socket.destroy();
});

test("a token that ends while many events are sent ends the stream between two events", async () => {
  const [stream, other] = [await listen({ notes: true }), await listen({ products: true })];
  stream.pause();
  // More than the buffers of the network take.
  await app.db.query(
    "insert into notes (user_id, text) select $1, repeat('long ', 2000) from generate_series(1, 3000)",
    [reader.id],
  );
  await app.db.query("delete from service.sessions where user_id = $1", [reader.id]);
  // Both are looked at together.
  await other.ended;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  stream.resume();
  await stream.ended;
  const blocks = stream.text().split("\n\n");
  expect(blocks.pop()).toBe("");
  expect(blocks.length).toBeLessThan(3_000);
  expect(blocks.at(-1)).toMatch(/^event: end\ndata: \{"status":401/);
  for (const block of blocks)
    expect(block).toMatch(/^event: (ready|change|end)\ndata: \{.*\}(\nid: .+)?$/);
  await app.db.query("delete from notes");
});

test("the change log names the account that wrote", async () => {
  const { id } = await product({ name: "mine" });
  await admin.patch(`/products/${id}`, { name: "still mine" });
  for (let first = 0; first < 40; first += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        created(reader.client, "notes", { text: `note ${first + at}` }),
      ),
    );
  }
  await admin.delete(`/products/${id}`);
  const me = (await admin.get<{ id: string; user?: { id: string } }>("/auth/me")).body;
  const rows = await app.db.query<{ account: string; count: number }>(
    `select account, count(*)::int as count
     from (select id, resource, account from service.changes union all select id, resource, account from service.changes_new) as all_changes
     where id = $1 or resource = 'notes' and account = $2
     group by account`,
    [id, reader.id],
  );
  expect(new Map(rows.map(({ account, count }) => [account, count]))).toEqual(
    new Map([
      [me.user?.id ?? me.id, 3],
      [reader.id, 40],
    ]),
  );
});
