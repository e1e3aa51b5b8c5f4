import pg from "pg";
import { expect, test } from "vitest";
import { isUnavailable, openDatabase } from "../../../runtime/db/index.js";
import { emptyDatabase } from "../../support/database/database.js";
import { withoutStandby } from "../../support/database/standby.js";
import { openTcpProxy } from "../../support/http/tcp-proxy.js";
import { openHost } from "../../support/processes/shop-process.js";

test("of several silent connections only one is waited for, not each in turn", async () => {
  const database = await emptyDatabase();
  const proxy = await openTcpProxy(database.url);
  const db = openDatabase({ url: proxy.url, poolSize: 4, prepare: true });
  const sleepers = Array.from({ length: 4 }, () => db.query("select pg_sleep(0.2)"));
  await Promise.all(sleepers);
  proxy.silence();
  const silent = await db.query("select 1").catch((error: unknown) => error);
  expect(isUnavailable(silent)).toBe(true);
  const began = performance.now();
  for (let round = 0; round < 4; round += 1) await db.query("select 1");
  await db.transaction(async ({ query }) => query("select 1"));
  expect(performance.now() - began).toBeLessThan(3_000);
  await db.close();
  await proxy.close();
  await database.drop();
});

test("writes that wait too long for a standby leave PostgreSQL no waiting connections", async () => {
  const host = await openHost();
  const other = new pg.Client({ connectionString: host.databaseUrl });
  await other.connect();
  await other.query("create table public.waits (n int)");
  await withoutStandby(host.databaseUrl, async () => {
    const db = openDatabase({ url: host.databaseUrl, poolSize: 4, prepare: true });
    const alone = db.query("insert into waits values (1)").catch((error: unknown) => error);
    const together = db
      .transaction(({ query }) => query("insert into waits values (2)"))
      .catch((error: unknown) => error);
    const waiting = async () => {
      const { rows } = await other.query(
        "select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'",
      );
      return rows[0].count;
    };
    await expect.poll(waiting).toBe(2);
    for (const error of [await alone, await together]) expect(isUnavailable(error)).toBe(true);
    await expect.poll(waiting).toBe(0);
    await db.close();
  });
  expect((await other.query("select from waits")).rowCount).toBe(2);
  await other.end();
  await host.close();
});
