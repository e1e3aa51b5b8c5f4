import { expect, test } from "vitest";
import { isUnavailable, openDatabase } from "../../../runtime/db/index.js";
import { emptyDatabase } from "../../support/database/database.js";
import { openTcpProxy } from "../../support/http/tcp-proxy.js";

test("of connections that are silent together one is waited for, not each in turn", async () => {
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
