import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../../runtime/db/index.js";
import { Refusal } from "../../../runtime/errors/index.js";
import { UnreadableTable } from "../../../runtime/uploads/index.js";
import { announceObjects } from "../../../runtime/uploads/objects/store.js";
import { deleteUnused } from "../../../runtime/uploads/prune/delete-unused.js";
import { pruneUploads } from "../../../runtime/uploads/prune/prune.js";
import { findUses } from "../../../runtime/uploads/prune/uses.js";
import { recordUpload } from "../../../runtime/uploads/receive/store.js";
import { created, openShop, paths, type Shop } from "../../support/apps/shop.js";
import { download } from "../../support/storage/files.js";
import {
  clockAhead,
  keysOf,
  known,
  onDisk,
  pdf,
  pruneIn,
  putAvatar,
  storageIn,
  uploaded,
} from "../../support/storage/stored.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
// What a test leaves unused must not be counted by the next.
beforeEach(async () => {
  await shop.app.db.query("truncate service.changes, service.change_histories");
  await pruneIn(1000, shop.app);
  await pruneIn(2000, shop.app);
});
afterAll(() => shop.app.close());

const nothing = { uploads: 0, objects: 0, bytes: 0, failed: 0, reason: null, warning: null };
let names = 0;

async function productWith(fields: Readonly<Record<string, unknown>>) {
  names += 1;
  return created(shop.admin, "products", shop.product(`Product ${names}`, fields));
}

test("an upload that no record uses is deleted after 24 hours, and not before", async () => {
  const { key, url } = await uploaded(shop.admin);
  expect(await pruneIn(23.9, shop.app)).toEqual(nothing);
  expect((await download(shop.app.url, url)).status).toBe(200);
  expect(await pruneIn(24, shop.app)).toEqual({
    ...nothing,
    uploads: 1,
    objects: 1,
    bytes: pdf.length,
  });
  expect(onDisk(shop.app, [key])).toEqual([]);
  expect((await download(shop.app.url, url)).status).toBe(404);
  const reply = await shop.admin.post("/products", shop.product("Late", { manual: key }));
  expect(paths(reply)).toEqual(["manual"]);
  expect(await pruneIn(24, shop.app)).toEqual(nothing);
});

test("a picture is deleted with its renditions", async () => {
  const picture = await uploaded(shop.admin, "products/image", "a.png");
  const keys = keysOf(picture);
  expect(onDisk(shop.app, keys)).toHaveLength(2);
  expect(await pruneIn(24, shop.app)).toMatchObject({ uploads: 1, objects: 2 });
  expect(onDisk(shop.app, keys)).toEqual([]);
  expect(await shop.app.db.query("select from service.stored_objects")).toEqual([]);
});

test("a file stays as long as an entry of a history names it", async () => {
  const { key } = await uploaded(shop.admin);
  const never = await uploaded(shop.admin);
  const { id } = await productWith({ manual: key });
  await shop.admin.patch(`/products/${id}`, { manual: null });
  // As the log has it where products have a history: of an older change as well.
  await shop.app.db.query(
    `insert into service.changes (n, at, resource, op, id)
     values (1, now() - interval '9 days', 'products', 'create', $1), (2, now(), 'products', 'update', $1)`,
    [id],
  );
  await shop.app.db.query("insert into service.change_histories values ('products', 0)");
  await pruneIn(1, shop.app);
  expect(await pruneIn(240, shop.app)).toMatchObject({ uploads: 1 });
  expect(onDisk(shop.app, [key, never.key])).toEqual([key]);
  // The last entry that names it was deleted.
  await shop.app.db.query("update service.change_histories set kept_after = 2");
  expect(await pruneIn(241, shop.app)).toMatchObject({ uploads: 1 });
  expect(onDisk(shop.app, [key])).toEqual([]);
});

test("a file stays for a day after its last record released it", async () => {
  const { key } = await uploaded(shop.admin);
  const { id } = await productWith({ manual: key });
  expect(await pruneIn(100, shop.app)).toEqual(nothing);
  await shop.admin.patch(`/products/${id}`, { manual: null });
  expect(await pruneIn(101, shop.app)).toEqual(nothing);
  expect(await pruneIn(124.9, shop.app)).toEqual(nothing);
  expect(await pruneIn(125, shop.app)).toMatchObject({ uploads: 1, objects: 1 });
});

test("a file that a record takes again within the day stays", async () => {
  const { key } = await uploaded(shop.admin);
  const { id } = await productWith({ manual: key });
  await shop.admin.delete(`/products/${id}`);
  await pruneIn(100, shop.app);
  const next = await productWith({ manual: key });
  expect(await pruneIn(200, shop.app)).toEqual(nothing);
  // From here on it counts from zero.
  await shop.admin.delete(`/products/${next.id}`);
  await pruneIn(201, shop.app);
  expect(await pruneIn(224, shop.app)).toEqual(nothing);
  expect(await known(shop.app.db, [key])).toEqual([key]);
});

test("a file of two records stays until both have released it", async () => {
  const { key } = await uploaded(shop.admin);
  const one = await productWith({ manual: key });
  const two = await productWith({ manual: key });
  await shop.admin.delete(`/products/${one.id}`);
  await pruneIn(1, shop.app);
  expect(await pruneIn(100, shop.app)).toEqual(nothing);
  await shop.admin.delete(`/products/${two.id}`);
  await pruneIn(101, shop.app);
  expect(await pruneIn(125, shop.app)).toMatchObject({ uploads: 1 });
});

test("an account's picture stays, and is deleted when another one replaces it", async () => {
  const { key } = (await putAvatar(shop.member)).body;
  await pruneIn(1, shop.app);
  expect(await pruneIn(100, shop.app)).toEqual(nothing);
  const next = (await putAvatar(shop.member)).body.key;
  await pruneIn(101, shop.app);
  expect(await pruneIn(125, shop.app)).toMatchObject({ uploads: 1, objects: 2 });
  expect(await known(shop.app.db, [key, next])).toEqual([next]);
});

test("a row in a table that the operator created counts as a use", async () => {
  const { key } = await uploaded(shop.admin);
  const { db } = shop.app;
  await db.query('create schema "Own things"');
  await db.query(`create table "Own things"."the files" (
    "Its key" text collate "und-x-icu" references service.uploads (key)
  ) partition by hash ("Its key")`);
  await db.query(`create table "Own things".part partition of "Own things"."the files"
    for values with (modulus 1, remainder 0)`);
  await db.query('insert into "Own things"."the files" values ($1)', [key]);
  try {
    await pruneIn(1, shop.app);
    expect(await pruneIn(100, shop.app)).toEqual(nothing);
  } finally {
    await db.query('drop schema "Own things" cascade');
  }
  await pruneIn(101, shop.app);
  expect(await pruneIn(125, shop.app)).toMatchObject({ uploads: 1 });
});

test("a foreign key with rows that pruning cannot see keeps their files, and only those", async () => {
  const held = await uploaded(shop.admin);
  const others = [await uploaded(shop.admin), await uploaded(shop.admin)];
  const { db } = shop.app;
  await asRole(async (limited) => {
    await db.query("create table hidden (key text references service.uploads (key))");
    await db.query("alter table hidden enable row level security");
    await db.query("grant select on hidden to public");
    await db.query("insert into hidden values ($1)", [held.key]);
    const clock = clockAhead(24);
    const { storage } = shop.app;
    const services = { clock, storage: storageIn(storage) };
    expect(await pruneUploads({ ...services, db: limited })).toMatchObject({ uploads: 2 });
    await db.query("drop table hidden");
  });
  expect(
    await known(
      db,
      [held, ...others].map(({ key }) => key),
    ),
  ).toEqual([held.key]);
});

test("a table that pruning may not read stops it before anything is deleted", async () => {
  const { key } = await uploaded(shop.admin);
  const { db, storage } = shop.app;
  await asRole(async (limited) => {
    await db.query("create table secret (key text references service.uploads (key))");
    const clock = clockAhead(24);
    const services = { clock, storage: storageIn(storage) };
    await expect(pruneUploads({ ...services, db: limited })).rejects.toThrow(UnreadableTable);
    await db.query("drop table secret");
  });
  expect(await known(db, [key])).toEqual([key]);
});

test("leftovers of an interrupted upload are deleted after a day", async () => {
  const { key } = await uploaded(shop.admin);
  const left = key.replace("manual.pdf", "left.pdf");
  const { db, storage } = shop.app;
  await db.query("insert into service.stored_objects (key, unused_since) values ($1, now())", [
    left,
  ]);
  writeFileSync(join(storage, left), pdf);
  expect(await pruneIn(23.9, shop.app)).toEqual(nothing);
  await productWith({ manual: key });
  expect(await pruneIn(24.1, shop.app)).toEqual({ ...nothing, objects: 1 });
  expect(onDisk(shop.app, [key, left])).toEqual([key]);
});

test("an upload that takes so long that its objects are removed is not recorded", async () => {
  const { key } = await uploaded(shop.admin);
  const late = key.replace("manual.pdf", "late.pdf");
  const { db } = shop.app;
  const { now } = clockAhead(0);
  await announceObjects(db, { keys: [late], isPrivate: false }, now());
  // It is on its way out from then on, whether the storage can remove it now or not.
  await pruneIn(25, shop.app, failing(() => true).storage);
  const upload = {
    resource: "products",
    field: "manual",
    accountId: "nobody's",
    details: { ...(await uploaded(shop.admin)), key: late },
    profile: null,
    objects: [{ key: late, size: pdf.length }],
    now: now(),
  };
  await expect(recordUpload(db, upload)).rejects.toThrow(new Refusal("UNAVAILABLE"));
  expect(await known(db, [late])).toEqual([]);
});

test("a run that ended between the database and the storage is finished by the next one", async () => {
  const [gone, kept] = [await uploaded(shop.admin), await uploaded(shop.admin)];
  await productWith({ manual: kept.key });
  await shop.app.db.query("delete from service.uploads where key = $1", [gone.key]);
  expect(await pruneIn(0, shop.app)).toEqual({ ...nothing, objects: 1, bytes: pdf.length });
  expect(onDisk(shop.app, [gone.key, kept.key])).toEqual([kept.key]);
});

test("a row that a delete of the upload would cascade to is a use of it too", async () => {
  const { key } = await uploaded(shop.admin);
  const { db } = shop.app;
  await db.query(
    "create table albums (key text references service.uploads (key) on delete cascade)",
  );
  try {
    const uses = await findUses(db);
    // Since the look at all uploads, as it were.
    await db.query("insert into albums values ($1)", [key]);
    const { now } = clockAhead(25);
    const { signal } = new AbortController();
    expect(await deleteUnused(db, { uses, now: now(), before: now(), signal })).toBe(0);
    expect(await db.query("select key from albums")).toEqual([{ key }]);
  } finally {
    await db.query("drop table albums");
  }
});

test("files that a failing storage keeps are left for the next run, and nothing else", async () => {
  const uploads = await Promise.all([1, 2, 3].map(() => uploaded(shop.admin)));
  const [first = ""] = uploads.map(({ key }) => key).sort();
  const broken = failing(({ key }) => key === first);
  expect(await pruneIn(24, shop.app, broken.storage)).toMatchObject({
    uploads: 3,
    objects: 2,
    failed: 1,
    reason: "the disk is on fire",
  });
  expect(await pruneIn(24, shop.app)).toMatchObject({ uploads: 0, objects: 1, failed: 0 });
});

test("a storage that is down is not called for each of its objects", async () => {
  for (let batch = 0; batch < 4; batch += 1) {
    await Promise.all(Array.from({ length: 10 }, () => uploaded(shop.admin)));
  }
  const down = failing(() => true);
  const { objects, failed } = await pruneIn(24, shop.app, down.storage);
  expect(objects).toBe(0);
  expect(failed).toBe(down.asked());
  expect(failed).toBeLessThan(20);
  expect(await pruneIn(24, shop.app)).toMatchObject({ objects: 40, failed: 0 });
});

test("a record whose file vanished can still be read, changed and deleted", async () => {
  const details = await uploaded(shop.admin);
  const { id } = await productWith({ manual: details.key });
  rmSync(join(shop.app.storage, details.key));
  const path = `/products/${id}`;
  expect((await download(shop.app.url, details.url)).status).toBe(404);
  expect((await shop.admin.get(path)).body).toMatchObject({ manualFile: details });
  expect((await shop.admin.patch(path, { price: 2 })).body).toMatchObject({ manualFile: details });
  expect((await shop.admin.patch(path, { manual: details.key })).status).toBe(200);
  expect((await shop.admin.delete(path)).status).toBe(204);
  await pruneIn(1, shop.app);
  expect(await pruneIn(25, shop.app)).toMatchObject({ uploads: 1, objects: 1, failed: 0 });
});

test("a renamed resource keeps its files", async () => {
  const { key } = await uploaded(shop.admin);
  await productWith({ manual: key });
  const { db } = shop.app;
  const rename = async (from: string, to: string) => {
    await db.query(`alter table ${from} rename to ${to}`);
    await db.query("update service.uploads set resource = $2 where resource = $1", [from, to]);
  };
  await rename("products", "goods");
  try {
    await pruneIn(1, shop.app);
    expect(await pruneIn(100, shop.app)).toEqual(nothing);
  } finally {
    await rename("goods", "products");
  }
});

test("thousands of uploads are checked", async () => {
  const { db } = shop.app;
  const { key } = await uploaded(shop.admin);
  const { id } = await productWith({ manual: key });
  await db.query(
    `insert into service.uploads (key, resource, field, details, unused_since)
     select format('many/file/2025/01/%s', number), 'many', 'file', '{}', null
     from generate_series(1, 2500) as number`,
  );
  expect(await pruneIn(1, shop.app)).toEqual(nothing);
  expect(await pruneIn(25, shop.app)).toEqual({ ...nothing, uploads: 2500 });
  expect((await shop.admin.get(`/products/${id}`)).body).toMatchObject({ manual: key });
});

/** A storage that removes nothing of what is chosen. */
function failing(fails: (object: { readonly key: string }) => boolean) {
  const real = storageIn(shop.app.storage);
  let asked = 0;
  return {
    storage: {
      ...real,
      remove: async (key: string) => {
        asked += 1;
        if (fails({ key })) throw new Error("the disk is on fire");
        return real.remove(key);
      },
    },
    asked: () => asked,
  };
}

/** A connection to the shop's database as somebody who may do with it what pruning does, and no more. */
async function asRole(work: (limited: ReturnType<typeof openDatabase>) => Promise<void>) {
  const { db, databaseUrl } = shop.app;
  await db.query("create role pruner");
  await db.query("grant usage on schema service, public to pruner");
  await db.query("grant all on all tables in schema service, public to pruner");
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c role=pruner");
  const limited = openDatabase({ url: url.href, poolSize: 1, prepare: false });
  try {
    await work(limited);
  } finally {
    await limited.close();
    await db.query("drop owned by pruner");
    await db.query("drop role pruner");
  }
}
