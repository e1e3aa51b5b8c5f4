import { afterAll, beforeAll, expect, test } from "vitest";
import { created, openShop, parameters, type Shop } from "../../support/apps/shop.js";

// Days from now; null for a product that was never sold out or released.
const ages = [null, -40, -2, -0.5, 0.5, 1.5, 6.5, 8.5, 13.5, 20];
const day = 86_400_000;

let shop: Shop;
let now = 0;
beforeAll(async () => {
  shop = await openShop();
  now = Date.now();
  for (const [at, age] of ages.entries()) {
    const soldOutAt = age === null ? null : new Date(now - age * day).toISOString();
    const releasedOn = soldOutAt === null ? null : soldOutAt.slice(0, 10);
    const fields = { soldOutAt, releasedOn, status: at % 2 === 0 ? "live" : "draft" };
    await created(shop.admin, "products", shop.product(`Product ${at}`, fields));
  }
});
afterAll(() => shop.app.close());

const stats = (query: string) => shop.member.get(`/products/_stats?${query}`);
const known = ages.filter((age) => age !== null);

test("a timestamp determines the windows, and never the total", async () => {
  const { body } = await stats("at=soldOutAt&days=7&field=status");
  expect(body).toEqual({
    total: 10,
    current: 3,
    previous: 2,
    values: { draft: 5, live: 5, gone: 0 },
  });
  expect((await stats("at=soldOutAt&filter[status]=live")).body).toEqual({
    total: 5,
    current: 2,
    previous: 1,
    values: {},
  });
});

test.each(["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "a date is the same day in every zone, and today in %s the last",
  async (zone) => {
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
    const last = Date.parse(today.format(Date.now())) / day;
    const dates = known.map((age) => Math.floor((now - age * day) / day));
    const { body } = await stats(`at=releasedOn&days=7&series=day&timezone=${zone}`);
    const within = (from: number, to: number) =>
      dates.filter((date) => date > from && date <= to).length;
    expect(body).toMatchObject({
      total: 10,
      current: within(last - 7, last),
      previous: within(last - 14, last - 7),
    });
    const series = body.series as unknown as { from: string; count: number }[];
    expect(series).toEqual(
      Array.from({ length: 7 }, (_, at) => {
        const date = last - 6 + at;
        const from = new Date(date * day).toISOString().slice(0, 10);
        return { from, count: within(date - 1, date) };
      }),
    );
  },
);

test("a series by a timestamp counts each period completely, future records included", async () => {
  const { body } = await stats("at=soldOutAt&days=21&series=month");
  const series = body.series as unknown as { from: string; count: number }[];
  const monthOf = (time: number) => `${new Date(time).toISOString().slice(0, 7)}-01`;
  for (const { from, count } of series) {
    const expected = known.filter((age) => monthOf(now - age * day) === from).length;
    expect({ from, count }).toEqual({ from, count: expected });
  }
});

test("at=createdAt is the default", async () => {
  const query = "series=day&field=active";
  expect((await stats(`${query}&at=createdAt`)).body).toEqual((await stats(query)).body);
  expect((await stats("at=updatedAt")).body).toMatchObject({ total: 10, current: 10, previous: 0 });
});

test("a series by a date that no record has is all zeros", async () => {
  const { body } = await stats("at=releasedOn&series=week&filter[stock]=4711");
  const series = body.series as unknown as { count: number }[];
  expect(series.map(({ count }) => count)).toEqual(series.map(() => 0));
});

test.each(["price", "status", "name", "id", "categoryId", "gone", "", "soldOutAt:day"])(
  "refuses at=%s",
  async (name) => {
    expect(parameters(await stats(`at=${name}`))).toEqual(["at"]);
  },
);
