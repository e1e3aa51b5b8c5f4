import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client, Row } from "../support/http/client.js";

const descriptors = new Map([
  [
    "items.yaml",
    `fields:
  name: { type: string, required: true, unique: true }
  state: { type: string, required: true, columnDefault: true }
  rank: { type: number, columnDefault: true }
  tags: { type: string, list: true, columnDefault: true }
`,
  ],
]);

let app: WrittenApp;
let caller: Client;
beforeAll(async () => {
  app = await startWrittenApp({ descriptors });
  ({ client: caller } = await app.caller(null));
  await app.db.query(
    `alter table items alter state set default upper('new'), alter rank set default 1 + 1,
       alter tags set default '{a,b}'`,
  );
});
afterAll(() => app.close());

test("a create leaves what it omits to the defaults of the columns", async () => {
  const none = await caller.post<Row>("/items", { name: "none" });
  expect(none.status).toBe(201);
  expect(none.body).toMatchObject({ state: "NEW", rank: 2, tags: ["a", "b"] });
  const some = await caller.post<Row>("/items", { name: "some", rank: null, tags: [] });
  expect(some.body).toMatchObject({ state: "NEW", rank: null, tags: [] });
  const all = await caller.post<Row>("/items", { name: "all", state: "x", rank: 3, tags: ["c"] });
  expect(all.body).toMatchObject({ state: "x", rank: 3, tags: ["c"] });
  const empty = await caller.post("/items", { name: "empty", state: null });
  expect(empty.status).toBe(422);
  const taken = await caller.post("/items", { name: "none" });
  expect([taken.status, taken.body]).toEqual([
    422,
    expect.objectContaining({
      issues: [{ path: "name", message: "Another record has this value" }],
    }),
  ]);
});

test("many creates at once differ in what they omit", async () => {
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      caller.post<Row>("/items", { name: `many ${at}`, ...(at % 2 === 0 && { state: `${at}` }) }),
    ),
  );
  expect(made.map(({ body }) => body.state)).toEqual(
    made.map((_, at) => (at % 2 === 0 ? `${at}` : "NEW")),
  );
});

test("a PUT needs the value, and a PATCH keeps it", async () => {
  const { body } = await caller.post<Row>("/items", { name: "changed", state: "x" });
  expect((await caller.put(`/items/${body.id}`, { name: "changed" })).status).toBe(422);
  const put = await caller.put<Row>(`/items/${body.id}`, { name: "changed", state: "y" });
  expect(put.body).toMatchObject({ state: "y", rank: null, tags: [] });
  const patch = await caller.patch<Row>(`/items/${body.id}`, { rank: 1 });
  expect(patch.body).toMatchObject({ state: "y", rank: 1 });
});

test("a column without a default refuses a create without the value", async () => {
  await app.db.query("alter table items alter state drop default");
  const { status, body } = await caller.post("/items", { name: "without" });
  await app.db.query("alter table items alter state set default 'NEW'");
  expect([status, body]).toEqual([
    422,
    expect.objectContaining({ issues: [{ path: "state", message: "A value is required" }] }),
  ]);
});
