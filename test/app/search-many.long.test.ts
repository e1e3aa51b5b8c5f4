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

/** Pages at the beginning, around the last ranked match, and at the end. */
const pages = [1, 2, 199, 200, 201, 202, 999, 1000];

/** Fails if pages of 100 do not show the matches in this order. */
async function expectPages(text: string, order: string): Promise<void> {
  for (const page of pages) {
    const path = `/goods?search=${text}&perPage=100&page=${page}`;
    const { body } = await ada.client.get<{ data: readonly { readonly id: string }[] }>(path);
    const expected = await app.db.query<{ id: string }>(
      `select id from goods order by ${order} limit 100 offset $1`,
      [(page - 1) * 100],
    );
    const ids = body.data.map(({ id }) => id);
    expect(ids, `page ${page}`).toEqual(expected.map(({ id }) => id));
  }
}

test("only the newest 20,000 matches are ranked, whether few or many were expected", async () => {
  // Without statistics, PostgreSQL expects few matches.
  await app.db.query("alter table service.goods__words set (autovacuum_enabled = off)");
  await app.db.query("insert into goods (name) values ('tea tea tea, too old to be ranked')");
  for (let at = 0; at < 100; at += 1) {
    await app.db.query("insert into goods (name) select 'tea' from generate_series(1, 1000)");
    if (at === 90) await app.db.query("insert into goods (name) values ('tea tea, ranked first')");
  }
  const order = "name <> 'tea tea, ranked first', id desc";
  await expectPages("tea", order);
  // Matches are found in another order than that of their ids.
  await app.db.query(
    `update service.goods__words set vector = vector
     where id < (select id from goods where name = 'tea tea, ranked first')`,
  );
  await expectPages("tea", order);
  await app.db.query("analyze service.goods__words");
  await expectPages("tea", order);
  await app.db.query("delete from goods");
}, 300_000);

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
