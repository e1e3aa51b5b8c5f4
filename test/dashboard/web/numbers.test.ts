import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import {
  figuresQuery,
  filledMonths,
  groupsQuery,
  measured,
  monthsQuery,
  monthsUntil,
  totalsQuery,
  unitOf,
} from "../../../runtime/dashboard/web/api/records/numbers.js";
import {
  decimalsOf,
  groupingsOf,
  measuresOf,
  usualGrouping,
  usualMeasure,
} from "../../../runtime/dashboard/web/charts/choices.js";
import { ticksOf } from "../../../runtime/dashboard/web/parts/chart/ticks.js";

test("an axis has few round numbers around every value, zero among them", () => {
  expect(ticksOf([22, 74])).toEqual([0, 20, 40, 60, 80]);
  expect(ticksOf([0, 0])).toEqual([0, 1]);
  expect(ticksOf([])).toEqual([0, 1]);
  expect(ticksOf([-3, 8])).toEqual([-5, 0, 5, 10]);
  expect(ticksOf([0.3])).toEqual([0, 0.1, 0.2, 0.3]);
  const value = fc.double({ min: -1e12, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), (values) => {
      const large = values.map((one) => (Math.abs(one) < 1e-6 ? 0 : one));
      const ticks = ticksOf(large);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks).toContain(0);
      const [least = 0, greatest = 0] = [ticks[0], ticks.at(-1)];
      expect(Math.min(...large)).toBeGreaterThanOrEqual(least - Math.abs(least) * 1e-9);
      expect(Math.max(...large)).toBeLessThanOrEqual(greatest + Math.abs(greatest) * 1e-9);
    }),
  );
});

describe("months", () => {
  test("go back over the turn of a year", () => {
    expect(monthsUntil("2026-02-28", 4)).toEqual([
      "2025-11-01",
      "2025-12-01",
      "2026-01-01",
      "2026-02-01",
    ]);
  });

  test("without a group are filled in, earlier ones left out, and later ones kept", () => {
    const group = (day: string) => ({ by: { day }, count: 1 });
    const groups = ["2025-01-01", "2025-12-01", "2026-03-01"].map(group);
    const filled = filledMonths(
      [...groups, { by: { day: null }, count: 9 }],
      "day",
      monthsUntil("2026-01-15", 2),
    );
    expect(filled).toEqual([
      { month: "2025-12-01", group: group("2025-12-01") },
      { month: "2026-01-01", group: null },
      { month: "2026-03-01", group: group("2026-03-01") },
    ]);
  });
});

describe("a query", () => {
  const parameters = (query: string) => Object.fromEntries(new URLSearchParams(query));
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  test("for totals has the unit of its period", () => {
    expect([7, 30, 90, 365].map(unitOf)).toEqual(["day", "day", "week", "month"]);
    expect(parameters(totalsQuery(90))).toEqual({ days: "90", series: "week", timezone });
  });

  test("for groups sorts by the measured value", () => {
    const sum = { kind: "sum", field: "price" } as const;
    const asked = { by: "status", perPage: "12", timezone };
    expect(parameters(groupsQuery(sum, "status", 12))).toEqual({
      ...asked,
      sum: "price",
      sort: "-sum.price",
    });
    const count = { kind: "count", field: null } as const;
    expect(parameters(groupsQuery(count, "status", 12))).toEqual({ ...asked, sort: "-count" });
  });

  test("for months begins at a day or, for a moment, before that day begins in any time zone", () => {
    const count = { kind: "count", field: null } as const;
    const day = parameters(monthsQuery(count, { by: "bornOn", isDate: true }));
    expect(day).toMatchObject({ by: "bornOn:month" });
    expect(day["filter[bornOn][gte]"]).toMatch(/^\d{4}-\d\d-01$/);
    const moment = parameters(monthsQuery(count, { by: "createdAt", isDate: false }))[
      "filter[createdAt][gte]"
    ];
    expect(moment).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  });

  test("for figures asks for all at once", () => {
    const all = "price,stock";
    expect(parameters(figuresQuery(["price", "stock"]))).toEqual({
      sum: all,
      avg: all,
      min: all,
      max: all,
    });
  });
});

test("a group without values has no average, but has its count", () => {
  const group = { by: {}, count: 3, avg: { price: null }, sum: { price: 0 } };
  expect(measured(group, { kind: "avg", field: "price" })).toBeNull();
  expect(measured(group, { kind: "sum", field: "price" })).toBe(0);
  expect(measured(group, { kind: "count", field: null })).toBe(3);
});

const resource = (name: string, fields: Resource["fields"], can?: Resource["can"]): Resource => ({
  name,
  singular: name,
  label: name,
  path: `/api/${name}`,
  fields,
  ...(can === undefined ? {} : { can }),
});
const closed = { list: false, get: true, stats: true, create: true, update: true, delete: true };

test("measures and groups are the readable numbers, values, links and times", () => {
  const items = resource("items", [
    { name: "name", type: "string" },
    { name: "size", type: "number", integer: true },
    { name: "price", type: "number", decimals: 2 },
    { name: "cost", type: "number", readable: false },
    { name: "status", type: "enum", values: ["a"] },
    { name: "shelfId", type: "belongsTo", resource: "shelves" },
    { name: "vaultId", type: "belongsTo", resource: "vaults" },
    { name: "userId", type: "belongsTo", resource: "users" },
    { name: "soldOn", type: "date" },
  ]);
  const groupings = groupingsOf(items, [resource("shelves", []), resource("vaults", [], closed)]);
  expect(groupings.map(({ key }) => key)).toEqual(["createdAt", "status", "shelfId", "soldOn"]);
  expect(measuresOf(items).map(({ key }) => key)).toEqual([
    "count",
    "sum.size",
    "sum.price",
    "avg.size",
    "avg.price",
  ]);
  expect(usualMeasure(items)).toEqual({ kind: "sum", field: "price" });
  const numbered = resource("orders", [{ name: "number", type: "number", unique: true }]);
  expect(usualMeasure(numbered)).toEqual({ kind: "count", field: null });
  expect(usualGrouping(groupings)).toBe("shelfId");
  expect(usualMeasure(resource("bare", []))).toEqual({ kind: "count", field: null });
  expect(usualGrouping(groupingsOf(resource("bare", []), []))).toBe("createdAt");
  expect(decimalsOf(items, { kind: "sum", field: "price" })).toBe(2);
  expect(decimalsOf(items, { kind: "sum", field: "size" })).toBe(0);
  expect(decimalsOf(items, { kind: "avg", field: "size" })).toBe(2);
});
