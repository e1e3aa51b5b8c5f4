import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../runtime/db/index.js";
import { openHost, type ShopHost } from "../support/processes/shop-process.js";
import { download, filesBelow, upload } from "../support/storage/files.js";
import { onDisk, pdf, pixel, pruneIn } from "../support/storage/stored.js";

let host: ShopHost;
let db: Database;
let storage: string;
beforeAll(async () => {
  host = await openHost();
  db = openDatabase({ url: host.databaseUrl, poolSize: 2, prepare: true });
  storage = join(host.root, "storage");
});
afterAll(async () => {
  await db.close();
  await host.close();
});

/** Kills a server that has stored an upload and is about to record it. */
async function killBeforeRecord(field: string, name: string, bytes: Buffer): Promise<void> {
  const server = await host.serve();
  const holder = new pg.Client({ connectionString: host.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin");
  await holder.query("lock table service.uploads in share mode");
  const request = upload(server.admin, field, name, bytes).catch(() => null);
  const waiting = `select pid from pg_locks
    where not granted and relation = 'service.uploads'::regclass`;
  await expect.poll(() => holder.query(waiting).then(({ rowCount }) => rowCount)).toBe(1);
  server.process.kill("SIGKILL");
  await server.process;
  expect(await request).toBeNull();
  // It would still record what its client asked for, which is another story.
  await holder.query(`select pg_terminate_backend(pid) from (${waiting}) as waiting`);
  await holder.query("rollback");
}

test("a server killed between storing and recording leaves no file permanently", async () => {
  await killBeforeRecord("products/manual", "manual.pdf", pdf);
  await killBeforeRecord("products/image", "photo.png", pixel);
  const left = filesBelow(storage);
  expect(left.length).toBeGreaterThanOrEqual(3);
  expect(await db.query("select from service.uploads")).toEqual([]);

  const server = await host.serve();
  for (const key of left) {
    expect((await download(server.url, `/api/_service/files/${key}`)).status).toBe(404);
  }
  await pruneIn(23.9, { db, storage });
  expect(onDisk({ storage }, left)).toEqual(left);
  expect(await pruneIn(24.1, { db, storage })).toMatchObject({ uploads: 0, objects: 3, failed: 0 });
  expect(filesBelow(storage)).toEqual([]);
  expect(await db.query("select from service.stored_objects")).toEqual([]);
});
