import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ImageSize } from "../../../runtime/config/index.js";
import { readConfig } from "../../../runtime/config/index.js";
import { newLog } from "../../../runtime/own-code/index.js";
import { type FileDetails, StorageError } from "../../../runtime/uploads/index.js";
import type { StorageServices } from "../../../runtime/uploads/objects/services.js";
import {
  type Reprocessed,
  reprocessUploads,
} from "../../../runtime/uploads/reprocess/reprocess.js";
import { makeAppFolder, removeAppFolder } from "../../support/apps/app-folder.js";
import { created, openShop, type Shop } from "../../support/apps/shop.js";
import type { Row } from "../../support/http/client.js";
import { download, filesBelow } from "../../support/storage/files.js";
import {
  clockAhead,
  keysOf,
  onDisk,
  pruneIn,
  spoolIn,
  storageIn,
  uploaded,
} from "../../support/storage/stored.js";

let shop: Shop;
let root: string;
beforeAll(async () => {
  shop = await openShop();
  root = makeAppFolder();
  writeFileSync(join(root, "service.yaml"), "");
});
beforeEach(async () => {
  await shop.app.db.query("delete from customers");
  await pruneIn(1000, shop.app);
  await pruneIn(2000, shop.app);
});
afterAll(async () => {
  removeAppFolder(root);
  await shop.app.close();
});

/** Customers' portraits are of the profile `avatar`, which is always exactly its size. */
const size = (side: number): ImageSize => ({ width: side, height: side, fit: "cover" });
const changed = { thumb: size(40), tiny: size(16) };

async function customer(): Promise<{ readonly path: string; readonly file: FileDetails }> {
  const { key } = await uploaded(shop.admin, "customers/portrait", "ann.png");
  const email = `${Math.random()}@example.com`;
  const { id } = await created(shop.admin, "customers", { name: "Ann", email, portrait: key });
  const path = `/customers/${id}`;
  return { path, file: await fileOf(path) };
}

async function fileOf(path: string): Promise<FileDetails> {
  return (await shop.admin.get<Row & { portraitFile: FileDetails }>(path)).body.portraitFile;
}

function reprocess(
  renditions: Readonly<Record<string, ImageSize>>,
  services: Partial<StorageServices> = {},
  onProgress: (seen: number, total: number) => void = () => {},
): Promise<Reprocessed> {
  const { db, storage } = shop.app;
  const all = {
    config: readConfig({ root, environment: {}, databaseUrl: shop.app.databaseUrl }),
    db,
    clock: clockAhead(0),
    log: newLog({ logLevel: "silent" }),
    storage: storageIn(storage),
    spool: spoolIn(storage),
    ...services,
  };
  const profile = { name: "avatar", ...size(400), renditions };
  return reprocessUploads(all, [{ resource: "customers", field: "portrait", profile }], onProgress);
}

const nothing = { done: 0, missing: [], unreadable: [] };

test("a picture's renditions are rebuilt when its profile has changed", async () => {
  const { path, file } = await customer();
  expect(await reprocess(changed)).toEqual({ ...nothing, done: 1 });
  const { renditions, ...rest } = await fileOf(path);
  const { renditions: former, ...before } = file;
  expect(rest).toEqual(before);
  expect(renditions).toEqual({
    thumb: { url: expect.any(String), width: 40, height: 40, size: expect.any(Number) },
    tiny: { url: expect.any(String), width: 16, height: 16, size: expect.any(Number) },
  });
  expect(Object.keys(renditions)).toEqual(["thumb", "tiny"]);
  const { url = "" } = renditions.thumb ?? {};
  expect(url).toMatch(/-ann\.thumb\.[0-9a-f]{8}\.webp$/);
  expect(url).not.toBe(former.thumb?.url);
  expect((await download(shop.app.url, url)).bytes).toHaveLength(renditions.thumb?.size ?? -1);
});

test("a second run has nothing to do", async () => {
  const { path } = await customer();
  await reprocess(changed);
  const first = await fileOf(path);
  const seen: unknown[] = [];
  const tell = (...numbers: number[]) => seen.push(numbers);
  expect(await reprocess(changed, {}, tell)).toEqual(nothing);
  expect(seen).toEqual([[0, 0]]);
  expect(await fileOf(path)).toEqual(first);
});

test("previous renditions are served for another day", async () => {
  const { path, file } = await customer();
  await reprocess(changed);
  const { url = "" } = file.renditions.thumb ?? {};
  await pruneIn(23.9, shop.app);
  expect((await download(shop.app.url, url)).status).toBe(200);
  expect(await pruneIn(24.1, shop.app)).toMatchObject({ uploads: 0, objects: 1 });
  expect((await download(shop.app.url, url)).status).toBe(404);
  expect(filesBelow(shop.app.storage)).toEqual(keysOf(await fileOf(path)).sort());
});

test("renditions that a profile no longer has are released", async () => {
  const { path } = await customer();
  expect(await reprocess({})).toEqual({ ...nothing, done: 1 });
  expect((await fileOf(path)).renditions).toEqual({});
  expect(await pruneIn(24.1, shop.app)).toMatchObject({ objects: 1 });
});

test("it reports its progress, and skips the files of other fields", async () => {
  const others = [
    await uploaded(shop.admin, "products/image", "a.png"),
    await uploaded(shop.admin),
  ];
  for (let count = 0; count < 3; count += 1) await customer();
  const seen: unknown[] = [];
  const tell = (...numbers: number[]) => seen.push(numbers);
  expect(await reprocess(changed, {}, tell)).toEqual({ ...nothing, done: 3 });
  expect(seen).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  const rows = await shop.app.db.query<{ details: FileDetails }>(
    "select details from service.uploads where key = any($1) order by key",
    [others.map(({ key }) => key)],
  );
  expect(rows.map(({ details }) => details)).toEqual(others);
});

test("missing and damaged pictures are reported and skipped", async () => {
  const [gone, damaged, sound] = [await customer(), await customer(), await customer()];
  rmSync(join(shop.app.storage, gone.file.key));
  writeFileSync(join(shop.app.storage, damaged.file.key), "no picture");
  expect(await reprocess(changed)).toEqual({
    done: 1,
    missing: [gone.file.key],
    unreadable: [damaged.file.key],
  });
  expect(await fileOf(gone.path)).toEqual(gone.file);
  expect(await fileOf(damaged.path)).toEqual(damaged.file);
  expect(await fileOf(sound.path)).not.toEqual(sound.file);
});

test("a failing storage ends it: finished pictures stay, and nothing unfinished stays", async () => {
  const customers = [];
  for (let count = 0; count < 6; count += 1) customers.push(await customer());
  const before = filesBelow(shop.app.storage);
  const storage = storageIn(shop.app.storage);
  let writes = 0;
  const write: typeof storage.write = async (...object) => {
    writes += 1;
    // The second rendition of the third picture.
    if (writes > 5) throw new StorageError("the disk is full");
    await storage.write(...object);
  };
  await expect(reprocess(changed, { storage: { ...storage, write } })).rejects.toThrow(
    "the disk is full",
  );
  const files = await Promise.all(customers.map(({ path }) => fileOf(path)));
  const current = files.flatMap(keysOf);
  expect(filesBelow(shop.app.storage)).toEqual([...new Set([...before, ...current])].sort());
  const done = files.filter(({ renditions }) => "tiny" in renditions).length;
  expect(done).toBeLessThan(3);
  expect(await reprocess(changed)).toEqual({ ...nothing, done: 6 - done });
});

test("an upload that is deleted meanwhile leaves nothing", async () => {
  const { path, file } = await customer();
  const storage = storageIn(shop.app.storage);
  const write: typeof storage.write = async (...object) => {
    await storage.write(...object);
    await shop.admin.delete(path);
    await pruneIn(100, shop.app);
    await pruneIn(200, shop.app);
  };
  const far = { clock: clockAhead(200), storage: { ...storage, write } };
  expect(await reprocess({ thumb: size(40) }, far)).toEqual(nothing);
  expect(onDisk(shop.app, keysOf(file))).toEqual([]);
  expect(filesBelow(shop.app.storage)).toEqual([]);
  expect(await shop.app.db.query("select from service.stored_objects")).toEqual([]);
});

test("two concurrent runs leave each picture with the renditions of one", async () => {
  const customers = [];
  for (let count = 0; count < 8; count += 1) customers.push(await customer());
  const runs = await Promise.all([reprocess(changed), reprocess(changed)]);
  expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(8);
  await pruneIn(24.1, shop.app);
  const files = await Promise.all(customers.map(({ path }) => fileOf(path)));
  expect(filesBelow(shop.app.storage)).toEqual(files.flatMap(keysOf).sort());
  expect(files.every(({ renditions }) => "tiny" in renditions)).toBe(true);
});
