import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ImportRequest, SeedEvent } from "../../runtime/data/index.js";
import type { End } from "../support/apps/importing-shop.js";
import { openTaskApp, type TaskApp, usualImport } from "../support/apps/task-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";

let app: WrittenApp;
let tasks: TaskApp;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "shops.yaml",
        "fields: { name: { type: string, unique: true }, address: { type: json }, more: { type: json } }\n",
      ],
    ]),
  });
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const databaseUrl = app.config.database.url;
  tasks = await openTaskApp({ name: app.root, databaseUrl, make: () => createApp() });
});
afterAll(async () => {
  await tasks?.close();
  await app?.close();
});

async function imported(name: string, text: string, options: Partial<ImportRequest> = {}) {
  const path = join(app.root, name);
  writeFileSync(path, text);
  const request = { ...usualImport, path, errors: `${path}.errors.csv`, ...options };
  const end = await tasks.run<End>((events) => ({
    kind: "import",
    request: { ...request, resource: "shops", events },
  }));
  if (end.kind === "refused") throw new Error(end.message);
  const { created, updated, refused, errors } = end.result;
  return {
    created,
    updated,
    refused,
    errors: errors.map(({ column, message }) => `${column}: ${message}`),
  };
}

const stored = () => app.db.query("select name, address, more from shops order by name");
const number = "Cannot be stored exactly: a number must fit into a double without losing digits";

test("a cell of CSV holds JSON text, and its mistakes name their place", async () => {
  const rows = ['a,"{""city"": ""Oslo"", ""__proto__"": 1}","""text"""', "b,null,", "c,1.50,[]"];
  expect(await imported("a.csv", ["name,address,more", ...rows, ""].join("\n"))).toEqual({
    created: 3,
    updated: 0,
    refused: 0,
    errors: [],
  });
  expect(await stored()).toEqual([
    { name: "a", address: JSON.parse('{"city":"Oslo","__proto__":1}'), more: "text" },
    { name: "b", address: null, more: null },
    { name: "c", address: 1.5, more: [] },
  ]);
  const wrong = ["x,Oslo,", 'y,"{""a"":[9007199254740993]}",', 'z,"{""a"":1,""a"":2}",'];
  expect(await imported("a.csv", ["name,address,more", ...wrong, ""].join("\n"))).toMatchObject({
    created: 0,
    refused: 3,
    errors: [
      "address: Must be JSON",
      `address: a.0: ${number}`,
      "address: a: This key is repeated",
    ],
  });
});

test("a JSON file keeps values, and its mistakes name their place", async () => {
  await app.db.query("truncate shops");
  const lines = ['{"name":"a","address":{"a":[1e3]}}', '{"name":"b","address":{"a":1e400}}'];
  expect(await imported("a.ndjson", `${lines[0]}\n`, { format: "ndjson" })).toMatchObject({
    created: 1,
  });
  expect(await stored()).toEqual([{ name: "a", address: { a: [1000] }, more: null }]);
  expect(await imported("a.ndjson", `${lines[1]}\n`, { format: "ndjson" })).toMatchObject({
    refused: 1,
    errors: [`address: a: ${number}`],
  });
});

test("an upsert and a seed change what differs", async () => {
  await app.db.query("truncate shops");
  await imported("a.csv", 'name,address\na,"{""x"":1,""y"":2}"\n');
  const upserted = await imported("a.csv", 'name,address\na,"{""y"":2,""x"":[true]}"\n', {
    upsert: "name",
  });
  expect(upserted).toMatchObject({ updated: 1, errors: [] });
  const folder = join(app.root, "seed");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "shops.yaml"),
    "key: name\nrecords:\n  - { name: a, address: { x: [true], y: 2 } }\n  - { name: b, address: text, more: { find: { name: a } } }\n",
  );
  const seeded = () =>
    tasks.run<SeedEvent>((events) => ({
      kind: "seed",
      request: { folder, resources: [], onlyEmpty: false, command: null, events },
    }));
  expect(await seeded()).toMatchObject({
    kind: "done",
    result: { resources: { shops: { created: 1, updated: 0, unchanged: 1 } } },
  });
  expect(await stored()).toEqual([
    { name: "a", address: { x: [true], y: 2 }, more: null },
    { name: "b", address: "text", more: { find: { name: "a" } } },
  ]);
  expect(await seeded()).toMatchObject({
    result: { resources: { shops: { created: 0, updated: 0, unchanged: 2 } } },
  });
});

test("any value, including numbers, is returned as it was sent", async () => {
  const admin = (await app.caller("admin")).client;
  const values = fc.jsonValue({ maxDepth: 4 }).filter((value) => {
    const text = JSON.stringify(value);
    return value !== null && !text.includes("\\u0000") && !/\\ud[89a-f]/.test(text);
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(values, fc.double({ noNaN: true, noDefaultInfinity: true })),
      async (value) => {
        const text = JSON.stringify({ address: value });
        const made = await admin.send<{ address: unknown }>("POST", "/shops", { text });
        expect([made.status, made.body.address]).toEqual([201, JSON.parse(text).address]);
      },
    ),
    { numRuns: 60 },
  );
});
