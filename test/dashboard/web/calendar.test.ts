import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { Field, Row } from "../../../runtime/dashboard/web/api/client/types.js";
import { wholeList } from "../../../runtime/dashboard/web/browser/address/list-address.js";
import {
  dateFields,
  pictureFields,
} from "../../../runtime/dashboard/web/kinds/query/list-shows.js";
import {
  dayIn,
  firstWeekday,
  monthAfter,
  weeksOf,
} from "../../../runtime/dashboard/web/screens/list/calendar/month.js";
import { daysParams, placed } from "../../../runtime/dashboard/web/screens/list/calendar/placed.js";

const usual = process.env.TZ;
afterEach(() => {
  if (usual === undefined) delete process.env.TZ;
  else process.env.TZ = usual;
});

const two = (part: number) => String(part).padStart(2, "0");
const month = fc
  .tuple(fc.integer({ min: 1000, max: 9998 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, inYear]) => `${year}-${two(inYear)}`);
const first = fc.integer({ min: 1, max: 7 });

const dayMs = 86_400_000;
const after = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

test("whole weeks begin on the first weekday, follow each other, and each has a day of the month", () => {
  fc.assert(
    fc.property(month, first, (name, begin) => {
      const weeks = weeksOf(name, begin);
      const days = weeks.flat();
      for (const week of weeks) {
        expect(week).toHaveLength(7);
        expect(new Date(`${week[0]}T00:00:00Z`).getUTCDay()).toBe(begin % 7);
        expect(week.some((day) => day.startsWith(name))).toBe(true);
      }
      expect(days).toEqual(days.map((_, at) => after(days[0] ?? "", at)));
      const [year = 0, inYear = 0] = name.split("-").map(Number);
      const length = new Date(Date.UTC(2000 + (year % 400), inYear, 0)).getUTCDate();
      expect(days.filter((day) => day.startsWith(name))).toHaveLength(length);
    }),
  );
});

test.each([
  ["2026-11", 1, 6, "2026-10-26"],
  ["2026-11", 7, 5, "2026-11-01"],
  ["2026-11", 6, 5, "2026-10-31"],
  ["2027-02", 1, 4, "2027-02-01"],
  ["2028-02", 7, 5, "2028-01-30"],
])("%s with weeks from %i has %i weeks from %s", (name, begin, many, day) => {
  const weeks = weeksOf(name, begin);
  expect([weeks.length, weeks[0]?.[0]]).toEqual([many, day]);
});

test.each([
  ["de", 1],
  ["en-GB", 1],
  ["en-US", 7],
  ["ja", 7],
  ["ar-EG", 6],
])("weeks of %s begin on day %i", (locale, day) => {
  expect(firstWeekday(locale)).toBe(day);
});

test("months follow each other across years, and end where addresses do", () => {
  fc.assert(
    fc.property(month, fc.integer({ min: -30, max: 30 }), (name, by) => {
      const next = monthAfter(name, by);
      if (next !== null) expect(monthAfter(next, -by)).toBe(name);
    }),
  );
  expect([monthAfter("2026-12", 1), monthAfter("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  expect([monthAfter("9999-11", 1), monthAfter("1000-01", -1)]).toEqual([null, null]);
});

test.each([
  ["2026-02", "2026-01-31", "2026-02-28"],
  ["2028-02", "2028-03-30", "2028-02-29"],
  ["2026-12", "2026-11-21", "2026-12-21"],
])("in %s the day of %s is %s", (name, day, same) => {
  expect(dayIn(name, day)).toBe(same);
});

const releasedOn: Field = { name: "releasedOn", type: "date" };
const soldOutAt: Field = { name: "soldOutAt", type: "timestamp" };
const products = {
  name: "products",
  singular: "Product",
  label: "Products",
  path: "/api/products",
  fields: [{ name: "name", type: "string", required: true }, soldOutAt, releasedOn],
};

/** The bounds of a query, as the API compares them. */
function bounds(field: Field, days: readonly string[]) {
  const params = new Map(daysParams(products, wholeList, { field, days }));
  const end = field.type === "date" ? "lte" : "lt";
  return [params.get(`filter[${field.name}][gte]`), params.get(`filter[${field.name}][${end}]`)];
}

test.each([
  ["Europe/Berlin"],
  ["America/New_York"],
  ["America/Havana"],
  ["America/Santiago"],
  ["Asia/Beirut"],
  ["Pacific/Apia"],
  ["Asia/Kathmandu"],
  ["UTC"],
])("in %s each time that is read for a month is on one of its days, and no other is", (zone) => {
  process.env.TZ = zone;
  // These years have the day that Apia left out, and the changes of the clocks of all.
  const known = fc
    .tuple(fc.integer({ min: 2010, max: 2027 }), fc.integer({ min: 1, max: 12 }))
    .map(([year, inYear]) => `${year}-${two(inYear)}`);
  const minutes = fc.integer({ min: -20 * 1440, max: 60 * 1440 });
  fc.assert(
    fc.property(known, first, minutes, (name, begin, passed) => {
      const days = weeksOf(name, begin).flat();
      const value = new Date(Date.parse(`${name}-01T00:00:00Z`) + passed * 60_000).toISOString();
      const row: Row = { id: "1", soldOutAt: value };
      const { byDay } = placed(soldOutAt, { rows: [row], hasMore: false });
      const [from = "", before = ""] = bounds(soldOutAt, days);
      const cells = days.filter((day) => byDay.get(day)?.includes(row) === true);
      expect({ value, cells: cells.length }).toEqual({
        value,
        cells: value >= from && value < before ? 1 : 0,
      });
    }),
    { numRuns: 300 },
  );
});

test("each date that is read for a month is on its own day", () => {
  const days = weeksOf("2026-11", 1).flat();
  expect(bounds(releasedOn, days)).toEqual(["2026-10-26", "2026-12-06"]);
  const rows = days.map((day) => ({ id: day, releasedOn: day }));
  const { byDay, until } = placed(releasedOn, { rows, hasMore: false });
  expect(days.map((day) => byDay.get(day)?.map(({ id }) => id))).toEqual(days.map((day) => [day]));
  expect(until).toBe(null);
  expect(placed(releasedOn, { rows, hasMore: true }).until).toBe("2026-12-06");
});

test("a month keeps the search, the conditions and the order of its list", () => {
  const listing = {
    ...wholeList,
    q: "tea",
    conditions: [
      { field: "releasedOn", operator: "lte", value: "2026-11-10" },
      { field: "name", operator: "contains", value: "green" },
    ],
    sort: [
      { field: "name", isDescending: true },
      { field: "releasedOn", isDescending: true },
    ],
  } as const;
  const days = weeksOf("2026-11", 1).flat();
  expect(daysParams(products, listing, { field: releasedOn, days })).toEqual([
    ["filter[releasedOn][lte]", "2026-11-10"],
    ["filter[name][contains]", "green"],
    ["filter[releasedOn][gte]", "2026-10-26"],
    ["q", "tea"],
    ["sort", "releasedOn,-name"],
    ["fields", "name,releasedOn"],
  ]);
});

test("calendars are for resources with a date, galleries for pictures and lists of them", () => {
  const names = (fields: readonly Field[]) => fields.map(({ name }) => name);
  expect(names(dateFields(products))).toEqual([
    "soldOutAt",
    "releasedOn",
    "createdAt",
    "updatedAt",
  ]);
  const others: readonly Field[] = [
    { name: "name", type: "string" },
    { name: "days", type: "date", list: true },
    { name: "image", type: "image" },
    { name: "photos", type: "image", list: true },
    { name: "manual", type: "file" },
    { name: "papers", type: "file", list: true },
    { name: "secret", type: "image", readable: false },
  ];
  expect(names(dateFields({ ...products, fields: others }))).toEqual([]);
  expect(names(pictureFields({ ...products, fields: others }))).toEqual(["image", "photos"]);
});
