import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type BackupApp,
  contents,
  fill,
  keyOf,
  openBackupApp,
  wrongCounts,
} from "../support/backup/backup-app.js";
import { dump } from "../support/database/dump.js";

let app: BackupApp;
let folder: string;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-backup-"));
  archive = join(folder, "shop.backup");
  app = await openBackupApp("migrated");
  await fill(app);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

test("an archive holds every table and file, and only its owner may read it", async () => {
  const outcome = await app.run(["backup", archive, "--json"]);
  expect(outcome).toMatchObject({ exitCode: 0 });
  const { bytes, ...result } = JSON.parse(outcome.stdout);
  expect(result).toMatchObject({
    file: archive,
    encrypted: false,
    accounts: 1,
    files: 2,
    unmanaged: [],
    missing: [],
  });
  expect(result.records).toMatchObject({ categories: 1, products: 1, "order-items": 0 });
  expect([bytes, statSync(archive).mode & 0o777]).toEqual([statSync(archive).size, 0o600]);
  const { stdout } = await execa("tar", ["tzf", archive]);
  const names = stdout.split("\n");
  expect([names[0], names.at(-1)]).toEqual(["manifest.json", "sums.json"]);
  expect(names).toEqual(expect.arrayContaining(["tables/public.order_items", `files/${keyOf(2)}`]));
  const { stdout: text } = await execa("tar", ["xzfO", archive, "tables/public.categories"]);
  expect(text).toContain("Tea");
});

test("it has the histories that the descriptors ask for, before any server has run", async () => {
  const [young, other] = [await openBackupApp("migrated"), await openBackupApp("empty")];
  try {
    await fill(young);
    await young.db.query("delete from service.change_histories");
    mkdirSync(join(young.root, "generated"));
    const described = [
      { name: "products", changes: { history: 30 } },
      { name: "categories", changes: true },
      { name: "order-items" },
    ];
    writeFileSync(join(young.root, "generated/descriptors.json"), JSON.stringify(described));
    const path = join(folder, "young.backup");
    const made = await young.run(["backup", path, "--json"]);
    expect(made).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(made.stdout)).toMatchObject({ history: 1 });
    expect(made.stderr).toContain("1 history entry");
    const restored = await other.run(["restore", path, "--json"]);
    expect(JSON.parse(restored.stdout)).toMatchObject({ history: 1 });
    const { rows } = await other.db.query("select resource from service.changes");
    expect(rows).toEqual([{ resource: "products" }]);
    const { rows: known } = await other.db.query("select resource from service.change_histories");
    expect(known).toEqual([{ resource: "products" }]);
  } finally {
    await young.close();
    await other.close();
  }
});

test("it is restored into an empty database, and everything is as it was", async () => {
  const other = await openBackupApp("empty");
  try {
    const outcome = await other.run(["restore", archive, "--json"]);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      file: archive,
      accounts: 1,
      files: 2,
      migrated: [],
    });
    expect(await contents(other)).toEqual(await contents(app));
    expect(await wrongCounts(other)).toEqual([]);
    // The rest of the log is left out, and its numbers go on behind those of the histories.
    const { rows: changes } = await other.db.query("select n::int, resource from service.changes");
    expect(changes).toEqual([{ n: 1, resource: "products" }]);
    const { rows: counters } = await other.db.query("select n::int from service.change_counter");
    expect(counters).toEqual([{ n: 1 }]);
    expect(await dump(other.url)).toEqual(await dump(app.url));
    const again = await other.run(["restore", archive]);
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toContain("1 of categories, 1 of products, 1 of users");
  } finally {
    await other.close();
  }
});
