import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { RuledCaller } from "../support/rights/request.js";

let app: WrittenApp;
let ada: RuledCaller;
beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      ["goods.yaml", "search: { fields: { name: A } }\nfields: { name: { type: string } }\n"],
    ]),
  });
  ada = await app.caller(null);
});
afterAll(() => app?.close());

async function metaOf(query: string) {
  const reply = await ada.client.get<{ data: readonly unknown[]; meta: object }>(`/goods?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return { count: reply.body.data.length, ...reply.body.meta };
}

test("the total of a search is exact up to 100,000, and says that there are more beyond", async () => {
  for (let at = 0; at < 100; at += 1) {
    await app.db.query("insert into goods (name) select 'tea' from generate_series(1, 1000)");
  }
  const page = { count: 25, page: 1, perPage: 25, total: 100_000, totalPages: 4000 };
  expect(await metaOf("search=tea")).toEqual(page);
  expect(await metaOf("search=tea&sort=name")).toEqual(page);
  await app.db.query("insert into goods (name) values ('green tea')");
  expect(await metaOf("search=tea")).toEqual({ ...page, more: true });
  expect(await metaOf("search=tea&sort=name")).toEqual({ ...page, more: true });
  expect(await metaOf("search=green")).toEqual({
    ...{ count: 1, page: 1, perPage: 25, total: 1, totalPages: 1 },
  });
  expect(await metaOf("search=tea&page=4000")).toMatchObject({ count: 25, more: true });
  const found = await app.db.query("delete from goods where name = 'green tea'");
  expect(found).toEqual([]);
  expect(await metaOf("search=tea")).toEqual(page);
}, 300_000);
