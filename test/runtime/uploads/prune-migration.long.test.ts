import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { readChangeCase } from "../../support/apps/change-case.js";
import { type ChangedApp, newChangedApp } from "../../support/apps/changed-app.js";
import { insertRows, readRows } from "../../support/apps/known-rows.js";
import { pruneIn } from "../../support/storage/stored.js";

const { before, releases, rows } = readChangeCase(
  resolve(import.meta.dirname, "../../../fixtures/migrations/image-to-gallery"),
);
const [release] = releases;

let app: ChangedApp;
let db: Database;
let storage: string;

beforeEach(async () => {
  app = await newChangedApp();
  db = openDatabase({ url: app.target.url, prepare: true, poolSize: 2, log: console });
  storage = mkdtempSync(join(tmpdir(), "service-uploads-"));
  await app.generate(before);
  await app.migrate();
  await insertRows(app.client, rows.before);
  await app.generate(release?.descriptors ?? new Map(), release?.consent);
});
afterEach(async () => {
  await db.close();
  await app.close();
  rmSync(storage, { recursive: true });
});

/** As servers do that go on for days. */
async function pruneForDays() {
  const warnings: (string | null)[] = [];
  for (const hours of [1, 30, 60]) warnings.push((await pruneIn(hours, { db, storage })).warning);
  return warnings;
}

const kept = "a migration is unfinished: until it is finished, unused uploads are kept";
const rowsAre = async (expected: typeof rows.before) =>
  expect(await readRows(app.client, expected)).toEqual(expected);

test("files stay while the migration from a picture to a gallery is interrupted", async () => {
  await app.client.query("create table products_photo ()");
  await expect(app.migrate()).rejects.toThrow(/products_photo/);
  expect(await pruneForDays()).toEqual([kept, kept, kept]);
  await app.client.query("drop table products_photo");
  await app.migrate();
  await rowsAre(rows.after);
  expect(await pruneForDays()).toEqual([null, null, null]);
  await rowsAre(rows.after);
});

test("files stay while its way back is interrupted", async () => {
  await app.migrate();
  await app.client.query("alter table products add column photo__next integer");
  await expect(app.undo()).rejects.toThrow(/photo__next/);
  expect(await pruneForDays()).toEqual([kept, kept, kept]);
  await app.client.query("alter table products drop column photo__next");
  await app.undo();
  await rowsAre(rows.back ?? rows.before);
});
