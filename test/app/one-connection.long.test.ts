import { randomUUID } from "node:crypto";
import { Router } from "express";
import type { App, AppOptions } from "service-runtime/app";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../runtime/db/index.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { createDatabase } from "../support/database/database.js";
import { type WatchedPools, watchPools } from "../support/database/watched-pool.js";
import { type Client, client, type Reply, type Row } from "../support/http/client.js";
import { upload } from "../support/storage/files.js";
import { pdf, putAvatar } from "../support/storage/stored.js";

/** Hooks and policies know no types here. */
// biome-ignore lint/suspicious/noExplicitAny: the app is written by the test.
type Given = any;

const own = { read: ["auditor", "owner"], write: ["owner"] };
const descriptors = new Map(
  Object.entries({
    books: {
      owner: "accountId",
      access: own,
      fields: {
        accountId: { type: "belongsTo", resource: "users", required: true, onDelete: "cascade" },
        title: { type: "string", required: true },
        code: { type: "string", unique: true },
        colour: { type: "enum", values: ["red", "green"], default: "red" },
        scan: { type: "file" },
      },
    },
    pages: {
      owner: "bookId.accountId",
      access: own,
      fields: {
        bookId: {
          type: "belongsTo",
          resource: "books",
          required: true,
          onDelete: "cascade",
          inverse: "pages",
        },
        text: { type: "string", required: true },
        stars: { type: "number", integer: true },
        remark: { type: "string", access: { read: ["auditor"], write: "signed-in" } },
      },
    },
    marks: {
      fields: { pageId: { type: "belongsTo", resource: "pages", required: true } },
    },
  }).map(([name, descriptor]) => [`${name}.json`, JSON.stringify(descriptor)]),
);

/** Does what own code may do in a write's transaction. */
async function readAndWrite({ resources, db, caller }: Given): Promise<void> {
  await Promise.all([resources.books.count(), db.query("select 1")]);
  await db.transaction((inner: Given) => inner.query("select 1"));
  await resources.pages.list({ where: { book: { colour: "red" } }, include: { book: true } });
  if (caller !== null) await resources.as(caller).books.list({ cursor: "" });
}

/** Own code at every place that takes some. */
function appCode(): Pick<AppOptions, "hooks" | "policies"> {
  const before = (...given: Given[]) => readAndWrite(given.at(-1)).then(() => undefined);
  const judge = (...given: Given[]) => readAndWrite(given.at(-1)).then(() => true);
  const hooks = {
    beforeCreate: before,
    beforeUpdate: before,
    beforeDelete: before,
    afterCreate: before,
    afterUpdate: before,
    afterDelete: before,
  };
  const policies = {
    list: () => true,
    get: () => true,
    stats: () => true,
    create: judge,
    update: judge,
    delete: judge,
  };
  return {
    hooks: {
      pages: hooks,
      marks: hooks,
      books: {
        ...hooks,
        afterCreate: async ({ id }: Given, { resources }: Given) => {
          await resources.pages.create({ bookId: id, text: "by a hook" });
        },
      },
    },
    policies: { pages: policies, marks: policies },
  };
}

let pools: WatchedPools;

beforeAll(() => {
  pools = watchPools();
});
afterAll(() => pools.close());

test("a second concurrent connection is detected, and a later one is not", async () => {
  const database = await createDatabase();
  const db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  await db.transaction(async ({ query }) => query("select 1"));
  await Promise.all([db.query("select 1"), db.query("select 1")]);
  expect(pools.seconds()).toEqual([]);
  await db.transaction(() => db.query("select 1"));
  expect(pools.seconds()).toHaveLength(1);
  await db.close();
  await database.drop();
});

// Without prepared statements every statement takes its connection from the pool.
test.for(["pool_size: 1, prepare: false", "pool_size: 2"])(
  "no request waits for a connection while it holds one (%s)",
  async (database) => {
    const app = await open(`database: { ${database} }`);
    const begun = pools.transactions();
    try {
      await everyRequest(app);
      expect(pools.seconds()).toEqual([]);
      expect(pools.transactions() - begun).toBeGreaterThan(30);
    } finally {
      await app.close();
    }
  },
);

function open(database: string): Promise<WrittenApp> {
  let app: App<Given> | null = null;
  const routes = Router();
  routes.post("/own", async (_request, response) => {
    const { resources, caller } = response.locals as Given;
    const { id } = await resources.books.create({ title: "own", accountId: caller.accountId });
    await app?.transaction(async (given: Given) => {
      await readAndWrite({ ...given, caller });
      await given.resources.books.update(id, { title: "owned" });
    });
    await app?.db.transaction((inner) => inner.query("select 1"));
    response.json(await resources.as(caller).books.get(id));
  });
  const settings = `
auth: { check_breached_passwords: false, registration: true, operators: [admin] }
server: { host: 127.0.0.1 }
${database}
`;
  const opened = startWrittenApp({ descriptors, settings, options: { routes, ...appCode() } });
  void opened.then((written) => {
    app = written.app;
  });
  return opened;
}

/** Every kind of request, one after the other, and some at once. */
async function everyRequest(app: WrittenApp): Promise<void> {
  const note = <Body>(expected: number, reply: Reply<Body>): Body => {
    expect(reply.status, reply.text).toBe(expected);
    return reply.body;
  };
  const [{ client: ada }, { client: bob }, { client: admin }] = [
    await app.caller(null),
    await app.caller("auditor"),
    await app.caller("admin"),
  ];
  await writes(ada, note);
  await reads(ada, note);
  await refusals(ada, note);
  await accounts({ app, admin }, note);
  note(200, await bob.list("/books?include=account"));
  note(200, await ada.post("/own", {}));
  const together = await Promise.all(
    Array.from({ length: 8 }, (_, at) => ada.post("/books", { title: `At once ${at}` })),
  );
  for (const reply of together) note(201, reply);
}

type Note = <Body>(expected: number, reply: Reply<Body>) => Body;

/** In a batch too, with an idempotency key and with a tag. */
async function writes(ada: Client, note: Note): Promise<void> {
  const scan = note(201, await upload(ada, "books/scan", "scan.pdf", pdf));
  const book = note(201, await ada.post("/books", { title: "Tea", code: "A", scan: scan.key }));
  const page = note(201, await ada.post("/pages", { bookId: book.id, text: "tea" }));
  const mark = note(201, await ada.post("/marks", { pageId: page.id }));
  const headers = { "if-match": "*" };
  const text = JSON.stringify({ text: "more" });
  note(200, await ada.send("PATCH", `/pages/${page.id}`, { text, headers }));
  note(200, await ada.put(`/pages/${page.id}`, { text: "other", bookId: book.id }));
  note(200, await ada.put(`/books/${book.id}`, { title: "other", code: "A", scan: scan.key }));
  note(412, await ada.send("PATCH", `/pages/${page.id}`, { text, headers: { "if-match": '"x"' } }));
  const keyed = { "idempotency-key": randomUUID() };
  const body = JSON.stringify({ text: "once", bookId: book.id });
  const once = await Promise.all(
    Array.from({ length: 5 }, () =>
      ada.send<Row>("POST", "/pages", { text: body, headers: keyed }),
    ),
  );
  for (const reply of once) note(201, reply);
  const operations = [
    { create: "books", values: { title: "batch" } },
    { create: "pages", values: { bookId: { ref: 0 }, text: "batch" } },
    { upsert: "books", by: "code", values: { code: "A", title: "upserted" } },
    { update: "pages", id: page.id, values: { stars: 2 } },
    { delete: "marks", id: mark.id },
  ];
  note(200, await ada.post("/_service/batch", { operations }));
  const refused = [...operations.slice(0, 3), { update: "pages", id: page.id, values: { no: 1 } }];
  note(422, await ada.post("/_service/batch", { operations: refused }));
  note(200, await ada.post("/_service/batch", { operations: refused, atomic: false }));
  const again = JSON.stringify({ operations: operations.slice(0, 3) });
  const other = { "idempotency-key": randomUUID() };
  note(200, await ada.send("POST", "/_service/batch", { text: again, headers: other }));
  note(200, await ada.send("POST", "/_service/batch", { text: again, headers: other }));
  const gone = note(201, await ada.post("/books", { title: "gone", scan: scan.key }));
  note(204, await ada.delete(`/books/${gone.id}`));
  note(201, await putAvatar(ada));
}

async function reads(ada: Client, note: Note): Promise<void> {
  const where = encodeURIComponent(JSON.stringify({ book: { colour: "red" } }));
  const listed = note(200, await ada.list(`/pages?where=${where}&include=book&etags=true&q=t`));
  note(200, await ada.list("/books?include=pages,account&sort=-title&cursor="));
  const id = String(listed.data[0]?.id);
  note(200, await ada.get(`/pages/${id}`));
  note(200, await ada.get(`/pages/${id}?include=book&fields=text`));
  note(200, await ada.send("HEAD", `/pages/${id}`));
  note(200, await ada.post("/pages/_query", { where: { stars: null }, include: { book: true } }));
  note(200, await ada.get(`/pages/_stats?where=${where}&series=day`));
  note(200, await ada.get("/books/_stats?field=colour"));
  note(200, await ada.get(`/pages/_aggregate?by=bookId,createdAt:month&sum=stars&where=${where}`));
  note(200, await ada.get("/_service/resources"));
}

/** What looks up its reasons after the write has failed. */
async function refusals(ada: Client, note: Note): Promise<void> {
  const { data } = (await ada.list("/books?filter[code]=A")).body;
  const nowhere = "00000000-0000-4000-8000-000000000000";
  note(422, await ada.post("/books", { title: "twice", code: "A" }));
  note(422, await ada.post("/books", { title: "x", scan: `books/scan/2026/01/${nowhere}-x.pdf` }));
  note(422, await ada.post("/pages", { bookId: nowhere, text: "x" }));
  note(422, await ada.post("/marks", { pageId: nowhere }));
  note(404, await ada.patch(`/pages/${nowhere}`, { text: "x" }));
  const page = note(201, await ada.post("/pages", { bookId: data[0]?.id, text: "marked" }));
  note(201, await ada.post("/marks", { pageId: page.id }));
  note(409, await ada.delete(`/pages/${page.id}`));
  note(409, await ada.delete(`/books/${data[0]?.id}`));
}

const password = "a password of the tests";

async function accounts(
  { app, admin }: { readonly app: WrittenApp; readonly admin: Client },
  note: Note,
): Promise<void> {
  const guest = client(app.url, null);
  const email = "new@example.com";
  const { token } = note(
    201,
    await guest.post<{ token: string }>("/auth/register", { name: "New", email, password }),
  );
  const fresh = client(app.url, token);
  note(401, await guest.post("/auth/token", { email, password: "another password" }));
  note(201, await guest.post("/auth/token", { email, password }));
  for (const way of ["password/forgot", "magic-link", "email-code", "email/send"]) {
    note(204, await guest.post(`/auth/${way}`, { email }));
  }
  const { user } = note(200, await fresh.get<{ user: { id: string } }>("/auth/me"));
  note(200, await fresh.patch("/auth/me", { name: "Newer" }));
  note(200, await fresh.get("/auth/sessions"));
  note(204, await fresh.post("/auth/password", { currentPassword: password, newPassword: email }));
  note(200, await fresh.post("/auth/passkeys/options", {}));
  note(201, await fresh.post("/books", { title: "goes along" }));
  const path = "/_service/accounts";
  note(200, await admin.get(`${path}?q=new`));
  note(200, await admin.patch(`${path}/${user.id}`, { role: "clerk" }));
  note(204, await admin.send("POST", `${path}/${user.id}/password-reset`));
  note(204, await admin.delete(`${path}/${user.id}/sessions`));
  const invited = { name: "Invited", email: "invited@example.com" };
  note(201, await admin.post(path, invited));
  note(422, await admin.post(path, invited));
  note(204, await admin.delete(`${path}/${user.id}`));
  note(200, await admin.get("/_service/account-events"));
}
