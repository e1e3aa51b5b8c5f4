import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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
        "products.yaml",
        `fields:
  code: { type: string, required: true, unique: any-case, maxLength: 40 }
  price: { type: number, decimals: 2 }
  quantity: { type: number, integer: true }
  total: { type: number, decimals: 2, computed: price * quantity }
  label: { type: string, computed: "code || ' ' || price", unique: true }
`,
      ],
      [
        "lines.yaml",
        `fields:
  name: { type: string, unique: true }
  productId: { type: belongsTo, resource: products }
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

async function imported(resource: string, text: string, options: Partial<ImportRequest> = {}) {
  const path = join(app.root, "rows.csv");
  writeFileSync(path, text);
  const request = { ...usualImport, path, errors: `${path}.errors.csv`, ...options, resource };
  const end = await tasks.run<End>((events) => ({
    kind: "import",
    request: { ...request, events },
  }));
  if (end.kind === "refused") throw new Error(end.message);
  const { created, updated, refused, errors } = end.result;
  return { created, updated, refused, errors: errors.map(({ message }) => message) };
}

const stored = () =>
  app.db.query("select code, price::float8, quantity::int from products order by code");

test("an import skips computed columns", async () => {
  expect(
    await imported("products", "code,price,total,quantity,label\nTea,2.5,99,2,x\nCocoa,1,,,\n"),
  ).toEqual({ created: 2, updated: 0, refused: 0, errors: [] });
  expect(await stored()).toEqual([
    { code: "Cocoa", price: 1, quantity: null },
    { code: "Tea", price: 2.5, quantity: 2 },
  ]);
});

test("an import refuses rows whose computed value is taken", async () => {
  await app.db.query("truncate products cascade");
  await imported("products", "code,price\nTea,1\n");
  const { created, refused } = await imported("products", "code,price\nOolong,1\nTEA,2\n");
  expect({ created, refused }).toEqual({ created: 0, refused: 1 });
});

test("--upsert and --link find records in any case", async () => {
  await app.db.query("truncate products cascade");
  await imported("products", "code,price\nTea,1\nCoffee,2\n");
  const upserted = await imported("products", "code,price\nTEA,5\nMate,6\nmATE,7\n", {
    upsert: "code",
  });
  expect(upserted).toEqual({ created: 1, updated: 2, refused: 0, errors: [] });
  expect(await stored()).toMatchObject([
    { code: "Coffee", price: 2 },
    { code: "mATE", price: 7 },
    { code: "TEA", price: 5 },
  ]);
  const linked = await imported("lines", "name,productId\na,tea\nb,COFFEE\n", {
    link: { productId: "code" },
  });
  expect(linked).toEqual({ created: 2, updated: 0, refused: 0, errors: [] });
});

test("two rows of a file that differ in case alone are refused", async () => {
  await app.db.query("truncate products cascade");
  const { created, refused } = await imported("products", "code\nGreen\nBlack\nGREEN\n");
  expect({ created, refused }).toEqual({ created: 0, refused: 1 });
});

test("a seed finds records by a key in any case", async () => {
  await app.db.query("truncate products cascade");
  const folder = join(app.root, "seed");
  mkdirSync(folder, { recursive: true });
  const seed = async (code: string, price: number) => {
    const text = `key: code\nrecords:\n  - { code: ${code}, price: ${price} }\n`;
    writeFileSync(join(folder, "products.yaml"), text);
    const request = { folder, resources: [], onlyEmpty: false, command: null };
    return tasks.run<SeedEvent>((events) => ({ kind: "seed", request: { ...request, events } }));
  };
  expect(await seed("Tea", 1)).toMatchObject({ kind: "done" });
  expect(await seed("TEA", 2)).toMatchObject({ kind: "done" });
  expect(await stored()).toMatchObject([{ code: "TEA", price: 2 }]);
});
