import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HookContext } from "../../runtime/own-code/index.js";
import type { End } from "../support/apps/importing-shop.js";
import { openTaskApp, usualImport } from "../support/apps/task-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Row } from "../support/http/client.js";

const descriptors = new Map([
  [
    "items.yaml",
    `changes: { history: 30 }
trash: true
fields:
  name: { type: string, required: true, unique: true }
  score: { type: number, readOnly: true }
  note: { type: string, readOnly: true }
  state: { type: enum, values: [new, seen], required: true, default: new, readOnly: true }
  tags: { type: string, list: true, readOnly: true }
  parentId: { type: belongsTo, resource: items, inverse: parts, readOnly: true }
  double: { type: number, computed: "score * 2" }
`,
  ],
]);

/** The statuses with which the hook's write was refused. */
const refusals: unknown[] = [];

let app: WrittenApp;
let caller: Client;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors,
    options: {
      hooks: {
        items: {
          beforeCreate: async (values: { readonly name: string }, context: HookContext<never>) => {
            if (values.name !== "by a hook") return;
            const { items } = context.resources as unknown as Clients;
            await items
              .create({ name: "made by it", score: 1 })
              .catch((error) => refusals.push(error.status));
            await items.create({ name: "made by it" });
          },
        },
      } as never,
    },
  });
  ({ client: caller } = await app.caller(null));
  await app.db.query(`
    create function scored() returns trigger language plpgsql as $$
    begin
      new.score := length(new.name);
      new.note := 'of ' || new.name;
      return new;
    end $$`);
  await app.db.query(
    "create trigger scored before insert or update on items for each row execute function scored()",
  );
});
afterAll(() => app.close());

interface Clients {
  readonly items: { create(values: object): Promise<unknown> };
}

interface Refused {
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

const unwritten = [
  { path: "score", message: "Read-only" },
  { path: "note", message: "Read-only" },
  { path: "state", message: "Read-only" },
  { path: "tags", message: "Read-only" },
  { path: "parentId", message: "Read-only" },
  { path: "double", message: "Computed" },
];
const sent = { score: 1, note: "x", state: "seen", tags: ["a"], parentId: null, double: 1 };

test("a new record has the default, and what a trigger wrote", async () => {
  const { status, body } = await caller.post<Row>("/items", { name: "four" });
  expect(status).toBe(201);
  const first = { score: 4, note: "of four", state: "new", tags: [], parentId: null, double: 8 };
  expect(body).toMatchObject(first);
  await app.db.query(
    "update items set state = 'seen', tags = '{a,b}', parent_id = id where id = $1",
    [body.id],
  );
  const patched = await caller.patch<Row>(`/items/${body.id}`, { name: "seven77" });
  const kept = { score: 7, state: "seen", tags: ["a", "b"], parentId: body.id, double: 14 };
  expect(patched.body).toMatchObject(kept);
  const put = await caller.put<Row>(`/items/${body.id}`, { name: "five5" });
  expect(put.body).toMatchObject({ ...kept, score: 5, double: 10, note: "of five5" });
  const history = await caller.get<{ data: readonly { id: string }[] }>(
    `/items/${body.id}/_history`,
  );
  const reverted = await caller.post<{ record: Row }>(`/items/${body.id}/_revert`, {
    to: history.body.data.at(-1)?.id,
  });
  expect(reverted.status, reverted.text).toBe(200);
  expect(reverted.body.record).toMatchObject({ ...kept, name: "four", score: 4, double: 8 });
  expect((await caller.delete(`/items/${body.id}`)).status).toBe(204);
  const restored = await caller.post<Row>(`/items/${body.id}/_restore`, undefined);
  expect(restored.body).toMatchObject({ ...kept, name: "four", score: 4, double: 8 });
});

test("a write with one is refused on every interface", async () => {
  const { body } = await caller.post<Row>("/items", { name: "refused" });
  const ways = [
    caller.post<Refused>("/items", { name: "another", ...sent }),
    caller.patch<Refused>(`/items/${body.id}`, sent),
    caller.put<Refused>(`/items/${body.id}`, { name: "refused", ...sent }),
  ];
  for (const { status, body } of await Promise.all(ways)) {
    expect(status).toBe(422);
    expect(body.issues.toSorted(byPath)).toEqual(unwritten.toSorted(byPath));
  }
  const batch = await caller.post<Refused>("/_service/batch", {
    operations: [{ create: "items", values: { name: "one more", score: 1 } }],
  });
  expect(batch.status).toBe(422);
  expect((await caller.post("/items", { name: "by a hook" })).status).toBe(201);
  expect(refusals).toEqual([422]);
  expect((await caller.get<Row>(`/items/${body.id}`)).body).toMatchObject({ score: 7 });
});

type Issue = Refused["issues"][number];
const byPath = (one: Issue, other: Issue) => one.path.localeCompare(other.path);

test("lists filter, sort, search and group by it", async () => {
  await caller.post("/items", { name: "long enough" });
  const { body } = await caller.list("/items?sort=-score&filter[score][gte]=10&q=of%20long");
  expect(body.data.map(({ name }) => name)).toContain("long enough");
  const stats = await caller.get<{ values: object }>("/items/_stats?field=state");
  expect(stats.body.values).toMatchObject({ seen: 1 });
  const where = encodeURIComponent('{"tags":{"has":"a"},"parent":{"state":"seen"}}');
  expect((await caller.list(`/items?where=${where}&include=parent`)).body.data).toHaveLength(1);
});

test("imports skip it, and refuse options that would fill it", async () => {
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const tasks = await openTaskApp({
    name: app.root,
    databaseUrl: app.config.database.url,
    make: () => createApp(),
  });
  const path = join(app.root, "rows.csv");
  writeFileSync(path, "name,score,state\nimported,99,seen\n");
  const imported = async (set: Readonly<Record<string, string>>) => {
    const own = { ...usualImport, path, errors: `${path}.errors.csv`, resource: "items", set };
    const end = await tasks.run<End>((events) => ({ kind: "import", request: { ...own, events } }));
    return end.kind === "refused" ? end.message : end.result;
  };
  expect(await imported({ score: "1" })).toBe("--set: score of items is read-only");
  expect(await imported({})).toMatchObject({ created: 1, refused: 0 });
  await tasks.close();
  const { body } = await caller.list("/items?filter[name]=imported");
  expect(body.data).toMatchObject([{ score: 8, state: "new" }]);
});

test("clients and the dashboard know that it is read-only", async () => {
  const text = readFileSync(join(app.root, "generated/openapi.json"), "utf8");
  const { schemas } = JSON.parse(text).components;
  expect(Object.keys(schemas.ItemUpdate.properties)).not.toContain("score");
  expect(schemas.ItemPart.properties.score).toMatchObject({ readOnly: true });
  const types = readFileSync(join(app.root, "generated/items/types.ts"), "utf8");
  expect(types).toMatch(/interface ItemValues \{\n {2}name: string;\n\}/);
  const [items] = app.described;
  expect(items).toMatchObject({
    fields: expect.arrayContaining([expect.objectContaining({ name: "score", readOnly: true })]),
  });
});
