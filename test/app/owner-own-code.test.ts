import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HookContext } from "../../runtime/own-code/index.js";
import { created, expectRefusal } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Row } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

const notes = `
owner: accountId
access: { read: [auditor, owner], write: [owner] }
fields:
  accountId: { type: belongsTo, resource: users, required: true }
  title: { type: string, required: true }
  secret: { type: string, default: kept, access: { read: [auditor], write: nobody } }
`;

interface Note {
  readonly title: string;
  readonly secret?: string;
}

let app: WrittenApp;
let ada: RuledCaller;
let bob: RuledCaller;
let auditor: RuledCaller;
/** What hooks and policies were given. */
const seen: unknown[] = [];
/** What is done with the resources of the next hook that runs. */
let within: ((context: HookContext<never>) => Promise<unknown>) | null = null;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([["notes.yaml", notes]]),
    options: {
      policies: {
        notes: {
          update: (_caller: unknown, note: unknown) => seen.push(note) > 0,
        },
      },
      hooks: {
        notes: {
          beforeCreate: async (values: unknown, context: HookContext<never>) => {
            if (within !== null) await within(context);
            const { title } = values as Note;
            return title === "for bob" ? { ...(values as Note), accountId: bob.id } : undefined;
          },
          beforeUpdate: (_changes: unknown, note: unknown) => {
            seen.push(note);
          },
        },
      } as never,
    },
  });
  ada = await app.caller(null);
  bob = await app.caller(null);
  auditor = await app.caller("auditor");
});
afterAll(() => app.close());

test("a hook may give a record to another owner, and its author does not see it again", async () => {
  const given = await ada.client.post<Row>("/notes", { title: "for bob" });
  expect(given.status, given.text).toBe(201);
  expect(given.body.accountId).toBe(bob.id);
  expectRefusal(await ada.client.get(`/notes/${given.body.id}`), 404);
  expect((await bob.client.get(`/notes/${given.body.id}`)).body).toEqual(given.body);
});

test("policies and hooks get whole records, for any caller", async () => {
  const note = await created(ada.client, "notes", { title: "mine" });
  expect(note).not.toHaveProperty("secret");
  seen.length = 0;
  const changed = await ada.client.patch(`/notes/${note.id}`, { title: "changed" });
  expect(changed.body).not.toHaveProperty("secret");
  expect(seen).toMatchObject([
    { title: "mine", secret: "kept" },
    { title: "mine", secret: "kept" },
  ]);
});

test("`resources.as` sees and writes what that caller may, and `resources` everything", async () => {
  const note = await created(ada.client, "notes", { title: "ada's" });
  type Client = {
    get(id: string): Promise<object | null>;
    count(): Promise<number>;
    update(id: string, changes: object): Promise<object>;
  };
  const found: unknown[] = [];
  within = async ({ resources }) => {
    within = null;
    const all = resources as unknown as { notes: Client; as(caller: object): { notes: Client } };
    const { notes: bobs } = all.as({ accountId: bob.id, role: null, sessionId: null });
    found.push(await bobs.get(note.id), await all.notes.get(note.id));
    found.push((await bobs.count()) < (await all.notes.count()));
    found.push(await bobs.update(note.id, { title: "x" }).catch(({ status }) => status));
  };
  await created(ada.client, "notes", { title: "asks" });
  expect(found).toEqual([
    null,
    expect.objectContaining({ id: note.id, secret: "kept" }),
    true,
    404,
  ]);
});

test("records that app code creates for a caller belong to the caller; without one the owner must be given", async () => {
  type Client = { create(values: object): Promise<Row> };
  const made: Row[] = [];
  within = async ({ resources }) => {
    within = null;
    made.push(
      await (resources as unknown as { notes: Client }).notes.create({ title: "a hook's" }),
    );
  };
  await created(ada.client, "notes", { title: "asks" });
  expect(made).toEqual([expect.objectContaining({ title: "a hook's", accountId: ada.id })]);
  const { notes } = app.app.resources as { notes: Client };
  await expect(notes.create({ title: "nobody's" })).rejects.toMatchObject({
    status: 422,
    issues: [{ path: "accountId" }],
  });
});

test("a cursor from another caller only pages through the caller's own list", async () => {
  for (const title of ["c1", "c2"]) await created(bob.client, "notes", { title });
  const page = (caller: RuledCaller, cursor: string) =>
    caller.client.get<{ data: Row[]; meta: { next: string | null } }>(
      `/notes?sort=title&perPage=1&cursor=${encodeURIComponent(cursor)}`,
    );
  const first = await page(auditor, "");
  const next = await page(ada, first.body.meta.next ?? "");
  expect(next.status, next.text).toBe(200);
  expect(next.body.data.every(({ accountId }) => accountId === ada.id)).toBe(true);
  const bySecret = await auditor.client.get<{ meta: { next: string | null } }>(
    "/notes?sort=secret&perPage=1&cursor=",
  );
  const cursor = encodeURIComponent(bySecret.body.meta.next ?? "");
  expectRefusal(await ada.client.get(`/notes?sort=secret&perPage=1&cursor=${cursor}`), 400, [
    "issues",
  ]);
});

test("a repeated write leaves out a field that its caller may no longer read", async () => {
  const { client: caller, id } = await app.caller("auditor");
  const note = await created(caller, "notes", { title: "repeated" });
  await app.db.query("update notes set account_id = $1 where id = $2", [bob.id, note.id]);
  const text = JSON.stringify({ title: "again" });
  const headers = { "idempotency-key": "lost" };
  expectRefusal(await caller.send("PATCH", `/notes/${note.id}`, { text, headers }), 404);
  await app.db.query("update notes set account_id = $1 where id = $2", [id, note.id]);
  const first = await caller.send<Row>("PATCH", `/notes/${note.id}`, { text, headers });
  expect(first.body).toMatchObject({ title: "again", secret: "kept" });
  await app.db.query("update service.users set role = null where id = $1", [id]);
  const again = await caller.send<Row>("PATCH", `/notes/${note.id}`, { text, headers });
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect(again.body).not.toHaveProperty("secret");
});

test("another caller's tag of a record does not pass If-Match for a caller who sees part of it", async () => {
  const note = await created(auditor.client, "notes", { title: "tagged" });
  const path = `/notes/${note.id}`;
  const whole = String((await auditor.client.get(path)).headers.etag);
  await app.db.query("update service.users set role = null where id = $1", [auditor.id]);
  const part = String((await auditor.client.get(path)).headers.etag);
  expect(part).not.toBe(whole);
  const text = JSON.stringify({ title: "x" });
  const send = (tag: string) =>
    auditor.client.send("PATCH", path, { text, headers: { "if-match": tag } });
  expectRefusal(await send(whole), 412);
  expect((await send(part)).status).toBe(200);
  await app.db.query("update service.users set role = 'auditor' where id = $1", [auditor.id]);
});

test.each([
  [{ accountId: "nope" }, '"accountId" must be the id of an account, which is a UUID, not "nope"'],
  [{ accountId: "" }, '"accountId" must be the id of an account, which is a UUID, not ""'],
  [{ id: "x" }, '"accountId" must be the id of an account, which is a UUID, not undefined'],
  [{ accountId: randomUUID(), role: 1 }, '"role" must be a string or null, not number'],
])("resources.as of %j is a TypeError that names the key", async (caller, message) => {
  let thrown: unknown;
  within = async ({ resources }) => {
    within = null;
    try {
      (resources as unknown as { as(caller: unknown): unknown }).as(caller);
    } catch (error) {
      thrown = error;
    }
  };
  await created(ada.client, "notes", { title: "as" });
  expect(thrown).toEqual(new TypeError(`resources.as: ${message}`));
});
