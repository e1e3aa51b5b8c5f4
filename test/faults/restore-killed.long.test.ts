import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { service } from "../cli/service.js";
import {
  type BackupApp,
  category,
  contents,
  fill,
  secret,
  storeFiles,
  wrongCounts,
} from "../support/backup/backup-app.js";
import { faultChance } from "../support/load/chance.js";
import { faultRounds, faultTimeout as timeout } from "../support/load/under-load.js";
import { plain, program } from "../support/processes/commands.js";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";
import { isHurried } from "../support/searches.js";
import { filesBelow } from "../support/storage/files.js";

/** Files, and records, of the archive. */
const [files, records] = [60, 3_000];

/** CI has time for one of each; the command alone is killed in `test/cli/backup.long.test.ts` as well. */
const kills = isHurried ? 1 : faultRounds;

const chance = faultChance("restore-killed");
/** What is killed, in turn: it always comes within the work of a restore. */
const victims = ["PostgreSQL", "the command"] as const;

let host: ShopHost;
let archive: string;
/** What the archive holds, and how long a restore of it takes. */
let wanted: Record<string, unknown>;
let wholeMs: number;

beforeAll(async () => {
  host = await openHost();
  archive = join(host.root, "shop.backup");
  await withApp(async (app) => {
    await fill(app, files);
    await app.db.query(
      `insert into products (id, name, price, category_id)
       select service.uuid_v7(), 'Tea ' || n, 1, $1 from generate_series(1, $2::int) n`,
      [category, records],
    );
    expect(await app.run(["backup", archive])).toMatchObject({ exitCode: 0 });
    wanted = await contents(app);
    await refill(app);
    const began = performance.now();
    expect(await startRestore(["--replace"])).toMatchObject({ exitCode: 0 });
    wholeMs = performance.now() - began;
    expect(await contents(app)).toEqual(wanted);
  });
});
afterAll(() => host.close());

const environment = (url: string) => ({
  ...plain,
  DATABASE_URL: url,
  SERVICE_SECRET: secret,
});

function startRestore(how: readonly string[], url = host.databaseUrl) {
  const args = [program, "-C", host.root, "restore", archive, "--json", ...how];
  return execa(process.execPath, args, { env: environment(url), reject: false });
}

/** The app with a connection of its own, which a kill of PostgreSQL would end. */
async function withApp<T>(
  work: (app: BackupApp) => Promise<T>,
  url = host.databaseUrl,
): Promise<T> {
  const { root } = host;
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await work({
      ...{ root, db, url },
      run: (args) => service(root, args, { env: { DATABASE_URL: url, SERVICE_SECRET: secret } }),
      files: () => filesBelow(join(root, "storage")),
      close: async () => {},
    });
  } finally {
    await db.end();
  }
}

/** Other records than the archive's, and a file that it does not have besides two that it has. */
async function refill(app: BackupApp): Promise<void> {
  await app.db.query(
    "truncate service.stored_objects, service.uploads, service.users, service.attempts, categories cascade",
  );
  await fill(app, 2);
  await storeFiles(app, [files + 10]);
}

/** Each file of a record, or of an account, is there whole. */
async function expectFiles({ root, db }: BackupApp): Promise<void> {
  const { rows } = await db.query<{ key: string; size: string }>(
    "select key, size from service.stored_objects where upload_key is not null",
  );
  for (const { key, size } of rows) {
    expect([key, statSync(join(root, "storage", key)).size]).toEqual([key, Number(size)]);
  }
}

/** Whether the restore had ended before. */
async function kill(running: ReturnType<typeof startRestore>, round: number): Promise<boolean> {
  await sleep(wholeMs * (0.3 + chance.below(70) / 100));
  if (victims[round % victims.length] === "the command") running.kill("SIGKILL");
  else await host.killDatabase();
  const { exitCode, stderr } = await running;
  if (exitCode !== undefined) expect([0, 1]).toContain(exitCode);
  // It is no bug.
  expect(stderr).not.toMatch(/^ +at /m);
  return exitCode === 0;
}

test("a restore with --replace, killed at any moment, restores nothing or everything, and can be run again", {
  timeout,
}, async () => {
  for (let round = 0; round < kills; round += 1) {
    const former = await withApp(async (app) => {
      await refill(app);
      return recordsOf(await contents(app));
    });
    await kill(startRestore(["--replace"]), round);
    await withApp(async (app) => {
      await expectFiles(app);
      const found = recordsOf(await contents(app));
      expect([former, recordsOf(wanted)]).toContainEqual(found);
      expect(await wrongCounts(app)).toEqual([]);
      const again = await startRestore(["--replace"]);
      expect(again.exitCode, again.stderr).toBe(0);
      expect(await contents(app)).toEqual(wanted);
      expect(await wrongCounts(app)).toEqual([]);
    });
  }
});

test("a restore into a new database, killed at any moment, restores nothing or everything", {
  timeout,
}, async () => {
  for (let round = 0; round < kills; round += 1) {
    const { pathname } = new URL(host.databaseUrl);
    const url = host.databaseUrl.replace(pathname, `/restored_${round}`);
    await withApp(({ db }) => db.query(`create database restored_${round}`));
    if (!(await kill(startRestore([], url), round))) {
      const again = await startRestore([], url);
      expect(again.exitCode, again.stderr).toBe(0);
    }
    await withApp(async (app) => {
      expect(await contents(app)).toEqual(wanted);
      expect(await wrongCounts(app)).toEqual([]);
    }, url);
  }
});

/** The records, without the storage, and without the objects there that belong to none and are removed in the end. */
function recordsOf(all: Record<string, unknown>): Record<string, unknown> {
  const isOwned = (row: string) => !/^\([^,]+,,/.test(row);
  const tables = Object.entries(all).filter(([name]) => /^(public|service)\./.test(name));
  return Object.fromEntries(
    tables.map(([name, rows]) => [
      name,
      name === "service.stored_objects" ? (rows as string[]).filter(isOwned) : rows,
    ]),
  );
}
