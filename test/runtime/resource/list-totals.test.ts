import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { customers as customersTable } from "../../../fixtures/apps/shop/generated/customers/table.js";
import type { Context, PlannedRead } from "../../../runtime/http/index.js";
import { countRecords } from "../../../runtime/resource/index.js";
import type { Column } from "../../../runtime/resource/table/table.js";
import { foldText } from "../../../runtime/values/text.js";
import { type RunningApp, startApp } from "../../support/apps/app.js";
import { type Client, client } from "../../support/http/client.js";
import { tries } from "../../support/searches.js";

/** More than two pages of a hundred, so that there are pages on both sides of the middle. */
const customers = 260;

let app: RunningApp;
let admin: Client;
beforeAll(async () => {
  app = await startApp("apps/shop");
  admin = client(app.url, app.token);
  await app.db.query(
    `insert into customers (id, name, email, level, newsletter, balance, born_on, created_at)
     select
       gen_random_uuid(),
       (array['Ada', 'Bea', 'Zoë', 'Łukasz', 'ΣΊΣΥΦΟΣ'])[n % 5 + 1] || ' ' || n % 40,
       'c' || n || '@example.com',
       (array['bronze', 'silver', 'gold'])[n % 7 % 3 + 1],
       n % 9 = 0,
       case when n % 4 > 0 then n % 11 end,
       case when n % 3 > 0 then date '1990-01-01' + n % 50 end,
       now() - n / 2 * interval '1 minute'
     from generate_series(1, $1::int) as n`,
    [customers],
  );
});
afterAll(() => app.close());

/** A parameter of a list, and what it means as plain SQL. */
interface Filter {
  readonly parameter: string;
  readonly sql: string;
}

const filters = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom("bronze", "silver", "gold").map(equals("level", "level")),
    fc.constantFrom("true", "false").map(equals("newsletter", "newsletter")),
    fc.constantFrom("0", "3", "10", "99").map(equals("balance", "balance")),
    fc.constant({ parameter: "filter[balance]=null", sql: "balance is null" }),
    fc.constant({ parameter: "filter[level]=", sql: "level is null" }),
    fc.constant({ parameter: "filter[bornOn]=null", sql: "born_on is null" }),
    fc.constant({ parameter: "filter[accountId]=null", sql: "account_id is null" }),
    fc.constantFrom("ada", "ZOË", "3", "c12", "σίσυφος", "nobody", "%").map(search),
  ),
  { selector: ({ parameter }) => parameter.split("=")[0], maxLength: 3 },
);

function equals(field: string, column: string) {
  return (value: string): Filter => ({
    parameter: `filter[${field}]=${value}`,
    sql: `${column} = '${value}'`,
  });
}

function search(words: string): Filter {
  const escaped = words.replace("%", "\\%");
  const sql = ["name", "email", "website", "phone"]
    .map((column) => `service.fold_text(${column}) like '%${foldText(escaped)}%'`)
    .join(" or ");
  return { parameter: `q=${encodeURIComponent(words)}`, sql: `(${sql})` };
}

const sorts = fc.constantFrom(
  { sort: "-createdAt", sql: "created_at desc, id desc" },
  { sort: "createdAt", sql: "created_at, id" },
  { sort: "name", sql: "name, id" },
  { sort: "-balance", sql: "balance desc nulls last, id desc" },
  { sort: "bornOn", sql: "born_on nulls last, id" },
  { sort: "-level", sql: "array_position(array['bronze', 'silver', 'gold'], level) desc, id desc" },
  { sort: "id", sql: "id" },
  { sort: "-newsletter", sql: "newsletter desc, id desc" },
);

const pages = fc.record({
  page: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 300 })),
  perPage: fc.constantFrom(1, 7, 25, 100),
});

test("every list has the total and the records of plain SQL", async () => {
  const lists = fc.record({ filters, sort: sorts, at: pages });
  await fc.assert(
    fc.asyncProperty(lists, async ({ filters: some, sort, at: { page, perPage } }) => {
      const where = some.length === 0 ? "true" : some.map(({ sql }) => sql).join(" and ");
      const ids = await app.db.query<{ id: string }>(
        `select id from customers where ${where} order by ${sort.sql}`,
      );
      const query = [
        ...some.map(({ parameter }) => parameter),
        `sort=${sort.sort}`,
        `page=${page}`,
        `perPage=${perPage}`,
      ].join("&");
      const { status, body, text } = await admin.list(`/customers?${query}`);
      expect(status, text).toBe(200);
      expect(body.meta).toEqual({
        page,
        perPage,
        total: ids.length,
        totalPages: Math.ceil(ids.length / perPage),
      });
      const expected = ids.slice((page - 1) * perPage, page * perPage).map(({ id }) => id);
      expect(body.data.map(({ id }) => id)).toEqual(expected);
    }),
    { numRuns: tries(300) },
  );
});

test("a page counted from the end equals the one counted from the beginning", async () => {
  const walked: string[] = [];
  for (let page = 1; page <= Math.ceil(customers / 7); page += 1) {
    const { body } = await admin.list(`/customers?perPage=7&page=${page}`);
    walked.push(...body.data.map(({ id }) => id));
  }
  const rows = await app.db.query<{ id: string }>(
    "select id from customers order by created_at desc, id desc",
  );
  expect(walked).toEqual(rows.map(({ id }) => id));
});

test("`_stats` counts what plain SQL counts", async () => {
  const { body } = await admin.get("/customers/_stats?field=level");
  const [row] = await app.db.query<{ values: object; total: number }>(
    `select
       json_object_agg(level, n) as values,
       (select count(*) from customers)::int as total
     from (select level, count(*)::int as n from customers group by level) as counted`,
  );
  expect(body).toMatchObject({ total: row?.total, values: row?.values });
});

test("values beyond the limit of the tally are counted in the table", async () => {
  const { counts, ...level }: Column = customersTable.columns.level;
  expect(counts).toHaveLength(3);
  const table = { ...customersTable, columns: { ...customersTable.columns, level } };
  const context = { query: "field=level", caller: null, services: {} } as unknown as Context;
  const { text, values } = countRecords(table)(context) as PlannedRead;
  const [row] = await app.db.query<Record<string, string>>(text, values);
  const { body } = await admin.get<{ total: number; values: Record<string, number> }>(
    "/customers/_stats?field=level",
  );
  expect([row?.total, row?.value_0, row?.value_1, row?.value_2].map(Number)).toEqual([
    body.total,
    ...Object.values(body.values),
  ]);
});

test.each([0, 249, 250, 251, 252])("%i records that only counting finds", async (count) => {
  await app.db.query(
    `with numbered as (select id, row_number() over (order by md5(email)) as n from customers)
     update customers set balance = n from numbered where numbered.id = customers.id`,
  );
  const expected = await app.db.query<{ id: string }>(
    "select id from customers where balance <= $1 order by name desc, id desc limit 7",
    [count],
  );
  const page = await admin.list(`/customers?filter[balance][lte]=${count}&sort=-name&perPage=7`);
  expect(page.body.meta).toMatchObject({ total: count });
  expect(page.body.data.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
});
