import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Config, readConfig } from "../../../runtime/config/index.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { moveFiles } from "../../../runtime/uploads/move/move.js";
import { countMisplaced } from "../../../runtime/uploads/move/store.js";
import type { Storage } from "../../../runtime/uploads/storage/storage.js";
import { makeAppFolder, removeAppFolder } from "../../support/apps/app-folder.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";
import { storageIn } from "../../support/storage/stored.js";

/** More than are looked up at a time. */
const count = 70;
const keys = Array.from({ length: count }, (_, index) => keyOf(index));
const shut = [{ resource: "products", field: "manual", isPrivate: true }];

let root: string;
let database: TestDatabase;
let db: Database;
let config: Config;

beforeAll(async () => {
  root = makeAppFolder();
  writeFileSync(`${root}/service.yaml`, "");
  database = await createDatabase();
  db = openDatabase({ url: database.url, poolSize: 4, prepare: true });
  config = readConfig({ root, environment: {}, databaseUrl: database.url });
});
afterAll(async () => {
  await db.close();
  await database.drop();
  removeAppFolder(root);
});
beforeEach(async () => {
  await db.query("delete from service.stored_objects");
  await db.query("delete from service.uploads");
  await db.query(
    `insert into service.uploads (key, resource, field, details)
     select key, 'products', 'manual', json_build_object('key', key, 'url', key, 'renditions', '{}'::json)
     from unnest($1::text[]) as key`,
    [keys],
  );
  await db.query(
    `insert into service.stored_objects (key, upload_key, size)
     select key, key, 7 from unnest($1::text[]) as key`,
    [keys],
  );
});

function keyOf(index: number): string {
  const digits = String(index).padStart(4, "0");
  return `products/manual/2030/01/019b76da-a800-7000-8000-00000000${digits}-file.pdf`;
}

/** A bucket that never fails but where it is asked for objects of which that is true, which it counts. */
function bucket(fails: (key: string) => boolean): { storage: Storage; failures: () => number } {
  let failures = 0;
  const storage: Storage = {
    ...storageIn(root),
    privatePrefix: "private/",
    read: async (key) => {
      if (!fails(key)) return null;
      failures += 1;
      throw new Error(`${key} is stuck`);
    },
    remove: async () => null,
  };
  return { storage, failures: () => failures };
}

test("one that cannot be moved does not delay those after it", async () => {
  const { storage, failures } = bucket((key) => key === keyOf(3));
  const { signal } = new AbortController();
  const moving = moveFiles({ config, db, storage }, shut, signal);
  await expect(moving).rejects.toThrow(`${keyOf(3)} is stuck`);
  expect(failures()).toBe(1);
  expect(await countMisplaced(db, shut)).toBe(1);
});

test("a storage that is down is not called for each of them", async () => {
  const { storage, failures } = bucket(() => true);
  const { signal } = new AbortController();
  await expect(moveFiles({ config, db, storage }, shut, signal)).rejects.toThrow("is stuck");
  // Those under way at the tenth failure may fail as well.
  expect(failures()).toBeGreaterThanOrEqual(10);
  expect(failures()).toBeLessThan(14);
});
