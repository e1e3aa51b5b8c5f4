import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ImportRequest, SeedEvent } from "../../runtime/data/index.js";
import { selectForFile } from "../../runtime/resource/index.js";
import type { End } from "../support/apps/importing-shop.js";
import { openTaskApp, type TaskApp, usualImport } from "../support/apps/task-app.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import { pdf, pixel, uploaded } from "../support/storage/stored.js";

let app: WrittenApp;
let tasks: TaskApp;
let admin: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `fields:
  code: { type: string, required: true, unique: true }
  photos: { type: image, list: true, maxItems: 3 }
  papers: { type: file, list: true }
`,
      ],
    ]),
  });
  admin = (await app.caller("admin")).client;
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const databaseUrl = app.config.database.url;
  tasks = await openTaskApp({ name: app.root, databaseUrl, make: () => createApp() });
});
beforeEach(() => app.db.query("truncate products cascade"));
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
  const { created, updated, errors } = end.result;
  return { created, updated, errors: errors.map(({ column, message }) => `${column}: ${message}`) };
}

const photo = async () => (await uploaded(admin, "products/photos", "a.png")).key;
const stored = () => app.db.query("select code, photos from products order by code");
const unused = (keys: readonly string[]) =>
  app.db.query("select key from service.uploads where key = any($1) and unused_since is not null", [
    keys,
  ]);

test.each(["stop", "skip"] as const)("an import reads keys (--on-error %s)", async (onError) => {
  const keys = [await photo(), await photo(), await photo()] as const;
  const rows = ["code,photos", `A,${keys[1]}|${keys[0]}`, `B,${keys[2]}`, "C,"];
  expect(await imported(rows.join("\n"), { onError })).toEqual({
    created: 3,
    updated: 0,
    errors: [],
  });
  expect(await stored()).toEqual([
    { code: "A", photos: [keys[1], keys[0]] },
    { code: "B", photos: [keys[2]] },
    { code: "C", photos: [] },
  ]);
  expect(await unused(keys)).toEqual([]);
  const [products] = tasks.definitions;
  if (products === undefined) throw new Error("no definition");
  const { cells } = selectForFile(products.table, { fields: ["code", "photos"] });
  const exported = await app.db.query<Record<string, string>>(cells);
  expect(exported.map((row) => Object.values(row)[2])).toContain(`${keys[1]}|${keys[0]}`);
});

test.each(["stop", "skip"] as const)(
  "a wrong key is refused at its element (--on-error %s)",
  async (onError) => {
    const key = await photo();
    const paper = (await uploaded(admin, "products/papers")).key;
    const { created, errors } = await imported(
      `code,photos\nA,${key}|none\nB,${paper}\nC,${key}|${key}\n`,
      { onError },
    );
    expect(created).toBe(0);
    expect(errors).toEqual([
      "photos: 1: No file was uploaded to this field under this key",
      "photos: 0: No file was uploaded to this field under this key",
      "photos: 1: Is in the list already",
    ]);
  },
);

test("--upsert changes galleries that differ", async () => {
  const [a, b] = [await photo(), await photo()];
  await imported(`code,photos\nA,${a}|${b}\nB,${a}\n`);
  const again = await imported(`code,photos\nA,${b}|${a}\nB,${a}\n`, { upsert: "code" });
  expect(again).toMatchObject({ updated: 2, errors: [] });
  expect(await stored()).toEqual([
    { code: "A", photos: [b, a] },
    { code: "B", photos: [a] },
  ]);
});

/** Seeds one product with these papers, beside which there are pictures and documents. */
async function seed(papers: string) {
  const folder = join(app.root, "seed");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a.png"), pixel);
  writeFileSync(join(folder, "a.pdf"), pdf);
  writeFileSync(join(folder, "copy.pdf"), pdf);
  writeFileSync(join(folder, "b.pdf"), `${pdf}%`);
  writeFileSync(
    join(folder, "products.yaml"),
    `key: code\nrecords:\n  - { code: A, photos: [{ file: a.png }], papers: ${papers} }\n`,
  );
  return tasks.run<SeedEvent>((events) => ({
    kind: "seed",
    request: { folder, resources: [], onlyEmpty: false, command: null, events },
  }));
}

async function papersNow(): Promise<readonly string[]> {
  const [one] = await app.db.query<{ papers: string[] }>("select papers from products");
  return one?.papers ?? [];
}

test("a seed stores the files of a gallery once, and leaves an equal one unchanged", async () => {
  const both = "[{ file: a.pdf }, { file: b.pdf }]";
  expect(await seed(both)).toMatchObject({
    result: { resources: { products: { created: 1 } }, files: 3 },
  });
  const first = await papersNow();
  expect(first).toHaveLength(2);
  expect(await unused(first)).toEqual([]);
  expect(await seed(both)).toMatchObject({
    result: { resources: { products: { unchanged: 1 } }, files: 0 },
  });
  expect(await seed("[{ file: b.pdf }, { file: a.pdf }]")).toMatchObject({
    result: { resources: { products: { updated: 1 } }, files: 0 },
  });
  expect(await papersNow()).toEqual(first.toReversed());
  expect(await seed("{ file: a.pdf }")).toMatchObject({
    problems: [{ message: "papers: write a list of files" }],
  });
  expect(await seed("[{ file: a.pdf }, { file: none.pdf }]")).toMatchObject({
    problems: [{ message: "papers.1: there is no file none.pdf" }],
  });
});

test("a seed stores equal files of one gallery each, and leaves them unchanged", async () => {
  const equal = "[{ file: a.pdf }, { file: copy.pdf }, { file: a.pdf }]";
  expect(await seed(equal)).toMatchObject({
    result: { resources: { products: { created: 1 } }, files: 4 },
  });
  const first = await papersNow();
  expect(first).toHaveLength(3);
  expect(await seed(equal)).toMatchObject({
    result: { resources: { products: { unchanged: 1 } }, files: 0 },
  });
  expect(await papersNow()).toEqual(first);
  expect(await seed("[{ file: a.pdf }, { file: b.pdf }, { file: copy.pdf }]")).toMatchObject({
    result: { resources: { products: { updated: 1 } }, files: 1 },
  });
  const [a, , copy] = await papersNow();
  expect([a, copy]).toEqual(first.slice(0, 2));
});
