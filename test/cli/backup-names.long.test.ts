import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BackupApp, openBackupApp } from "../support/backup/backup-app.js";
import { dump } from "../support/database/dump.js";

/** Its resources `albums` and `tracks` have tables and columns of any spelling. */
const fixture = resolve(import.meta.dirname, "../../fixtures/names");

let app: BackupApp;
let folder: string;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-backup-"));
  archive = join(folder, "names.backup");
  app = await open("migrated");
  await app.db.query(`
    with album as (
      insert into "Альбомы ""x"" \${y} \`z\` \\ $1 %I {1} -- ;" ("Name ""\${a}\` \\", "%I", "$1")
      values ('One', '2026-02-03', null), ('Two', null, null)
      returning id
    )
    insert into "Albums" ("AlbumId", "日本語 の 題") select id, 'Track' from album limit 1`);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

async function open(kind: "migrated" | "empty"): Promise<BackupApp> {
  const opened = await openBackupApp(kind, fixture);
  cpSync(join(fixture, "generated/tables.json"), join(opened.root, "generated/tables.json"));
  return opened;
}

test("records are counted by their resources, whatever the names of tables", async () => {
  const records = { albums: 2, tracks: 1 };
  const saved = await app.run(["backup", archive, "--json"]);
  expect(saved).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(saved.stdout)).toMatchObject({ records, unmanaged: [] });
  const refused = await app.run(["restore", archive]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("it has records: 1 of tracks, 2 of albums");
  const other = await open("empty");
  try {
    const restored = await other.run(["restore", archive, "--json"]);
    expect(restored).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(restored.stdout)).toMatchObject({ records });
    expect(await dump(other.url)).toEqual(await dump(app.url));
  } finally {
    await other.close();
  }
});
