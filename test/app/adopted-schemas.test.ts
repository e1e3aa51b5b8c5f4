import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptedFiles } from "../support/adopt/adopted-files.js";
import { schemaNames, schemasSql } from "../support/adopt/schemas.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import type { Client, Row } from "../support/http/client.js";

let database: TestDatabase;
let files: Awaited<ReturnType<typeof adoptedFiles>>;
let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  database = await emptyDatabase();
  files = await adoptedFiles(database.url, schemasSql, { schemas: schemaNames });
  app = await startWrittenApp({ ...files, databaseUrl: database.url });
  ({ client: admin } = await app.caller("admin"));
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

const acdc = "00000000-0000-4000-8000-000000000001";

test("a table gets its own name, then one with its schema, then a number", () => {
  const tables = [...files.descriptors].map(([path, text]) => [
    path,
    /^table: (.*)$/m.exec(text)?.[1] ?? null,
  ]);
  expect(tables).toEqual([
    ["person.yaml", "HR Dept.Person"],
    ["select.yaml", "order.select"],
    ["artist.yaml", null],
    [`o-neill-the-${"x".repeat(44)}.yaml`, `sales.O'Neill "the" ${"x".repeat(44)}`],
    ["sales-artist.yaml", "sales.artist"],
    ["table1.yaml", "Кадры.Люди"],
  ]);
});

test("records link to those of other schemas, and lists filter, sort and search by them", async () => {
  const { body, text } = await admin.list("/select?include=ownerRecord,artistRecord&sort=where");
  expect(body.data, text).toEqual([
    {
      id: "7",
      where: "in",
      artist: acdc,
      owner: "1",
      createdAt: null,
      updatedAt: null,
      artistRecord: expect.objectContaining({ name: "AC/DC" }),
      ownerRecord: expect.objectContaining({ name: "Accept", manager: "1" }),
    },
  ]);
  const where = encodeURIComponent(
    '{"ownerRecord":{"managerRecord":{"fullName":"Ada"}},"artistRecord":{"name":"AC/DC"}}',
  );
  const found = await admin.list(`/select?where=${where}`);
  expect(found.body.meta?.total, found.text).toBe(1);
  expect((await admin.list("/sales-artist?q=dc&sort=-createdAt")).body.data).toHaveLength(1);
  expect((await admin.list("/person?include=artist")).body.data).toMatchObject([
    { fullName: "Ada", artist: { data: [{ name: "Accept" }] } },
  ]);
});

test("writes reach the tables, and totals count those of both programs", async () => {
  const created = await admin.post<Row>("/person", { fullName: "Grace" });
  expect(created.status, created.text).toBe(201);
  await app.db.query(`insert into "HR Dept"."Person" ("Full ""Name""") values ('Hedy')`);
  expect((await admin.list("/person")).body.meta.total).toBe(3);
  const path = `/person/${created.body.id}`;
  const changed = await admin.patch<Row>(path, { fullName: "Grace H." });
  expect(changed.body).toMatchObject({ fullName: "Grace H." });
  const taken = await admin.post<Row>("/person", { fullName: "Ada" });
  expect(taken.body.issues).toMatchObject([{ path: "fullName" }]);
  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.list("/person")).body.meta.total).toBe(2);
  const stats = await admin.get("/select/_stats?field=where");
  expect(stats.body).toMatchObject({ total: 1 });
  const person = await admin.post<Row>("/table1", { id: "x", person: "999" });
  expect(person.body.issues).toMatchObject([{ path: "person" }]);
});

test("deletes follow links between schemas", async () => {
  const held = await admin.delete("/artist/1");
  expect({ status: held.status, text: held.text }).toEqual({
    status: 409,
    text: expect.stringContaining("1 select still belongs to this artist"),
  });
  expect((await admin.delete(`/sales-artist/${acdc}`)).status).toBe(204);
  expect((await admin.list("/select")).body.meta.total).toBe(0);
  const [row] = await app.db.query<{ n: number }>(
    `select count(*)::int as n from "order"."select"`,
  );
  expect(row).toEqual({ n: 0 });
});
