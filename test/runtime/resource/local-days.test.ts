import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, openShop, type Shop } from "../../support/apps/shop.js";
import { changesOf, day, minute, nameOf, walk } from "../../support/local-days.js";
import { expectDaysOf, expectSeries, fakeNow } from "../../support/local-days-of-zone.js";

// Every zone and every change is tried in `local-days.long.test.ts`; these are one of each sort.

let shop: Shop;
let client: pg.Client;
beforeAll(async () => {
  shop = await openShop();
  client = new pg.Client({ connectionString: shop.app.databaseUrl });
  await client.connect();
  await fakeNow(client);
});
afterAll(async () => {
  await client.end();
  await shop.app.close();
});

const sorts = [
  ["America/Havana", "has midnights twice, and skips others"],
  ["Atlantic/Azores", "has midnights twice, an hour later"],
  ["America/Santiago", "skips midnights, and goes back from them"],
  ["America/St_Johns", "went back over midnights"],
  ["Antarctica/Casey", "went back over midnight by three hours"],
  ["Pacific/Apia", "left out a day"],
  ["Asia/Pyongyang", "went forward to midnight"],
  ["Africa/Casablanca", "changes its time around a month"],
  ["Europe/Berlin", "changes its time at night"],
];

test.each(sorts)("days of %s begin at the first midnight: it %s", async (zone) => {
  const changes = await expectDaysOf(client, zone);
  expect(changes.length).toBeGreaterThan(0);
  const of2010 = changes.filter(({ at }) => new Date(at).getUTCFullYear() === 2010);
  for (const change of [...of2010, ...changes.slice(-2)]) {
    await expectSeries(client, change, changes);
  }
});

/** Minutes from a change to the records of the tests below. */
const times = [-1500, -181, -91, -61, -31, -1, 0, 1, 29, 59, 61, 91, 1439, 1441];

test.each(["America/Havana", "Atlantic/Azores", "America/Santiago", "Asia/Beirut", "Africa/Cairo"])(
  "statistics and groups count by the days of %s around the changes of the last year",
  async (zone) => {
    const changes = await changesOf(client, zone);
    const isOfYear = (at: number) => at > Date.now() - 362 * day && at < Date.now() - 3 * day;
    const passed = changes.filter(({ at }) => isOfYear(at));
    expect(passed.length).toBeGreaterThan(0);
    await shop.app.db.query("delete from products");
    const expected = new Map<string, number>();
    for (const change of passed) {
      const { days } = walk(change, changes);
      for (const minutes of times) {
        const moment = change.at + minutes * minute;
        const { id } = await created(shop.admin, "products", shop.product(`At ${moment}`));
        await shop.app.db.query("update products set created_at = $2 where id = $1", [
          id,
          new Date(moment),
        ]);
        const name = nameOf(days.get(moment) ?? 0);
        expected.set(name, (expected.get(name) ?? 0) + 1);
      }
    }
    const entries = [...expected].map(([from, count]) => ({ from, count }));
    const stats = await shop.member.get(`/products/_stats?series=day&days=365&timezone=${zone}`);
    const series = stats.body.series as unknown as { from: string; count: number }[];
    expect(series.filter(({ count }) => count > 0)).toEqual(entries);
    const groups = await shop.member.get(`/products/_aggregate?by=createdAt:day&timezone=${zone}`);
    expect(groups.body.data).toEqual(
      entries.map(({ from, count }) => ({ by: { createdAt: from }, count })),
    );
  },
);
