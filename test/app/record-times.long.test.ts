import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import type { ImportRequest } from "../../runtime/data/index.js";
import { findDrift } from "../../runtime/migrate/index.js";
import { formatProblem } from "../../runtime/values/problem.js";
import { newSession } from "../support/accounts/accounts.js";
import type { End } from "../support/apps/importing-shop.js";
import { type SpelledApps, startSpelledApps } from "../support/apps/spelled-apps.js";
import { openTaskApp, usualImport } from "../support/apps/task-app.js";
import type { WrittenApp } from "../support/apps/written-app.js";
import { expectedIn } from "../support/database/drift.js";
import type { Client } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";

/** `‹…›` stands for the names of columns, and is left out of the usual app. */
const written: readonly (readonly [string, string])[] = [
  [
    "orders.yaml",
    `‹createdAt: Created›
‹updatedAt: { column: "changed 'at'" }›
changes: { history: 30 }
access:
  update: { who: signed-in, where: { createdAt: { gt: "2020-01-01T00:00:00Z" } } }
fields:
  name: { type: string, required: true, unique: true }
  state: { type: enum, values: [new, done], required: true, default: new }
indexes: [[state, -createdAt], [-updatedAt]]
`,
  ],
  [
    "lines.yaml",
    `‹createdAt: made›
trash: true
fields:
  orderId: { type: belongsTo, resource: orders, inverse: lines }
  parentId: { type: belongsTo, resource: lines, required: false, inverse: parts }
  text: { type: string }
`,
  ],
];

let both: SpelledApps;
beforeAll(async () => {
  both = await startSpelledApps(written);
  const [, app] = both.apps;
  // As in a table that another program has created.
  await app?.db.query(
    `alter table orders alter "Created" drop default, alter "changed 'at'" drop default`,
  );
});
afterAll(() => both.close());

const query = (parameters: Readonly<Record<string, string>>) =>
  new URLSearchParams(parameters).toString();

test("the API is the same whatever the columns of createdAt and updatedAt", async () => {
  const all = await both.compare(async (app, say) => {
    const { client: ada, id } = await app.caller(null);
    const stream = await openEvents(
      app.url,
      await newSession(app.db, id),
      `/_service/changes?watch=${encodeURIComponent('{"orders":true}')}`,
    );
    await stream.next();
    const order = await say("create", ada.post("/orders", { name: "One" }));
    const event = await stream.next();
    await say("event", Promise.resolve({ status: 200, text: JSON.stringify(event.data) }));
    stream.close();
    await say("taken", ada.post("/orders", { name: "One" }));
    await say("patch", ada.patch(`/orders/${order.id}`, { state: "done" }));
    await say("put", ada.put(`/orders/${order.id}`, { name: "1", state: "done", updatedAt: 1 }));
    await say(
      "batch",
      ada.post("/_service/batch", {
        operations: [
          { create: "orders", values: { name: "Two" } },
          { update: "orders", id: order.id, values: { name: "One" } },
        ],
      }),
    );
    await say("third", ada.post("/orders", { name: "Three" }));
    await setTimes(app);
    await say("line", ada.post("/lines", { orderId: order.id, text: "a" }));
    await say("another", ada.post("/lines", { orderId: order.id, text: "b" }));
    await say("list", ada.get("/orders"));
    for (const sort of ["createdAt", "-updatedAt", "state,-createdAt"]) {
      const page = await say(sort, ada.get(`/orders?${query({ sort, perPage: "2", cursor: "" })}`));
      const next = query({ sort, perPage: "2", cursor: page.meta.next });
      await say(`${sort}, next`, ada.get(`/orders?${next}`));
    }
    await say("by link", ada.get(`/lines?sort=order.createdAt,-order.updatedAt,text`));
    await say("filter", ada.get("/orders?filter[createdAt][gt]=2020-01-01T00:00:00Z"));
    const where = JSON.stringify({ createdAt: { lt: "2020-01-01T00:00:00Z" } });
    await say("where", ada.get(`/orders?${query({ where })}`));
    const linked = JSON.stringify({ order: { updatedAt: { gt: "2020-01-01T00:00:00Z" } } });
    await say("linked", ada.get(`/lines?${query({ where: linked, sort: "text" })}`));
    await say("fields", ada.get("/orders?fields=name,updatedAt&sort=name"));
    await say("inverse", ada.get("/orders?include=lines&sort=name"));
    await say("stats", ada.get("/orders/_stats?field=state&series=day"));
    await say("stats at", ada.get("/orders/_stats?at=updatedAt"));
    await say("aggregate", ada.get("/orders/_aggregate?by=createdAt:year,state&max=updatedAt"));
    await say("history", ada.get(`/orders/${order.id}/_history`));
    await say("delete a line", ada.delete(`/lines/${(await lineOf(ada)).id}`));
    const trash = await say("trash", ada.get("/lines?trash=only&include=order&sort=createdAt"));
    await say("restore", ada.post(`/lines/${trash.data[0].id}/_restore`, undefined));
    await say("delete", ada.delete(`/orders/${order.id}`));
    await say("cleared", ada.get("/lines?sort=text"));
    const [created] = columnsOf(app);
    await app.db.query(`update orders set ${created} = '2019-01-01' where name = 'Two'`);
    const [two] = (await ada.list("/orders?filter[name]=Two")).body.data;
    await say("by the rule", ada.patch(`/orders/${two?.id}`, { name: "2" }));
  });
  const refused = all
    .filter(([, status]) => status >= 400)
    .map(([label, status]) => [label, status]);
  expect(refused).toEqual([
    ["taken", 422],
    ["by the rule", 403],
  ]);
});

/** The names of the app's columns. */
function columnsOf(app: WrittenApp): readonly [string, string] {
  return app === both.apps[0] ? ["created_at", "updated_at"] : ['"Created"', `"changed 'at'"`];
}

/** Times that differ, which the answers show. */
async function setTimes(app: WrittenApp): Promise<void> {
  const [created, updated] = columnsOf(app);
  await app.db.query(
    `update orders set ${created} = at, ${updated} = at + interval '1 hour'
     from (
       select name as named, '2077-01-01T00:00:00Z'::timestamptz + interval '1 day' * row_number() over (order by name) as at
       from orders
     ) as times
     where named = name`,
  );
}

async function lineOf(client: Client): Promise<{ readonly id: string }> {
  const { body } = await client.list("/lines?filter[text]=a");
  return { id: String(body.data[0]?.id) };
}

test("imports set the times", async () => {
  const ends = await Promise.all(
    both.apps.map(async (app) => {
      const text =
        "name,createdAt,updatedAt\nA,2001-02-03T04:05:06Z,\nB,,\nC,x,2002-02-03T04:05:06Z\n";
      const end = await imported(app, text);
      const { client } = await app.caller(null);
      const { text: shown } = await client.get("/orders?filter[name]=A&fields=name,createdAt");
      return [end, shown.replace(/"id":"[^"]*"/, "")];
    }),
  );
  expect(ends[1]).toEqual(ends[0]);
  expect(ends[0]).toEqual([
    expect.objectContaining({ created: 2, refused: 1 }),
    expect.stringContaining('"createdAt":"2001-02-03T04:05:06.000Z"'),
  ]);
});

async function imported(app: WrittenApp, text: string, more: Partial<ImportRequest> = {}) {
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const tasks = await openTaskApp({
    name: app.root,
    databaseUrl: app.config.database.url,
    make: () => createApp(),
  });
  const path = join(app.root, "rows.csv");
  writeFileSync(path, text);
  const request = { ...usualImport, path, errors: `${path}.errors.csv`, onError: "skip", ...more };
  const end = await tasks.run<End>((events) => ({
    kind: "import",
    request: { ...request, resource: "orders", events } as never,
  }));
  await tasks.close();
  return end.kind === "refused" ? end.message : { ...end.result, id: null };
}

test("only writes of the API set a named updatedAt", async () => {
  const [, app] = both.apps;
  const read = async () => {
    const [row] =
      (await app?.db.query<{ at: Date }>(
        `select "changed 'at'" as at from orders where name = 'B'`,
      )) ?? [];
    return row?.at.getTime();
  };
  const before = await read();
  await app?.db.query("update orders set state = 'done' where name = 'B'");
  expect(await read()).toBe(before);
  const { client } = (await app?.caller(null)) ?? {};
  const [b] = (await client?.list("/orders?filter[name]=B"))?.body.data ?? [];
  await client?.patch(`/orders/${b?.id}`, { state: "new" });
  expect(await read()).toBeGreaterThan(before ?? 0);
});

test("the columns cannot change once the table exists", async () => {
  const [app] = both.apps;
  const { root = "" } = app ?? {};
  const path = join(root, "resources/orders.yaml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, `createdAt: made\nupdatedAt: changed\n${text}`);
  const { problems } = await generate({ root, name: null, consent: [] });
  writeFileSync(path, text);
  expect(problems.map(formatProblem).join("\n")).toBe(
    `resources/orders.yaml:1:12: "createdAt" cannot change: it was created_at when the table was created
  hint: remove it, or write createdAt: created_at
resources/orders.yaml:2:12: "updatedAt" cannot change: it was updated_at when the table was created
  hint: remove it, or write updatedAt: updated_at`,
  );
});

test("the database is as its migrations describe it", async () => {
  await both.apps[1]?.db.query(
    `alter table orders alter "Created" set default now(), alter "changed 'at'" set default now()`,
  );
  for (const { root, config } of both.apps) {
    const drift = await findDrift(config.database.url, expectedIn(root));
    expect(drift).toEqual({ differences: [], unmanaged: [] });
  }
});
