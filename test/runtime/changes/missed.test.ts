import { afterAll, beforeAll, expect, test } from "vitest";
import { newMissedEvents } from "../../../runtime/changes/stream/group-events.js";
import type { Group } from "../../../runtime/changes/stream/subscriber.js";
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

/** A group of one reader, of records that a statement finds. */
function groupOf(text: string): Group {
  const watched = {
    table: { resource: "things" },
    key: "",
    text,
    values: [],
    own: null,
    paths: [],
  } as never;
  return {
    ...{ key: "", watched: [watched], account: null, rights: "", resources: ["things"] },
    ...{ live: new Set(), size: 1, kept: new Map() },
  };
}

const missedEvents = () =>
  newMissedEvents({ db, signFiles: (json) => json, log: newLog({ logLevel: "silent" }) });

test("a reader lists again if changes are deleted between its start and their reading", async () => {
  const group = groupOf("select");
  const range = { after: 3, upTo: 10, most: 1000 };
  await db.query("update service.change_counter set n = 10, kept_after = 3");
  expect(await missedEvents()(group, range)).toMatchObject({ end: 10, reset: null });
  group.kept.clear();
  await db.query("update service.change_counter set kept_after = 4");
  expect(await missedEvents()(group, range)).toMatchObject({ reset: "expired" });
});

test("changes for which PostgreSQL lacks time, memory or disk are read in smaller parts", async () => {
  await db.query("update service.change_counter set n = 20, kept_after = 0");
  await db.query(
    `insert into service.changes (n, at, resource, op, id)
     select n, now(), 'things', 'update', gen_random_uuid() from generate_series(1, 20) as n`,
  );
  for (const state of ["57014", "53100", "53200", "53400"]) {
    await db.query(
      `create or replace function service.refuse_many(count integer) returns boolean language plpgsql as $$
       begin
         if count > 4 then raise exception using errcode = '${state}'; end if;
         return true;
       end $$`,
    );
    const group = groupOf(
      `select id::text as id, false as before, true as after, '{}' as json, array[]::text[] as changed,
         false as differed, 2 as bytes
       from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as one (id, first, last)
       where service.refuse_many(cardinality($1::uuid[])) and $4::text = 'things'`,
    );
    let [after, most, events] = [0, 1000, 0];
    while (after < 20) {
      const part = await missedEvents()(group, { after, upTo: 20, most });
      expect(part.most).toBeLessThanOrEqual(4);
      [after, most, events] = [part.end, part.most, events + part.events.length];
    }
    expect(events).toBe(20);
  }
});
