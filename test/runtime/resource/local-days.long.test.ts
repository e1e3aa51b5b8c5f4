import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isTimezone } from "../../../runtime/values/timezone/name.js";
import { createDatabase, type TestDatabase } from "../../support/database/database.js";
import { expectDaysOf, expectSeries, fakeNow } from "../../support/local-days-of-zone.js";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await fakeNow(client);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test("days of every zone begin at the first midnight, around each change from 1990 to 2040", async () => {
  const { rows } = await client.query<{ name: string }>(
    "select name from pg_timezone_names order by name",
  );
  const zones = rows.map(({ name }) => name).filter(isTimezone);
  expect(zones.length).toBeGreaterThan(400);
  const seen = new Set<string>();
  for (const zone of zones) {
    const changes = await expectDaysOf(client, zone);
    for (const change of changes) {
      // Many zones have the same changes; their series differ in nothing.
      const alike = `${change.at} ${change.before} ${change.after}`;
      if (seen.has(alike)) continue;
      seen.add(alike);
      await expectSeries(client, change, changes);
    }
  }
  expect(seen.size).toBeGreaterThan(3000);
}, 1_800_000);
