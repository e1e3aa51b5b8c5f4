import { afterAll, beforeAll, expect, test } from "vitest";
import { newMissedEvents } from "../../../runtime/changes/stream/group-events.js";
import type { Group } from "../../../runtime/changes/stream/reader.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { newLog } from "../../../runtime/own-code/index.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";

let made: TestDatabase;
let db: Database;

beforeAll(async () => {
  made = await createDatabase();
  db = openDatabase({ url: made.url, poolSize: 2, prepare: true });
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

test("a reader lists again when changes are deleted between its beginning and their reading", async () => {
  const group: Group = {
    ...{ key: "", watched: [], account: null, rights: "", resources: ["things"] },
    ...{ live: new Set(), size: 1, kept: new Map() },
  };
  const missed = newMissedEvents({
    db,
    signFiles: (json) => json,
    log: newLog({ logLevel: "silent" }),
  });
  const range = { after: 3, upTo: 10, most: 1000 };
  await db.query("update service.change_counter set n = 10, kept_after = 3");
  expect(await missed(group, range)).toMatchObject({ end: 10, reset: null });
  group.kept.clear();
  await db.query("update service.change_counter set kept_after = 4");
  expect(await missed(group, range)).toMatchObject({ reset: "expired" });
});
