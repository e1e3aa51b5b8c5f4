import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BackupApp, openBackupApp } from "../support/backup/backup-app.js";
import { dump } from "../support/database/dump.js";

const fixture = resolve(import.meta.dirname, "../../fixtures/cases/galleries");
const keys = ["products/papers/a", "products/papers/b"];

let app: BackupApp;
let folder: string;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-backup-"));
  archive = join(folder, "galleries.backup");
  app = await openBackupApp("migrated", fixture);
  await app.db.query(
    `insert into service.uploads (key, resource, field, details, unused_since)
     select key, 'products', 'papers', json_build_object('key', key, 'url', '/api/_service/files/' || key, 'renditions', json_build_object()), null from unnest($1::text[]) as key`,
    [keys],
  );
  await app.db.query("insert into products (id, papers) values (service.uuid_v7(), $1)", [
    keys.toReversed(),
  ]);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const entries = async ({ db }: BackupApp) =>
  (await db.query("select target_id, position from products_papers order by position")).rows;

test("the entries of lists are saved and restored, and are not counted as records", async () => {
  const saved = await app.run(["backup", archive, "--json"]);
  expect(saved).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(saved.stdout)).toMatchObject({ records: { products: 1 }, unmanaged: [] });
  expect(Object.keys(JSON.parse(saved.stdout).records)).toEqual(["products"]);
  const other = await openBackupApp("empty", fixture);
  try {
    const restored = await other.run(["restore", archive, "--json"]);
    expect(restored).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(restored.stdout).records).toEqual({ products: 1 });
    expect(await entries(other)).toEqual(await entries(app));
    expect(await dump(other.url)).toEqual(await dump(app.url));
    // Over what is there.
    const again = await other.run(["restore", archive, "--replace"]);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(await entries(other)).toHaveLength(2);
  } finally {
    await other.close();
  }
});
