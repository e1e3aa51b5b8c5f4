import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../../runtime/config/index.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { newLog } from "../../../runtime/own-code/index.js";
import type { StorageServices } from "../../../runtime/uploads/objects/services.js";
import { underPruneLock } from "../../../runtime/uploads/prune/lock.js";
import { type Pruning, startPruning } from "../../../runtime/uploads/prune/schedule.js";
import type { Spool } from "../../../runtime/uploads/storage/spool.js";
import { page } from "../../docs/pages.js";
import { makeAppFolder, removeAppFolder } from "../../support/apps/app-folder.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";
import { hasPgbouncer, openPgbouncer } from "../../support/database/pgbouncer.js";
import { spoolIn, storageIn } from "../../support/storage/stored.js";

const day = 24 * 3_600_000;
const start = new Date("2030-01-01T00:00:00Z").getTime();

let root: string;
let database: TestDatabase;
let db: Database;
let running: Pruning[];
let logged: object[];
let now: number;

beforeEach(async () => {
  root = makeAppFolder();
  writeFileSync(join(root, "service.yaml"), "");
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  running = [];
  logged = [];
  now = start;
});
afterEach(async () => {
  await Promise.all(running.map((pruning) => pruning.close()));
  await db.close();
  await database.drop();
  removeAppFolder(root);
});

/** What one server prunes with; its clock is the test's. */
function server(changes: Partial<StorageServices> = {}): StorageServices {
  const config = readConfig({ root, environment: {}, databaseUrl: database.url });
  const keep = (details: object, message: string) => logged.push({ message, ...details });
  const log = Object.assign(newLog({ logLevel: "silent" }), {
    info: keep,
    warn: keep,
    error: keep,
  });
  return {
    config,
    db,
    log,
    clock: { now: () => new Date(now) },
    storage: storageIn(root),
    spool: spoolIn(root),
    ...changes,
  };
}

/** Looks every few milliseconds whether it is time. */
function serve(changes: Partial<StorageServices> = {}): void {
  running.push(startPruning(server(changes), 5));
}

/** An upload that has been unused for a day when the hour comes. */
async function unusedUpload(name: string, unusedSince = start - day): Promise<void> {
  await db.query(
    `insert into service.uploads (key, resource, field, details, unused_since)
     values ($1, 'products', 'manual', '{}', $2)`,
    [key(name), new Date(unusedSince)],
  );
  await db.query(
    "insert into service.stored_objects (key, upload_key, size) values ($1::text, $1::text, 7)",
    [key(name)],
  );
}

const key = (name: string) =>
  `products/manual/2030/01/019b76da-a800-7000-8000-00000000000${name.length}-${name}`;

async function uploads(): Promise<string[]> {
  const rows = await db.query<{ key: string }>("select key from service.uploads order by key");
  return rows.map((row) => row.key);
}

test("one of several servers prunes, once an hour", async () => {
  await unusedUpload("a");
  for (let servers = 0; servers < 3; servers += 1) serve();
  await expect.poll(uploads).toEqual([]);
  await expect
    .poll(() => logged)
    .toEqual([{ message: "unused uploads were deleted", uploads: 1, objects: 1, bytes: 7 }]);

  await unusedUpload("bb");
  now += 3_599_999;
  await sleep(150);
  expect(await uploads()).toEqual([key("bb")]);
  now += 1;
  await expect.poll(uploads).toEqual([]);
});

test("it takes two separate connections, as the page on configuration counts", async () => {
  await unusedUpload("a");
  const connections = async () => {
    const text = `select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'`;
    return (await db.query(text)).length;
  };
  // Both of the server's own connections are open before it prunes.
  await Promise.all([db.query("select pg_sleep(0.1)"), db.query("select pg_sleep(0.1)")]);
  const before = await connections();
  let during = 0;
  const remove = async () => {
    during = await connections();
    return null;
  };
  serve({ storage: { ...storageIn(root), remove } });
  await expect.poll(() => during).toBeGreaterThan(0);
  expect(during - before).toBe(2);
  const section = page("docs/configuration").text.replace(/\s+/g, " ");
  expect(section).toContain("prunes unused files. It then opens two further connections");
  expect(section).toContain("(`pool_size` + 2) connections, and two for the process that prunes.");
});

test("a failure is logged, and retried after ten minutes", async () => {
  await unusedUpload("a");
  await db.query("alter table service.stored_objects rename to elsewhere");
  serve();
  await expect.poll(() => logged).toHaveLength(1);
  expect(logged).toMatchObject([{ message: "not all unused uploads could be deleted" }]);
  await db.query("alter table service.elsewhere rename to stored_objects");
  now += 599_000;
  await sleep(150);
  expect(await uploads()).toEqual([key("a")]);
  now += 1_000;
  await expect.poll(uploads).toEqual([]);
});

test("every server sweeps its own spool, whichever server prunes", async () => {
  await db.query("update service.installation set uploads_pruned_at = $1", [new Date(start)]);
  const spools = ["one", "other"].map((name) => spoolIn(join(root, name)));
  const keep = async (spool: Spool, writtenAt: number) => {
    const { path } = await spool.keep([Buffer.from("half a picture")]);
    utimesSync(path, new Date(writtenAt), new Date(writtenAt));
    return path;
  };
  const old = await Promise.all(spools.map((spool) => keep(spool, start - day - 1000)));
  const young = await Promise.all(spools.map((spool) => keep(spool, start - day + 1000)));
  for (const spool of spools) serve({ spool });
  await expect.poll(() => old.filter(existsSync)).toEqual([]);
  expect(young.filter(existsSync)).toEqual(young);
  expect(logged).toEqual([]);
});

test("a spool that cannot be swept is reported, and does not prevent pruning", async () => {
  await unusedUpload("a");
  const sweep = async () => {
    throw new Error("the folder is somebody else's");
  };
  serve({ spool: { ...spoolIn(root), sweep } });
  await expect.poll(uploads).toEqual([]);
  expect(logged).toContainEqual({
    message: "files of a crashed process could not be removed from the spool",
    reason: "the folder is somebody else's",
  });
});

test("a failing storage is reported without the keys of its files", async () => {
  await unusedUpload("secret");
  const remove = async () => {
    throw new Error("the disk is full of holes");
  };
  serve({ storage: { ...storageIn(root), remove } });
  await expect
    .poll(() => logged)
    .toEqual([
      {
        message: "unused objects could not be removed from the storage",
        failed: 1,
        reason: "the disk is full of holes",
      },
    ]);
});

test("leftovers that a storage may not clean up are reported, and the rest is removed", async () => {
  await unusedUpload("a");
  const real = storageIn(root);
  const remove = async (key: string) => {
    await real.remove(key);
    return "parts cannot be looked for";
  };
  serve({ storage: { ...real, remove } });
  await expect
    .poll(() => logged)
    .toContainEqual({
      message: "pruning cannot clean up everything",
      reason: "parts cannot be looked for",
    });
  expect(logged).not.toContainEqual(
    expect.objectContaining({ message: "unused objects could not be removed from the storage" }),
  );
});

test("nothing is logged, and nothing breaks, if there is nothing to do", async () => {
  serve();
  const claimed = "select from service.installation where uploads_pruned_at = $1";
  await expect.poll(() => db.query(claimed, [new Date(start)])).toHaveLength(1);
  await Promise.all(running.map((pruning) => pruning.close()));
  expect(logged).toEqual([]);
});

test("closing does not wait for a storage that hangs", async () => {
  await unusedUpload("a");
  let asked = false;
  const remove = () => {
    asked = true;
    return new Promise<null>(() => {});
  };
  const pruning = startPruning(server({ storage: { ...storageIn(root), remove } }), 5);
  await expect.poll(() => asked).toBe(true);
  await pruning.close();
});

/** Who holds the lock keeps others away from it, and nobody when it is done. */
async function expectLock(url: string, prepare: boolean): Promise<void> {
  const options = { database: { url, prepare, poolSize: 1, slowMs: 500 } };
  const { log } = server();
  const attempt = () => underPruneLock(options, log, async () => "had");
  await underPruneLock(options, log, async (own) => {
    expect(await attempt()).toBeNull();
    expect(await own.query("select 1 as one")).toEqual([{ one: 1 }]);
  });
  expect(await attempt()).toBe("had");
  const failing = underPruneLock(options, log, async () => {
    throw new Error("broken off");
  });
  await expect(failing).rejects.toThrow("broken off");
  expect(await attempt()).toBe("had");
}

test("only one prunes at a time", () => expectLock(database.url, true));

describe.skipIf(!hasPgbouncer)("behind a proxy that pools by transaction", () => {
  test("only one prunes at a time", async () => {
    const proxy = await openPgbouncer(database.url);
    await expectLock(proxy.url, false);
    await proxy.close();
  });
});
