import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { migrate } from "../../runtime/migrate/index.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let admin: Client;

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["city"],
  additionalProperties: false,
  properties: {
    city: { type: "string", minLength: 1 },
    zip: { type: "string", pattern: "^[0-9]{4}$" },
    kind: { enum: ["home", "work"] },
    lines: { type: "array", items: { $ref: "#/$defs/line" }, maxItems: 3 },
    note: { type: "string", pattern: "^(a+)+$" },
  },
  $defs: {
    line: {
      type: "object",
      properties: { name: { type: "string" }, inner: { $ref: "#/$defs/line" } },
      required: ["name"],
    },
  },
};

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["shops.yaml", "fields: { address: { type: json, schema: ./address.json } }\n"],
    ]),
    files: new Map([["address.json", JSON.stringify(schema)]]),
  });
  admin = (await app.caller("admin")).client;
});
afterAll(() => app?.close());

test("values must match the schema, and each mistake names its place", async () => {
  const good = { city: "Oslo", zip: "0150", lines: [{ name: "a", inner: { name: "b" } }] };
  expect(await admin.post("/shops", { address: good })).toMatchObject({
    status: 201,
    body: { address: good },
  });
  const address = { zip: "x", kind: "shop", lines: [{ inner: { name: 3 } }], more: 1 };
  const refused = await admin.post<{ issues: object[] }>("/shops", { address });
  expect(refused.status).toBe(422);
  expect(refused.body.issues).toEqual([
    { path: "address.zip", message: "Must match ^[0-9]{4}$" },
    { path: "address.kind", message: "Must be one of: home, work" },
    { path: "address.lines.0.inner.name", message: "Must be text" },
    { path: "address.lines.0.name", message: "A value is required" },
    { path: "address.more", message: "Unknown field" },
    { path: "address.city", message: "A value is required" },
  ]);
  expect(await admin.post("/shops", { address: "Oslo" })).toMatchObject({
    status: 422,
    body: { issues: [{ path: "address", message: "Must be an object" }] },
  });
  expect((await admin.post("/shops", { address: null })).status).toBe(201);
});

test("a pattern that takes other engines exponential time takes a moment", async () => {
  const started = performance.now();
  const address = { city: "Oslo", note: `${"a".repeat(60_000)}!` };
  const { status, body } = await admin.post("/shops", { address });
  expect({ status, body }).toMatchObject({
    status: 422,
    body: { issues: [{ path: "address.note", message: "Must match ^(a+)+$" }] },
  });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("types, OpenAPI and the description of the resource have the schema", async () => {
  const types = readFileSync(join(app.root, "generated/shops/types.ts"), "utf8");
  expect(types).toContain('kind?: "home" | "work"');
  expect(types).toContain("city: string");
  const document = JSON.parse(readFileSync(join(app.root, "generated/openapi.json"), "utf8"));
  expect(document.components.schemas.ShopUpdate.properties.address).toMatchObject({
    type: ["object", "null"],
    required: ["city"],
  });
  const resources = await admin.get<{ data: { fields: { schema?: object }[] }[] }>(
    "/_service/resources",
  );
  expect(resources.text).toContain('"schema":{"type":"object"');
});

test("a schema that stored values violate is not migrated to unless they may stay", async () => {
  await admin.post("/shops", { address: { city: "Bergen" } });
  const path = join(app.root, "address.json");
  writeFileSync(path, JSON.stringify({ ...schema, required: ["city", "zip"] }));
  const { plan, problems } = await generate({ root: app.root, name: null });
  expect(problems).toEqual([]);
  writePlan(app.root, plan);
  const target = { url: app.config.database.url, directory: join(app.root, "migrations") };
  await expect(migrate(target)).rejects.toThrow(
    /shops\.address: 1 value does not fit its JSON Schema/,
  );
  await expect(migrate({ ...target, allowInvalid: ["shops.name"] })).rejects.toThrow(/zip/);
  expect(await migrate({ ...target, allowInvalid: ["shops.address"] })).toMatchObject({
    applied: [{ source: "app" }],
  });
  expect((await admin.list("/shops")).body.data).toHaveLength(3);
});

test("mistakes of a schema are problems with their place", async () => {
  const path = join(app.root, "address.json");
  writeFileSync(
    path,
    '{\n  "type": "object",\n  "unevaluatedProperties": false,\n  "format": "phone"\n}\n',
  );
  const { problems } = await generate({ root: app.root, name: null });
  expect(problems).toMatchObject([
    { file: "address.json", line: 3, column: 3 },
    { file: "address.json", line: 4, column: 13 },
  ]);
  writeFileSync(path, '{ "$ref": "#/$defs/a", "$defs": { "a": { "anyOf": [{ "$ref": "#" }] } } }');
  const circle = await generate({ root: app.root, name: null });
  expect(circle.problems).toMatchObject([{ message: expect.stringContaining("refers to itself") }]);
});
