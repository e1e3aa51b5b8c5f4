import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDrift } from "../../runtime/migrate/index.js";
import type { HookContext } from "../../runtime/own-code/index.js";
import { newSession } from "../support/accounts/accounts.js";
import type { End } from "../support/apps/importing-shop.js";
import { openTaskApp, usualImport } from "../support/apps/task-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { expectedIn } from "../support/database/drift.js";
import type { Client, Row } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";

const descriptors = new Map([
  [
    "genres.yaml",
    `createdAt: none
updatedAt: none
changes: { history: 30 }
trash: true
fields:
  name: { type: string, required: true, unique: true }
  kind: { type: enum, values: [new, old] }
  rank: { type: number, integer: true }
  parentId: { type: belongsTo, resource: genres, inverse: parts }
`,
  ],
  ["empties.yaml", "createdAt: none\nupdatedAt: none\nfields: {}\n"],
]);

/** How often the hook ran, and what it does once, between its read and its write. */
let runs = 0;
let between: (() => Promise<void>) | null = null;

interface Genres {
  readonly genres: {
    list(
      query: object,
    ): Promise<{ readonly data: readonly { readonly id: string; rank: number }[] }>;
    update(id: string, values: object): Promise<unknown>;
  };
}

let app: WrittenApp;
let caller: Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors,
    options: {
      hooks: {
        empties: {
          beforeCreate: async (_values: object, context: HookContext<never>) => {
            runs += 1;
            const { genres } = context.resources as unknown as Genres;
            const { data } = await genres.list({ where: { name: "counted" }, fields: ["rank"] });
            const first = between;
            between = null;
            await first?.();
            for (const { id, rank } of data) await genres.update(id, { rank: rank + 1 });
          },
        },
      } as never,
    },
  });
  ({ client: caller } = await app.caller(null));
});
afterAll(() => app.close());

const query = (parameters: Readonly<Record<string, string>>) =>
  new URLSearchParams(parameters).toString();

test("createdAt and updatedAt are null, and the latest ids come first", async () => {
  const names = ["a", "b", "c"];
  for (const name of names) {
    const { status, body } = await caller.post<Row>("/genres", { name, kind: "new" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ createdAt: null, updatedAt: null });
  }
  const { rows } = { rows: await app.db.query("select * from genres limit 1") };
  expect(Object.keys(rows[0] ?? {})).toEqual(["id", "name", "kind", "rank", "parent_id"]);
  const ids = (await app.db.query<{ id: string }>("select id from genres order by id desc")).map(
    ({ id }) => id,
  );
  const idsOf = async (path: string) => {
    const { status, body } = await caller.list(path);
    expect([path, status]).toEqual([path, 200]);
    return body.data.map(({ id }) => id);
  };
  expect(await idsOf("/genres")).toEqual(ids);
  expect(await idsOf("/genres?filter[kind]=new")).toEqual(ids);
  expect(await idsOf("/genres?sort=id")).toEqual(ids.toReversed());
  expect(await idsOf("/genres?fields=createdAt,updatedAt")).toEqual(ids);
  const page = await caller.list("/genres?cursor=&perPage=2");
  const next = query({
    perPage: "2",
    cursor: (page.body.meta as { readonly next?: string }).next ?? "",
  });
  expect(page.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(await idsOf(`/genres?${next}`)).toEqual(ids.slice(2));
});

test("queries that name them are refused", async () => {
  const issue = { message: 'Records have no "createdAt"' };
  const refused: readonly (readonly [string, string])[] = [
    ["/genres?sort=createdAt", "sort"],
    ["/genres?sort=-parent.createdAt", "sort"],
    ["/genres?filter[createdAt][gt]=2020-01-01T00:00:00Z", "filter[createdAt][gt]"],
    ["/genres?filter[createdAt]=null", "filter[createdAt]"],
    ["/genres/_stats?at=createdAt", "at"],
    ["/genres/_aggregate?by=createdAt:month", "by"],
    ["/genres/_aggregate?max=createdAt", "max"],
  ];
  for (const [path, param] of refused) {
    const { status, body } = await caller.get<Refused>(path);
    expect([path, status, body.issues]).toEqual([path, 400, [{ param, ...issue }]]);
  }
  const where = JSON.stringify({ updatedAt: { gt: "2020-01-01T00:00:00Z" } });
  const { status, text } = await caller.get(`/genres?${query({ where })}`);
  expect([status, text]).toEqual([400, expect.stringContaining("updatedAt")]);
});

interface Refused {
  readonly issues: readonly object[];
}

test("numbers over time are 0, and a series is refused", async () => {
  const { body } = await caller.get<object>("/genres/_stats?field=kind");
  expect(body).toEqual({ total: 3, current: 0, previous: 0, values: { new: 3, old: 0 } });
  const filtered = await caller.get<object>("/genres/_stats?filter[name]=a");
  expect(filtered.body).toMatchObject({ total: 1, current: 0, previous: 0 });
  const series = await caller.get<Refused>("/genres/_stats?series=day");
  expect([series.status, series.body.issues]).toEqual([
    400,
    [{ param: "series", message: "Requires at, because records have no creation time" }],
  ]);
});

test("tags, streams, history and the trash work", async () => {
  const { client, id: account } = await app.caller(null);
  const made = await client.post<Row>("/genres", { name: "d" });
  const path = `/genres/${made.body.id}`;
  const tag = made.headers.etag ?? "";
  const stream = await openEvents(
    app.url,
    await newSession(app.db, account),
    `/_service/changes?watch=${encodeURIComponent('{"genres":true}')}`,
  );
  await stream.next();
  const first = await client.send("PATCH", path, {
    text: '{"rank":1}',
    headers: { "if-match": tag },
  });
  expect(first.status).toBe(200);
  expect((await stream.next()).data).toMatchObject({ op: "update", changed: ["rank"] });
  stream.close();
  const second = await client.send("PATCH", path, {
    text: '{"rank":2}',
    headers: { "if-match": tag },
  });
  expect(second.status).toBe(412);
  await client.post("/genres", { name: "part", parentId: made.body.id });
  const put = await client.put<Row>(path, { name: "d", createdAt: null, updatedAt: "now" });
  expect(put.body).toMatchObject({ name: "d", rank: null, updatedAt: null });
  const history = await client.get<{ data: readonly object[] }>(`${path}/_history`);
  expect(history.body.data).toHaveLength(3);
  expect((await client.delete(path)).status).toBe(204);
  const trash = await client.list("/genres?trash=only&sort=name");
  expect(trash.body.data).toMatchObject([{ name: "d", createdAt: null }]);
  expect((await client.post(`${path}/_restore`, undefined)).status).toBe(200);
  const parts = await client.get<Row>(`${path}?include=parts`);
  expect(parts.body).toMatchObject({ name: "d", parts: { data: [{ name: "part" }] } });
  const batch = await client.post("/_service/batch", {
    operations: [
      { create: "genres", values: { name: "e" } },
      { update: "genres", id: made.body.id, values: { rank: 7 } },
      { delete: "genres", id: made.body.id },
    ],
  });
  expect(batch.status).toBe(200);
});

test("app code that another write overtakes runs again", async () => {
  const { body } = await caller.post<Row>("/genres", { name: "counted", rank: 0 });
  between = async () => {
    await app.db.query("update genres set rank = rank + 10 where id = $1", [body.id]);
  };
  const made = await caller.post<Row>("/empties", {});
  expect(made.status).toBe(201);
  expect(runs).toBe(2);
  expect((await caller.get<Row>(`/genres/${body.id}`)).body.rank).toBe(11);
  expect((await caller.put(`/empties/${made.body.id}`, {})).status).toBe(200);
});

test("an import skips the times", async () => {
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const tasks = await openTaskApp({
    name: app.root,
    databaseUrl: app.config.database.url,
    make: () => createApp(),
  });
  const path = join(app.root, "rows.csv");
  writeFileSync(path, "name,createdAt,updatedAt\nimported,2001-02-03T04:05:06Z,\nother,,\n");
  const request = { ...usualImport, path, errors: `${path}.errors.csv`, resource: "genres" };
  const end = await tasks.run<End>((events) => ({
    kind: "import",
    request: { ...request, events } as never,
  }));
  await tasks.close();
  expect(end).toMatchObject({ result: { created: 2, refused: 0 } });
});

test("the database is as its migrations describe it", async () => {
  const drift = await findDrift(app.config.database.url, expectedIn(app.root));
  expect(drift).toEqual({ differences: [], unmanaged: [] });
});
