import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  changed,
  linkHead,
  type Piece,
  piecesOf,
  tarOf,
  withSums,
  writePieces,
} from "../support/backup/archives.js";
import {
  type BackupApp,
  contents,
  fill,
  keyOf,
  openBackupApp,
} from "../support/backup/backup-app.js";

let app: BackupApp;
let folder: string;
let archive: string;
let bad: string;
let pieces: Piece[];
let before: unknown;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-damaged-"));
  archive = join(folder, "shop.backup");
  bad = join(folder, "bad.backup");
  app = await openBackupApp("migrated");
  await fill(app);
  expect(await app.run(["backup", archive])).toMatchObject({ exitCode: 0 });
  pieces = await piecesOf(archive);
  before = await contents(app);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** The columns of a table in the archive. */
function columnsOf(table: string): readonly string[] {
  const manifest = pieces.find(({ name }) => name === "manifest.json");
  return JSON.parse(String(manifest?.bytes)).tables[table];
}

/** Whether the next one is with --dry-run: both verify the same, so they take turns. */
let isDry = false;

async function expectRefused(reason: string | RegExp): Promise<void> {
  isDry = !isDry;
  const how = isDry ? ["--dry-run"] : [];
  const outcome = await app.run(["restore", bad, "--replace", "--json", ...how]);
  expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
  expect(outcome.stderr).toMatch(reason);
  expect(await contents(app)).toEqual(before);
}

const file = `files/${keyOf(1)}`;
const empty = Buffer.alloc(0);

describe("refuses, and leaves everything as it was,", () => {
  test.each<[string, string | RegExp, (all: Piece[]) => Piece[]]>([
    [
      "bytes of a file that were changed",
      `the checksum of ${file} does not match`,
      (all) => changed(all, file, (text) => text.replace("bytes", "BYTES")),
    ],
    [
      "rows that were changed",
      "the checksum of tables/public.categories does not match",
      (all) => changed(all, "tables/public.categories", (text) => text.replace("Tea", "Tee")),
    ],
    [
      "a manifest that was changed",
      "the checksum of manifest.json does not match",
      (all) => changed(all, "manifest.json", (text) => `${text}\n`),
    ],
    [
      "a file that is missing",
      `${file} is missing`,
      (all) => all.filter(({ name }) => name !== file),
    ],
    [
      "a table that is missing",
      "tables/service.users is missing",
      (all) => all.filter(({ name }) => name !== "tables/service.users"),
    ],
    [
      "a table that is missing in the sums too",
      "tables/service.users is missing",
      (all) => withSums(all.filter(({ name }) => name !== "tables/service.users")),
    ],
    [
      "a duplicate entry",
      `${file} is repeated`,
      (all) => all.flatMap((piece) => (piece.name === file ? [piece, piece] : [piece])),
    ],
    [
      "a file that no row describes",
      "no row describes",
      (all) => withSums(all.toSpliced(-1, 0, { name: `files/${keyOf(9)}`, bytes: empty })),
    ],
    [
      "an unknown table",
      "tables/service.secrets does not belong",
      (all) => withSums(all.toSpliced(1, 0, { name: "tables/service.secrets", bytes: empty })),
    ],
    [
      "a table that is not the app's",
      "does not belong",
      (all) => withSums(all.toSpliced(1, 0, { name: "tables/pg_catalog.pg_authid", bytes: empty })),
    ],
    [
      "something else",
      "notes.txt does not belong",
      (all) => withSums(all.toSpliced(1, 0, { name: "notes.txt", bytes: empty })),
    ],
    [
      "a file of another size",
      "has 1 bytes, but its row records",
      (all) => withSums(changed(all, file, () => "x")),
    ],
    [
      "a row too many",
      "has 2 rows, but the archive records 1",
      (all) => withSums(changed(all, "tables/public.categories", (text) => text + text)),
    ],
    ["sums without rows", "sums.json is malformed", (all) => changed(all, "sums.json", () => "{}")],
    ["no sums", "it is truncated", (all) => all.slice(0, -1)],
    ["data after the sums", "follows sums.json", (all) => [...all, { name: file, bytes: empty }]],
    ["no manifest", "precedes manifest.json", (all) => all.slice(1)],
    [
      "a manifest of something else",
      "manifest.json is malformed",
      (all) => withSums(changed(all, "manifest.json", () => '{"format":1}')),
    ],
    [
      "files before tables",
      "follows a file",
      (all) =>
        withSums([
          ...all.slice(0, -3),
          ...all.slice(-3, -1),
          ...all.slice(-4, -3),
          ...all.slice(-1),
        ]),
    ],
    [
      "a path out of the folder",
      "not the name of an app's file",
      (all) => withSums(all.toSpliced(-1, 0, { name: "files/../../evil", bytes: empty })),
    ],
    [
      "an absolute path",
      "does not belong",
      (all) => withSums(all.toSpliced(-1, 0, { name: "/etc/evil", bytes: empty })),
    ],
    [
      "a link in place of a file",
      "is not a regular file",
      (all) =>
        all.map((one) =>
          one.name === file ? { ...one, bytes: empty, head: linkHead(file, "/etc/passwd") } : one,
        ),
    ],
    [
      "a higher format",
      "has the format 2; this version reads 1",
      (all) =>
        withSums(
          changed(all, "manifest.json", (text) => text.replace('"format": 1', '"format": 2')),
        ),
    ],
    [
      "migrations that the app does not have",
      "migrations/0099_later.sql, 0999_new of the package",
      (all) =>
        withSums(
          changed(all, "manifest.json", (text) => {
            const manifest = JSON.parse(text);
            manifest.migrations.push(
              { source: "app", name: "0099_later", checksum: "" },
              { source: "package", name: "0999_new", checksum: "" },
            );
            return JSON.stringify(manifest);
          }),
        ),
    ],
    [
      "a column that the app does not have",
      "the column extra of public.categories",
      (all) =>
        withSums(
          changed(all, "manifest.json", (text) => {
            const manifest = JSON.parse(text);
            manifest.tables["public.categories"][0] = "extra";
            return JSON.stringify(manifest);
          }),
        ),
    ],
  ])("%s", async (_, reason, change) => {
    writePieces(bad, change(pieces));
    await expectRefused(reason);
  });

  test("an archive that is truncated anywhere", async () => {
    const whole = readFileSync(archive);
    for (const length of [0, 1, 100, whole.length >> 1, whole.length - 9, whole.length - 1]) {
      writeFileSync(bad, whole.subarray(0, length));
      await expectRefused(/is not an archive|cannot be decompressed completely/);
    }
    const tar = tarOf(archive);
    for (const length of [512, tar.length >> 1, tar.length - 1024, tar.length - 513]) {
      writeFileSync(bad, gzipSync(tar.subarray(0, length)));
      await expectRefused("The archive is damaged");
    }
  });

  test("any changed byte", async () => {
    const whole = readFileSync(archive);
    for (let at = 3; at < whole.length; at += Math.ceil(whole.length / 12)) {
      const other = Buffer.from(whole);
      other.writeUInt8(other.readUInt8(at) ^ 0x10, at);
      writeFileSync(bad, other);
      const outcome = await app.run(["restore", bad, "--replace", "--dry-run"]);
      // The time in gzip's own head is nothing of ours.
      if (at >= 10) expect(outcome, `at ${at}`).toMatchObject({ exitCode: 1 });
    }
    writeFileSync(bad, Buffer.concat([whole, Buffer.from("more")]));
    await expectRefused(/it has trailing data|cannot be decompressed completely/);
  });

  test("rows that violate a constraint, although every checksum is right", async () => {
    writePieces(
      bad,
      withSums(
        changed(pieces, "tables/public.categories", () => ""),
        { "public.categories": 0 },
      ),
    );
    const outcome = await app.run(["restore", bad, "--replace"]);
    expect(outcome).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("The rows of the archive cannot be loaded"),
    });
    expect(await contents(app)).toEqual(before);
    expect(app.files()).toHaveLength(2);
  });

  test("a huge value that does not fit, of which little is shown", async () => {
    const tables = "tables/public.categories";
    const at = columnsOf("public.categories").indexOf("id");
    const row = (text: string) => {
      const cells = text.split("\t");
      cells[at] = `\u001b]0;${"x".repeat(30 * 1024 * 1024)}`;
      return cells.join("\t");
    };
    writePieces(bad, withSums(changed(pieces, tables, row)));
    const { exitCode, stderr } = await app.run(["restore", bad, "--replace"]);
    expect({ exitCode, isShort: stderr.length < 2_000 }).toEqual({ exitCode: 1, isShort: true });
    expect(stderr).toContain(
      'The rows of the archive cannot be loaded: invalid input syntax for type uuid: " ]0;xxxxxxxx',
    );
    expect(stderr).not.toContain("\u001b");
    expect(await contents(app)).toEqual(before);
  });

  test("a table of which PostgreSQL stores fewer rows than it has lines", async () => {
    writePieces(
      bad,
      withSums(
        changed(pieces, "tables/public.categories", (text) => `${text}\\.\nmore\n`),
        { "public.categories": 3 },
      ),
    );
    const { exitCode, stderr } = await app.run(["restore", bad, "--replace"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/the archive records 3|cannot be loaded/);
    expect(await contents(app)).toEqual(before);
  });

  test("an archive that unpacks to far more than its size", async () => {
    const zeros = Buffer.alloc(200 * 1024 * 1024);
    const tables = "tables/service.stored_objects";
    for (const [name, reason] of [
      ["manifest.json", "manifest.json is too long"],
      [tables, "a row is too long"],
      ["sums.json", "sums.json is too long"],
      [file, "has 209715200 bytes, but its row records"],
      ["tables/public.categories", "the checksum of tables/public.categories does not match"],
    ] as const) {
      writePieces(
        bad,
        pieces.map((piece) => (piece.name === name ? { name, bytes: zeros } : piece)),
      );
      await expectRefused(reason);
    }
  });

  test("a file that is not an archive", async () => {
    for (const bytes of [
      gzipSync("no tar"),
      Buffer.from("PGDMP"),
      gzipSync(Buffer.alloc(100_000)),
    ]) {
      writeFileSync(bad, bytes);
      await expectRefused(/is not an archive|is damaged/);
    }
    expect(await app.run(["restore", join(folder, "none")])).toMatchObject({ exitCode: 1 });
    expect(await app.run(["restore", folder])).toMatchObject({ exitCode: 1 });
  });
});
