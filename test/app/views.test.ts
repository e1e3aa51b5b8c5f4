import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { expectRefusal, paths } from "../support/apps/shop.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let [ada, bob, clerk, chief]: RuledCaller[] = [];

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["tasks.yaml", "fields: { title: { type: string } }\n"],
      ["ledgers.yaml", "access: { list: [clerk] }\nfields: { title: { type: string } }\n"],
      ["plans.yaml", "fields: { title: { type: string } }\n"],
    ]),
    settings:
      "auth: { check_breached_passwords: false, operators: [chief] }\nserver: { host: 127.0.0.1 }\n",
    options: { policies: { plans: { list: ({ role }) => role === "clerk" } } },
  });
  [ada, bob, clerk, chief] = await Promise.all(
    [null, null, "clerk", "chief"].map((role) => app.caller(role)),
  );
});
beforeEach(() => app.db.query("delete from service.views"));
afterAll(() => app.close());

const path = "/_service/views";

function of(caller: RuledCaller | undefined): Client {
  return caller?.client ?? expect.unreachable();
}

interface View {
  readonly id: string;
  readonly name: string;
  readonly by: { readonly id: string; readonly name: string } | null;
}

async function made(caller: RuledCaller | undefined, values: object = {}): Promise<View> {
  const sent = { resource: "tasks", name: "Open", query: "filter[done]=false", ...values };
  const reply = await of(caller).post<View>(path, sent);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}

async function names(caller: RuledCaller | undefined, resource = "tasks"): Promise<string[]> {
  const reply = await of(caller).get<{ data: View[] }>(`${path}?resource=${resource}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.map(({ name }) => name);
}

test("a caller who may list a resource creates views of it, visible to all who may list it", async () => {
  const view = await made(ada);
  expect(view).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    resource: "tasks",
    name: "Open",
    query: "filter[done]=false",
    by: { id: ada?.id, name: "Caller 1" },
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const { body } = await of(bob).get(`${path}?resource=tasks`);
  expect(body).toEqual({ data: [view] });
  await made(bob, { name: "älter", query: "" });
  await made(bob, { name: "Zuletzt" });
  expect(await names(ada)).toEqual(["älter", "Open", "Zuletzt"]);
});

test("a caller who may not list a resource sees no views of it", async () => {
  for (const resource of ["ledgers", "plans"]) {
    expectRefusal(await of(ada).get(`${path}?resource=${resource}`), 403);
    expectRefusal(await of(ada).post(path, { resource, name: "", query: 1 }), 403);
    await made(clerk, { resource });
    expect(await names(clerk, resource)).toEqual(["Open"]);
  }
});

test("wrong parameters and values are reported", async () => {
  for (const query of ["", "?resource=", "?resource=nothing", "?resource=tasks&page=2"]) {
    expectRefusal(await of(ada).get(path + query), 400, ["issues"]);
  }
  const all = await of(ada).post(path, { resource: "nothing", name: " ", query: 1, by: null });
  expect(paths(all)).toEqual(["by", "name", "query", "resource"]);
  const long = { resource: "tasks", name: "x".repeat(101), query: "x".repeat(4001) };
  expect(paths(await of(ada).post(path, long))).toEqual(["name", "query"]);
  expect(paths(await of(ada).post(path, {}))).toEqual(["name", "query", "resource"]);
  const most = await made(ada, { name: "ñ".repeat(100), query: "😀".repeat(4000) });
  expect(paths(await of(ada).patch(`${path}/${most.id}`, { name: "", more: 1 }))).toEqual([
    "more",
    "name",
  ]);
  expect(paths(await of(ada).patch(`${path}/${most.id}`, { query: "a\0" }))).toEqual(["query"]);
});

test("only its author and operators change and delete it", async () => {
  const { id, ...view } = await made(ada);
  expectRefusal(await of(bob).patch(`${path}/${id}`, { name: "Mine" }), 403);
  // Values are judged last.
  expectRefusal(await of(bob).patch(`${path}/${id}`, { name: "" }), 403);
  expectRefusal(await of(bob).send("PATCH", `${path}/x`, { text: "{" }), 400);
  expectRefusal(await of(clerk).delete(`${path}/${id}`), 403);
  const renamed = await of(ada).patch(`${path}/${id}`, { name: "Mine" });
  expect([renamed.status, renamed.body]).toEqual([200, { ...view, id, name: "Mine" }]);
  const changed = await of(chief).patch(`${path}/${id.toUpperCase()}`, { query: "" });
  expect([changed.status, changed.body]).toEqual([200, { ...view, id, name: "Mine", query: "" }]);
  expect((await of(ada).patch(`${path}/${id}`, {})).body).toEqual(changed.body);
  expect((await of(chief).delete(`${path}/${id}`)).status).toBe(204);
  expectRefusal(await of(ada).delete(`${path}/${id}`), 404);
  expectRefusal(await of(ada).patch(`${path}/${id}`, { name: "x" }), 404);
  expectRefusal(await of(ada).patch(`${path}/${id}`, { name: "" }), 404);
  expectRefusal(await of(ada).delete(`${path}/x`), 404);
  expect((await of(ada).delete(`${path}/${(await made(ada)).id}`)).status).toBe(204);
});

test("a resource has at most a hundred, even if several are created at once", async () => {
  await app.db.query(
    `insert into service.views (resource, name, query)
     select 'tasks', 'v' || n, '' from generate_series(1, 97) as n`,
  );
  const replies = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => of(ada).post(path, { resource: "tasks", name: `${n}`, query: "" })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
  await made(clerk, { resource: "ledgers" });
});

test("the views of a deleted account stay, without an author", async () => {
  const gone = await app.caller(null);
  const view = await made(gone);
  expect((await of(chief).delete(`/_service/accounts/${gone.id}`)).status).toBe(204);
  const { body } = await of(ada).get(`${path}?resource=tasks`);
  expect(body).toEqual({ data: [{ ...view, by: null }] });
  expectRefusal(await of(ada).delete(`${path}/${view.id}`), 403);
  expect((await of(chief).delete(`${path}/${view.id}`)).status).toBe(204);
});
