import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type BackupApp,
  category,
  contents,
  fill,
  keyOf,
  numbersTo,
  openBackupApp,
  storeFiles,
  wrongCounts,
} from "../support/backup/backup-app.js";
import { isHurried } from "../support/searches.js";
import { plain, program } from "./service.js";

/** What the command has to hold, where somebody asks for the whole of it: a million and 10,000. */
const rows = Number(process.env.BACKUP_ROWS ?? 20_000);
const files = Number(process.env.BACKUP_FILES ?? 300);

/** Bytes. */
const mostMemory = 256 * 1024 * 1024;

const env = { ...plain, SERVICE_BACKUP_PASSPHRASE: "a passphrase of the tests" };

let app: BackupApp;
let folder: string;
let archive: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-backup-"));
  archive = join(folder, "shop.backup");
  app = await openBackupApp("migrated");
  await fill(app, 2);
  await app.db.query(
    `insert into products (id, name, description, price, category_id)
     select service.uuid_v7(), 'Tea ' || n, repeat('leaves ', 20), n % 100, $1
     from generate_series(1, $2::int) n`,
    [category, rows],
  );
  await storeFiles(app, numbersTo(files).slice(2));
  // One that is far larger than what may be held.
  const large = Buffer.alloc(files > 1_000 ? 300 * 1024 * 1024 : 8 * 1024 * 1024, "large");
  writeFileSync(join(app.root, "storage", keyOf(files)), large);
  await app.db.query("update service.stored_objects set size = $2 where key = $1", [
    keyOf(files),
    large.length,
  ]);
}, 1_200_000);
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

interface Measured {
  readonly stdout: string;
  readonly peak: number;
  readonly seconds: number;
}

/** Runs a command alone, and looks at its memory until it ends. */
async function measured(root: string, args: readonly string[]): Promise<Measured> {
  const began = performance.now();
  const running = execa(process.execPath, [program, "-C", root, ...args], { env });
  let peak = 0;
  const look = setInterval(() => {
    try {
      const text = readFileSync(`/proc/${running.pid}/status`, "utf8");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024);
    } catch {
      // It has ended.
    }
  }, 20);
  const { stdout } = await running.finally(() => clearInterval(look));
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${args[0]}: ${Math.round(peak / 1e6)} MB, ${seconds.toFixed(1)} s`);
  return { stdout, peak, seconds };
}

test("many records and files, and a large one, are saved and restored in little memory", async () => {
  const before = await contentsWithoutFiles(app);
  for (const how of [[], ["--encrypt"]]) {
    const saved = await measured(app.root, ["backup", archive, "--json", ...how]);
    expect(JSON.parse(saved.stdout)).toMatchObject({ files, records: { products: rows + 1 } });
    expect(saved.peak).toBeLessThan(mostMemory);
    const other = await openBackupApp("empty");
    try {
      const restored = await measured(other.root, ["restore", archive, "--json"]);
      expect(JSON.parse(restored.stdout)).toMatchObject({ files, accounts: 1 });
      expect(restored.peak).toBeLessThan(mostMemory);
      expect(await wrongCounts(other)).toEqual([]);
      expect(other.files()).toEqual(app.files());
      expect(await contentsWithoutFiles(other)).toEqual(before);
      const large = join(other.root, "storage", keyOf(files));
      expect(statSync(large).size).toBe(statSync(join(app.root, "storage", keyOf(files))).size);
    } finally {
      await other.close();
    }
  }
}, 3_600_000);

/** A sum of each table, as the rows may be many. */
async function contentsWithoutFiles({ db }: BackupApp) {
  const { rows: sums } = await db.query(
    `select count(*)::int as rows, sum(hashtextextended(one::text, 0)) as sum from products as one`,
  );
  return sums;
}

test("an archive shows one moment, whatever is written meanwhile", async () => {
  const writer = new pg.Client({ connectionString: app.url });
  await writer.connect();
  let isOver = false;
  const writing = (async () => {
    for (let pairs = 0; ; pairs += 1) {
      if (isOver) return pairs;
      // Tables are read one after another: the later one would have what the earlier one lacks.
      await writer.query(
        `with new as (insert into categories (id, name) values (gen_random_uuid(), gen_random_uuid()) returning id)
         insert into products (id, name, price, category_id) select service.uuid_v7(), id, 1, id from new`,
      );
    }
  })();
  const other = await openBackupApp("empty");
  try {
    expect(await app.run(["backup", archive])).toMatchObject({ exitCode: 0 });
    isOver = true;
    expect(await writing).toBeGreaterThan(10);
    expect(await other.run(["restore", archive])).toMatchObject({ exitCode: 0 });
    const { rows: alone } = await other.db.query(
      "select name from categories where not exists (select from products where category_id = categories.id)",
    );
    expect(alone).toEqual([]);
  } finally {
    isOver = true;
    await writing;
    await writer.end();
    await other.close();
  }
}, 600_000);

test("tables in use are waited for, and then reported", async () => {
  const other = await openBackupApp("migrated");
  try {
    expect(await app.run(["backup", archive])).toMatchObject({ exitCode: 0 });
    await other.db.query("begin; lock table categories in share mode");
    const outcome = await other.run(["restore", archive]);
    await other.db.query("rollback");
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(outcome.stderr).toContain("stop the servers");
    expect(other.files()).toEqual([]);
    const { rows: found } = await other.db.query("select from service.stored_objects");
    expect(found).toHaveLength(0);
  } finally {
    await other.close();
  }
}, 600_000);

test("restore runs again after it is killed at any moment", async () => {
  const small = await openBackupApp("migrated");
  const target = await openBackupApp("migrated");
  try {
    await fill(small, 60);
    await small.db.query(
      `insert into products (id, name, price, category_id)
       select service.uuid_v7(), 'Tea ' || n, 1, $1 from generate_series(1, 3000) n`,
      [category],
    );
    const file = join(folder, "small.backup");
    expect(await small.run(["backup", file])).toMatchObject({ exitCode: 0 });
    const wanted = await contents(small);
    await fill(target, 2);
    const former = await contents(target);
    const whole = await timeOf(target, file);
    const parts: number[] = [];
    for (let part = 0.3; part < 1.1; part += isHurried ? 0.25 : 0.08) parts.push(part);
    let unfinished = 0;
    for (const part of ["before its first change", ...parts] as const) {
      // Back to what was there, with one file that is not in the archive.
      await target.db.query(
        "truncate service.stored_objects, service.uploads, service.users, categories cascade",
      );
      rmSync(join(target.root, "storage"), { recursive: true });
      await fill(target, 2);
      await storeFiles(target, [70]);
      if (typeof part === "string") await killWhileItWaits(target, file);
      else {
        const running = start(target, file);
        const timer = setTimeout(() => running.kill("SIGKILL"), whole * part);
        await running;
        clearTimeout(timer);
      }
      const { rows: found } = await target.db.query("select count(*)::int as n from products");
      // Nothing, or everything.
      expect([1, 3001]).toContain(found[0]?.n);
      if (found[0]?.n === 1) unfinished += 1;
      const again = await target.run(["restore", file, "--replace", "--json"]);
      expect(again).toMatchObject({ exitCode: 0 });
      expect(await contents(target)).toEqual(wanted);
      expect(await wrongCounts(target)).toEqual([]);
    }
    expect(unfinished).toBeGreaterThan(0);
    expect(Object.keys(former).length).toBeGreaterThan(0);
  } finally {
    await small.close();
    await target.close();
  }
}, 600_000);

function start({ root }: BackupApp, file: string) {
  const args = [program, "-C", root, "restore", file, "--replace"];
  return execa(process.execPath, args, { env, reject: false });
}

/** Kills a restore that waits for the tables: how long it takes to come there does not matter. */
async function killWhileItWaits(target: BackupApp, file: string): Promise<void> {
  await target.db.query("begin");
  await target.db.query("lock table products in access share mode");
  const running = start(target, file);
  const waiting = `select from pg_locks
    join pg_database on pg_database.oid = database and datname = current_database()
    where not granted and relation = 'products'::regclass`;
  const isWaiting = async () => (await target.db.query(waiting)).rowCount === 1;
  await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
  running.kill("SIGKILL");
  await running;
  await target.db.query("rollback");
}

/** Milliseconds of a restore that nobody ends. */
async function timeOf(target: BackupApp, file: string): Promise<number> {
  const began = performance.now();
  expect(await start(target, file)).toMatchObject({ exitCode: 0 });
  return performance.now() - began;
}
