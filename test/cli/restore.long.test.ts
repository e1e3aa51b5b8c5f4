import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { changed, piecesOf, withSums, writePieces } from "../support/backup/archives.js";
import {
  type BackupApp,
  bytesOf,
  contents,
  fill,
  keyOf,
  openBackupApp,
  secret,
  storeFiles,
  wrongCounts,
} from "../support/backup/backup-app.js";
import { atTerminal, hasTerminal } from "../support/processes/terminal.js";
import { fullDisk, plain, program, serviceToFullDisk } from "./service.js";

let app: BackupApp;
let folder: string;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-restore-"));
  archive = join(folder, "shop.backup");
  app = await openBackupApp("migrated");
  await fill(app);
  expect(await app.run(["backup", archive])).toMatchObject({ exitCode: 0 });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

describe("into another database", () => {
  let other: BackupApp;
  beforeEach(async () => {
    other = await openBackupApp("migrated");
  });
  afterEach(() => other.close());

  test("existing records are refused with their numbers, and replaced with --replace, including files", async () => {
    await fill(other, 4);
    await other.db.query("insert into categories (id, name) values (gen_random_uuid(), 'Coffee')");
    await other.db.query(
      `insert into service.mails (id, email, kind, queue, sealed, turn, due_at, expires_at)
       values (gen_random_uuid(), 'a', 'none', 'a', 'a', 1, now(), now())`,
    );
    const before = await contents(other);
    const refused = await other.run(["restore", archive, "--json"]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("2 of categories, 1 of products, 1 of users");
    expect(await contents(other)).toEqual(before);

    const dry = await other.run(["restore", archive, "--replace", "--dry-run", "--json"]);
    expect(JSON.parse(dry.stdout)).toMatchObject({ accounts: 1, files: 2, migrated: [] });
    expect(await contents(other)).toEqual(before);

    const replaced = await other.run(["restore", archive, "--replace", "--json"]);
    expect(replaced).toMatchObject({ exitCode: 0 });
    expect(await contents(other)).toEqual(await contents(app));
    expect(other.files()).toEqual([keyOf(1), keyOf(2)].sort());
    expect(await wrongCounts(other)).toEqual([]);
    const { rows } = await other.db.query("select from service.mails");
    expect(rows).toHaveLength(0);
    const doctor = await other.run(["doctor"]);
    expect(doctor.stdout).not.toMatch(/^problem/m);
    expect(doctor.stdout).toContain("schema: matches the migrations");
  });

  test("positions of changes before a restore are unknown", async () => {
    const log = async () =>
      (await other.db.query("select log from service.change_counter")).rows[0]?.log;
    const former = await log();
    expect(await other.run(["restore", archive])).toMatchObject({ exitCode: 0 });
    expect(await log()).not.toBe(former);
  });

  test("files damaged in the storage are restored", async () => {
    expect(await other.run(["restore", archive])).toMatchObject({ exitCode: 0 });
    writeFileSync(join(other.root, "storage", keyOf(1)), "damaged");
    expect(await other.run(["restore", archive, "--replace"])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(other.root, "storage", keyOf(1)))).toEqual(bytesOf(1));
  });

  test("values that its secret does not decrypt are refused before any change, unless --other-secret is given", async () => {
    const env = { SERVICE_SECRET: "another secret of the tests, also long" };
    for (const how of [["--dry-run"], []]) {
      const refused = await other.run(["restore", archive, ...how], { env });
      expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
      expect(refused.stderr).toContain("neither SERVICE_SECRET nor SERVICE_SECRET_PREVIOUS");
    }
    expect(other.files()).toEqual([]);
    const previous = { ...env, SERVICE_SECRET_PREVIOUS: secret };
    const dry = await other.run(["restore", archive, "--dry-run"], { env: previous });
    expect(dry).toMatchObject({ exitCode: 0 });
    const said = await other.run(["restore", archive, "--other-secret"], { env });
    expect(said).toMatchObject({ exitCode: 0 });
    expect(await contents(other)).toEqual(await contents(app));
  });

  test("an encrypted archive reveals nothing without its passphrase, nor do temporary files", async () => {
    const sealed = join(folder, "sealed.backup");
    const none = await app.run(["backup", sealed, "--encrypt"]);
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain("set SERVICE_BACKUP_PASSPHRASE");
    expect(existsSync(sealed)).toBe(false);
    const env = { SERVICE_BACKUP_PASSPHRASE: "correct horse battery" };
    const made = await app.run(["backup", sealed, "--encrypt", "--json"], { env });
    expect(JSON.parse(made.stdout)).toMatchObject({ encrypted: true, files: 2 });
    expect(readFileSync(sealed, "latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 16\n/);
    expect(readFileSync(sealed).indexOf(readFileSync(archive).subarray(0, 10))).toBe(-1);
    expect(statSync(sealed).mode & 0o777).toBe(0o600);
    for (const [wrong, reason] of [
      [{}, "no terminal to prompt"],
      [{ SERVICE_BACKUP_PASSPHRASE: "wrong" }, "does not open the archive"],
    ] as const) {
      const refused = await other.run(["restore", sealed], { env: wrong });
      expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
      expect(refused.stderr).toContain(reason);
    }
    const cut = join(folder, "cut.backup");
    writeFileSync(cut, readFileSync(sealed).subarray(0, -20));
    const refused = await other.run(["restore", cut], { env });
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain("cannot be decrypted to its end");
    const costly = readFileSync(sealed, "latin1").replace(/( \S+) 16\n/, "$1 22\n");
    writeFileSync(cut, costly, "latin1");
    expect((await other.run(["restore", cut], { env })).stderr).toContain("a work factor of 22");
    expect(await other.run(["restore", sealed], { env })).toMatchObject({ exitCode: 0 });
    expect(await contents(other)).toEqual(await contents(app));
  });

  test.skipIf(!hasTerminal)(
    "the passphrase is prompted for at a terminal, twice for a new one",
    async () => {
      const sealed = join(folder, "asked.backup");
      const typed = ({ root }: BackupApp, words: readonly string[], answers: readonly string[]) => {
        const command = [process.execPath, program, "-C", root, ...words];
        return atTerminal(command.map((word) => `'${word}'`).join(" "), answers, { env: plain });
      };
      const differ = await typed(app, ["backup", sealed, "--encrypt"], ["one", "two"]);
      expect(differ).toMatchObject({ exitCode: 1 });
      expect(differ.output).toContain("The two passphrases differ");
      const made = await typed(app, ["backup", sealed, "--encrypt"], ["a long one", "a long one"]);
      expect(made).toMatchObject({ exitCode: 0 });
      expect(made.output).not.toContain("a long one");
      const restored = await typed(other, ["restore", sealed, "--dry-run"], ["a long one"]);
      expect(restored).toMatchObject({ exitCode: 0 });
      expect(restored.output).toMatch(
        /^Passphrase: \n.*The archive is intact: 2 records, 1 account, 2 files/s,
      );
    },
  );

  test("from one process to the other, without a file", async () => {
    const run = (root: string, words: string) =>
      `"${process.execPath}" "${program}" -C "${root}" ${words}`;
    const command = `${run(app.root, "backup -")} | ${run(other.root, "restore - --json")}`;
    const { stdout } = await execa("bash", ["-o", "pipefail", "-c", command], {
      env: { ...plain },
    });
    expect(JSON.parse(stdout)).toMatchObject({ file: "-", accounts: 1, files: 2 });
    expect(await contents(other)).toEqual(await contents(app));
  });

  test("tables whose last row has no line feed", async () => {
    const pieces = await piecesOf(archive);
    const chopped = pieces.map((piece) =>
      piece.name.startsWith("tables/") && piece.bytes.length > 0
        ? { ...piece, bytes: piece.bytes.subarray(0, -1) }
        : piece,
    );
    const copy = join(folder, "chopped.backup");
    writePieces(copy, withSums(chopped));
    const restored = await other.run(["restore", copy, "--json"]);
    expect(restored).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(restored.stdout)).toMatchObject({ accounts: 1, files: 2 });
    expect(await contents(other)).toEqual(await contents(app));
  });

  test("one with fewer migrations is loaded into the tables of its version, then migrated", async () => {
    const later = join(other.root, "migrations/0002_later.sql");
    const sql = `alter table public.categories add column rank bigint not null default 7;
update public.categories set rank = 8;
call service.recount('categories');
`;
    writeFileSync(later, sql);
    // Also where the later ones are applied already, and nothing is there.
    expect(await other.run(["migrate"])).toMatchObject({ exitCode: 0 });
    const replacing = await other.run(["restore", archive, "--replace"]);
    expect(replacing).toMatchObject({ exitCode: 1 });
    expect(replacing.stderr).toContain("it lacks migrations/0002_later.sql");
    const outcome = await other.run(["restore", archive, "--json"]);
    expect(outcome.stderr).not.toContain("hint");
    expect(JSON.parse(outcome.stdout)).toMatchObject({ accounts: 1, migrated: ["0002_later"] });
    const { rows } = await other.db.query("select name, rank from categories");
    expect(rows).toEqual([{ name: "Tea", rank: "8" }]);
    expect(await wrongCounts(other)).toEqual([]);
  });

  test("if its rows do not fit, the present empty tables are restored", async () => {
    const later = join(other.root, "migrations/0002_later.sql");
    writeFileSync(later, "alter table public.categories add column rank bigint;\n");
    expect(await other.run(["migrate"])).toMatchObject({ exitCode: 0 });
    const bad = join(folder, "bad.backup");
    const none = changed(await piecesOf(archive), "tables/public.categories", () => "");
    writePieces(bad, withSums(none, { "public.categories": 0 }));
    const outcome = await other.run(["restore", bad]);
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(outcome.stderr).toContain("The rows of the archive cannot be loaded");
    expect(other.files()).toEqual([]);
    expect((await other.db.query("select rank from categories")).rows).toEqual([]);
    const status = await other.run(["migrate", "--status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ pending: [] });
  });

  test("interrupted after its commit, it only finishes the remaining steps", async () => {
    expect(await other.run(["restore", archive])).toMatchObject({ exitCode: 0 });
    const sums = (await piecesOf(archive)).at(-1)?.bytes ?? "";
    const digest = createHash("sha256").update(sums).digest("hex");
    await other.db.query("insert into service.remarks values ($1, now())", [`restored ${digest}`]);
    await other.db.query("update categories set name = 'Coffee'");
    expect(await other.run(["restore", archive])).toMatchObject({ exitCode: 0 });
    expect((await other.db.query("select name from categories")).rows).toEqual([
      { name: "Coffee" },
    ]);
    expect(await other.run(["restore", archive])).toMatchObject({ exitCode: 1 });
  });

  test("objects that the app did not create prevent the return to an earlier schema", async () => {
    const later = join(other.root, "migrations/0002_later.sql");
    writeFileSync(later, "create table public.extra (id uuid primary key);\n");
    expect(await other.run(["migrate"])).toMatchObject({ exitCode: 0 });
    const outcome = await other.run(["restore", archive]);
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(outcome.stderr).toContain("which also contains table extra");
    const { rows } = await other.db.query("select to_regclass('public.extra') as extra");
    expect(rows).toEqual([{ extra: "extra" }]);
  });

  test("--replace is refused while rows of a table outside the app refer to records", async () => {
    await fill(other);
    await other.db.query("create table extra (category uuid references categories)");
    await other.db.query("insert into extra select id from categories");
    const before = await contents(other);
    const outcome = await other.run(["restore", archive, "--replace"]);
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(outcome.stderr).toContain("refer to records that would be replaced: 1 of public.extra");
    expect(await contents(other)).toEqual(before);
    await other.db.query("update extra set category = null");
    expect(await other.run(["restore", archive, "--replace"])).toMatchObject({ exitCode: 0 });
    const { rows } = await other.db.query(
      "select pg_get_constraintdef(oid) as key from pg_constraint where conrelid = 'extra'::regclass",
    );
    expect(rows).toEqual([{ key: "FOREIGN KEY (category) REFERENCES categories(id)" }]);
  });
});

describe("backup", () => {
  test("warns of tables that no migration created, and of missing or incomplete files", async () => {
    const other = await openBackupApp("migrated");
    try {
      await fill(other, 3);
      await storeFiles(other, [4]);
      await other.db.query(
        "create table extra (a int); create schema own; create table own.b (a int)",
      );
      await other.db.query("create temporary table passing (a int)");
      rmSync(join(other.root, "storage", keyOf(3)));
      writeFileSync(join(other.root, "storage", keyOf(4)), "half");
      const file = join(folder, "lacking.backup");
      const outcome = await other.run(["backup", file, "--json"]);
      expect(outcome).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(outcome.stdout)).toMatchObject({
        files: 2,
        unmanaged: ["own.b", "public.extra"],
        missing: [keyOf(3), keyOf(4)],
      });
      expect(outcome.stderr).toContain("public.extra is not in the archive");
      expect(outcome.stderr).toContain(`${keyOf(3)} is not in the archive`);
      const restored = await other.run(["restore", file, "--replace"]);
      expect(restored).toMatchObject({ exitCode: 0 });
    } finally {
      await other.close();
    }
  });

  test("leaves out short-lived rows", async () => {
    const names = (await piecesOf(archive)).map(({ name }) => name);
    expect(names.filter((name) => /attempts|mails|jobs|migrations|tallies/.test(name))).toEqual([]);
    const manifest = JSON.parse(String((await piecesOf(archive))[0]?.bytes));
    expect(manifest).toMatchObject({ format: 1, service: expect.stringMatching(/^\d+\./) });
    expect(manifest.migrations.at(-1)).toMatchObject({
      source: "app",
      name: "0001_create_categories_and_9_more",
    });
  });

  test("a failure leaves only the older archive, and no backup is recorded", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    const file = join(own, "shop.backup");
    writeFileSync(file, "older");
    await app.db.query("delete from service.remarks");
    const settings = join(app.root, "service.yaml");
    const usual = readFileSync(settings, "utf8");
    const s3 = `driver: s3, bucket: b, region: r, endpoint: "http://127.0.0.1:9"`;
    writeFileSync(
      settings,
      `${usual}uploads: { storage: { ${s3}, access_key_id: a, secret_access_key: b } }\n`,
    );
    const down = await app.run(["backup", file, "--json"]);
    writeFileSync(settings, usual);
    expect(down).toMatchObject({ exitCode: 1, stdout: "" });
    expect(down.stderr).toContain("The file storage fails: bucket b");
    const full = await app.run(["backup", "/dev/full", "--json"]);
    expect(full).toMatchObject({ exitCode: 1, stdout: "" });
    expect(full.stderr).toContain("ENOSPC");
    const piped = await serviceToFullDisk(app.root, ["backup", "-"]);
    expect(piped).toEqual({ exitCode: 1, stderr: fullDisk });
    const nowhere = await app.run(["backup", join(own, "none/shop.backup")]);
    expect(nowhere).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("no folder") });
    expect(readdirSync(own)).toEqual(["shop.backup"]);
    expect(readFileSync(file, "utf8")).toBe("older");
    expect((await app.db.query("select from service.remarks")).rows).toHaveLength(0);
  });

  test("the commands of the pages run unchanged", async () => {
    const npx = `npx() { shift; "${process.execPath}" "${program}" -C "${app.root}" "$@"; }`;
    const own = mkdtempSync(join(folder, "pages-"));
    mkdirSync(join(own, "backups"));
    const commands = [
      block("docs/data", "Backup"),
      block("docs/data", "Restore"),
      block("docs/operations", "Backups"),
    ];
    const env = { ...plain, SERVICE_BACKUP_PASSPHRASE: "a passphrase of the tests" };
    await execa("bash", ["-ec", [npx, ...commands].join("\n")], { cwd: own, env });
    expect(readdirSync(own).sort()).toEqual(["backups", "shop.backup", "shop.sealed"]);
    expect(readdirSync(join(own, "backups"))).toHaveLength(1);
  });

  test("a usage error exits with 2", async () => {
    for (const args of [["backup"], ["backup", "a", "b"], ["backup", "-", "--json"], ["restore"]]) {
      expect(await app.run(args), args.join(" ")).toMatchObject({ exitCode: 2, stdout: "" });
    }
  });
});
