import { afterAll, beforeAll, expect, test } from "vitest";
import { created, openShop, parameters, type Shop } from "../../support/apps/shop.js";

const ages = [0, 0.5, 1.5, 6.9, 7.1, 13.9, 14.1, 29, 400, 600];
const day = 86_400_000;

let shop: Shop;
const times: number[] = [];
beforeAll(async () => {
  shop = await openShop();
  for (const [index, age] of ages.entries()) {
    const status = index < 3 ? "live" : "draft";
    const sent = shop.product(`Product ${index}`, {
      status,
      price: index,
      active: index % 5 !== 0,
    });
    const { id } = await created(shop.admin, "products", sent);
    const [row] = await shop.app.db.query<{ at: Date }>(
      `update products set created_at = now() - $2::double precision * interval '1 day'
       where id = $1
       returning created_at as at`,
      [id, age],
    );
    times.push(row?.at.getTime() ?? 0);
  }
});
afterAll(() => shop.app.close());

const stats = (query: string) => shop.member.get(`/products/_stats?${query}`);
const whereOf = (where: unknown) => `where=${encodeURIComponent(JSON.stringify(where))}`;

test.each([
  ["filter[status]=live", { total: 3, current: 3, previous: 0 }],
  ["filter[price][gte]=3", { total: 7, current: 1, previous: 2 }],
  [whereOf({ or: [{ price: 0 }, { price: 4 }] }), { total: 2, current: 1, previous: 1 }],
  ["q=duct%209", { total: 1, current: 0, previous: 0 }],
  ["filter[status]=gone", { total: 0, current: 0, previous: 0 }],
])("%s narrows every number", async (query, numbers) => {
  expect((await stats(query)).body).toEqual({ ...numbers, values: {} });
});

test("conditions narrow the values too", async () => {
  const { body } = await stats("filter[price][lt]=5&field=status");
  expect(body).toEqual({
    total: 5,
    current: 4,
    previous: 1,
    values: { draft: 2, live: 3, gone: 0 },
  });
  expect((await stats("filter[status]=draft&field=active")).body.values).toEqual({
    true: 6,
    false: 1,
  });
});

/** Local days of a zone, as `YYYY-MM-DD`. */
const localDay = (time: number, timeZone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(time);

test.each(["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati"])(
  "series=day has the local days of %s, oldest first, zeros included",
  async (zone) => {
    const { body } = await stats(`series=day&days=30&timezone=${zone}`);
    const series = body.series as unknown as { from: string; count: number }[];
    expect(series).toHaveLength(30);
    expect(series.at(-1)?.from).toBe(localDay(Date.now(), zone));
    for (const { from, count } of series) {
      const expected = times.filter((time) => localDay(time, zone) === from).length;
      expect({ from, count }).toEqual({ from, count: expected });
    }
    const days = series.map(({ from }) => Date.parse(from));
    expect(days.slice(1).map((one, at) => one - (days[at] ?? 0))).toEqual(Array(29).fill(day));
  },
);

test("weeks begin on Monday and months on the first, and are counted completely", async () => {
  const weeks = (await stats("series=week&days=15")).body.series as unknown as { from: string }[];
  expect(weeks.length).toBeGreaterThanOrEqual(3);
  expect(weeks.map(({ from }) => new Date(from).getUTCDay())).toEqual(weeks.map(() => 1));
  const months = (await stats("series=month&days=1")).body.series as unknown as {
    from: string;
    count: number;
  }[];
  const month = new Date().toISOString().slice(0, 7);
  expect(months).toEqual([
    {
      from: `${month}-01`,
      count: times.filter((time) => new Date(time).toISOString().startsWith(month)).length,
    },
  ]);
});

test("conditions narrow a series", async () => {
  const { body } = await stats("series=month&days=365&filter[status]=live");
  const series = body.series as unknown as { count: number }[];
  expect(series.reduce((sum, { count }) => sum + count, 0)).toBe(3);
});

test("timezone alone changes nothing", async () => {
  expect((await stats("timezone=Asia/Tokyo")).body).toEqual((await stats("")).body);
});

test.each([
  ["series=year", "series"],
  ["series=", "series"],
  ["timezone=Mars/Olympus", "timezone"],
  ["timezone=%2B02:00", "timezone"],
  ["timezone=", "timezone"],
  ["timezone='%3B%20select%201", "timezone"],
  ["series=day&timezone=../etc", "timezone"],
  // JavaScript knows these two, and PostgreSQL does not.
  ["series=day&timezone=US/Pacific-New", "timezone"],
  ["series=month&filter[status]=live&timezone=Canada/East-Saskatchewan", "timezone"],
  ["timezone=US/Pacific-New", "timezone"],
  ["timezone=US/Pacific-New&field=status", "timezone"],
  ["timezone=US/Pacific-New&filter[status]=live", "timezone"],
  ["filter[price][above]=1", "filter[price][above]"],
  ["where={", "where"],
])("refuses %s", async (query, param) => {
  expect(parameters(await stats(query))).toEqual([param]);
});
