import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ImportRequest, SeedEvent } from "../../runtime/data/index.js";
import { elementsOf, listCell } from "../../runtime/values/csv/list-cell.js";
import { service } from "../cli/service.js";
import type { End } from "../support/apps/importing-shop.js";
import { openTaskApp, type TaskApp, usualImport } from "../support/apps/task-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";

let app: WrittenApp;
let tasks: TaskApp;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `fields:
  code: { type: string, required: true, unique: true }
  tags: { type: string, list: true, distinct: true, maxItems: 3 }
  prices: { type: number, decimals: 2, list: true }
  days: { type: date, list: true }
`,
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

async function imported(text: string, options: Partial<ImportRequest> = {}) {
  const path = join(app.root, "rows.csv");
  writeFileSync(path, text);
  const request = { ...usualImport, path, errors: `${path}.errors.csv`, ...options };
  const end = await tasks.run<End>((events) => ({
    kind: "import",
    request: { ...request, resource: "products", events },
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

const stored = () =>
  app.db.query(
    "select code, tags, to_json(prices) as prices, to_json(days) as days from products order by code",
  );

test.each(["stop", "skip"] as const)("an import reads lists (--on-error %s)", async (onError) => {
  await app.db.query("truncate products cascade");
  const rows = [
    "code,tags,prices,days",
    "A,a|b\\|c|d\\\\,1.5| 2 ,2026-01-31|2026-02-01",
    "B,,,",
    '"C","x\ty|""q""|{a,b}",,',
  ];
  expect(await imported(rows.join("\n"), { onError })).toEqual({
    created: 3,
    updated: 0,
    refused: 0,
    errors: [],
  });
  expect(await stored()).toEqual([
    {
      code: "A",
      tags: ["a", "b|c", "d\\"],
      prices: [1.5, 2],
      days: ["2026-01-31", "2026-02-01"],
    },
    { code: "B", tags: [], prices: [], days: [] },
    { code: "C", tags: ["x\ty", '"q"', "{a,b}"], prices: [], days: [] },
  ]);
});

test("mistakes name the column and the element", async () => {
  await app.db.query("truncate products cascade");
  const { created, errors } = await imported("code,tags,prices\nA,a|a,1\nB,a||b,x\nC,a|b|c|d,1\n");
  expect(created).toBe(0);
  expect(errors).toEqual([
    "tags: 1: Is in the list already",
    "tags: 1: A value is required",
    "prices: Must be a number as in JSON: 1234.5",
    "tags: At most 3 elements",
  ]);
});

test("an export escapes what separates elements, and is imported as it is", async () => {
  await app.db.query("truncate products cascade");
  await app.db.query(
    `insert into products (code, tags, prices, days) values
      ('A', array['a|b', '\\', 'c,"d"'], array[1.5, 2], array['2026-01-31', '2026-02-01']::date[]),
      ('B', array['|', '\\|', E'e\nf'], '{}', '{}')`,
  );
  const before = await stored();
  const fields = "code,tags,prices,days";
  const args = ["export", "products", "--fields", fields, "--format", "csv"];
  const env = { DATABASE_URL: app.config.database.url, SERVICE_SECRET: "x".repeat(40) };
  const { stdout, stderr } = await service(app.root, args, { env });
  const id = "[0-9a-f-]{36}";
  const cells = stdout.replaceAll(new RegExp(`^(?:id|${id}),`, "gm"), "");
  expect(cells.trimEnd().split("\r\n"), stderr).toEqual([
    fields,
    'A,"a\\|b|\\\\|c,""d""",1.50|2.00,2026-01-31|2026-02-01',
    'B,"\\||\\\\\\||e\nf",,',
  ]);
  await app.db.query("truncate products cascade");
  expect(await imported(stdout)).toMatchObject({ created: 2, errors: [] });
  expect(await stored()).toEqual(before);
});

test("--upsert changes lists that differ", async () => {
  await app.db.query("truncate products cascade");
  await imported("code,tags\nA,a|b\nB,c\n");
  const { updated } = await imported("code,tags\nA,b|a\nB,c\n", { upsert: "code" });
  expect(updated).toBe(2);
  expect(await stored()).toMatchObject([
    { code: "A", tags: ["b", "a"] },
    { code: "B", tags: ["c"] },
  ]);
});

test("a seed stores lists, and leaves equal ones unchanged", async () => {
  await app.db.query("truncate products cascade");
  mkdirSync(join(app.root, "seed"), { recursive: true });
  const path = join(app.root, "seed/products.yaml");
  writeFileSync(path, "key: code\nrecords:\n  - { code: A, tags: [x, y], prices: [1.5] }\n");
  const seeded = () =>
    tasks.run<SeedEvent>((events) => ({
      kind: "seed",
      request: {
        folder: join(app.root, "seed"),
        resources: [],
        onlyEmpty: false,
        command: null,
        events,
      },
    }));
  expect(await seeded()).toMatchObject({ result: { resources: { products: { created: 1 } } } });
  expect(await seeded()).toMatchObject({ result: { resources: { products: { unchanged: 1 } } } });
  expect(await stored()).toMatchObject([{ code: "A", tags: ["x", "y"], prices: [1.5] }]);
});

test("a cell can hold any elements", () => {
  for (const elements of [["a"], ["a", "b"], ["|"], ["\\"], ["\\|", "|\\", "a\\b"], []]) {
    expect(elementsOf(listCell(elements))).toEqual(elements);
  }
});
