import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  created,
  expectRefusal,
  openShop,
  parameters,
  type Shop,
} from "../../support/apps/shop.js";
import type { Json, Reply, Row } from "../../support/http/client.js";
import { tries } from "../../support/searches.js";

interface Aggregation {
  readonly data: readonly Entry[];
  readonly meta: { readonly more: boolean };
}

interface Entry {
  readonly by: Readonly<Record<string, Json>>;
  readonly count: number;
  readonly [calculation: string]: Json;
}

let shop: Shop;
const products: Row[] = [];
let categories: readonly Row[] = [];

const pick = <Value>(values: readonly Value[], at: number) => values[at % values.length];

beforeAll(async () => {
  shop = await openShop();
  const other = await created(shop.admin, "categories", { name: "Other", visible: null });
  for (let at = 0; at < 40; at += 1) {
    const fields = {
      price: pick([0.1, 0.2, 12.5, 99.99, 0, 3], at),
      stock: pick([null, 3, -7, 2 ** 53 - 1, null], at),
      status: pick(["live", "draft", "gone", "live"], at),
      active: at % 3 > 0,
      releasedOn: pick(["2024-01-02", null, "2024-02-29", "2023-12-31", "0001-01-01"], at),
      // Around the change to summer time in Berlin, and the turn of the year.
      soldOutAt: pick(
        [
          "2026-03-28T22:59:59.999Z",
          "2026-03-28T23:00:00.000Z",
          "2026-03-29T21:59:59.999Z",
          "2026-03-29T22:00:00.000Z",
          null,
          "2025-12-31T23:30:00.000Z",
          "2026-10-25T22:59:59.999Z",
        ],
        at,
      ),
      ...(at % 4 === 0 ? { categoryId: other.id } : {}),
    };
    products.push(await created(shop.admin, "products", shop.product(`Product ${at}`, fields)));
  }
  categories = (await shop.admin.list("/categories")).body.data;
});
afterAll(() => shop.app.close());

const ask = (query: string): Promise<Reply<Aggregation>> =>
  shop.member.get(`/products/_aggregate?${query}`);

const askByBody = (body: object): Promise<Reply<Aggregation>> =>
  shop.member.post("/products/_aggregate", body);

async function aggregate(query: string): Promise<Aggregation> {
  const reply = await ask(query);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

/** As a whole number of hundredths. */
const cents = (value: Json) => BigInt(Math.round(Number(value) * 100));

test("a list may be sent in several parameters", async () => {
  const [repeated, joined] = await Promise.all([
    aggregate("by=status&by=active&sum=price&sum=stock&distinct=name&distinct=categoryId"),
    aggregate("by=status,active&sum=price,stock&distinct=name,categoryId"),
  ]);
  expect(repeated).toEqual(joined);
});

test("counts everything in one group, and has only the requested measures", async () => {
  expect(await aggregate("")).toEqual({ data: [{ by: {}, count: 40 }], meta: { more: false } });
  const { data } = await aggregate("sum=price&max=releasedOn,stock");
  expect(Object.keys(data[0] ?? {})).toEqual(["by", "count", "sum", "max"]);
  expect(data[0]?.max).toEqual({ releasedOn: "2024-02-29", stock: 2 ** 53 - 1 });
});

test("is 0 for a sum and null for everything else if there are no values", async () => {
  const query = "filter[price]=77&sum=price,stock&avg=price&min=stock,releasedOn&max=soldOutAt";
  expect((await aggregate(query)).data).toEqual([
    {
      by: {},
      count: 0,
      sum: { price: 0, stock: 0 },
      avg: { price: null },
      min: { stock: null, releasedOn: null },
      max: { soldOutAt: null },
    },
  ]);
  expect(await aggregate("filter[price]=77&by=status")).toEqual({
    data: [],
    meta: { more: false },
  });
});

test("sums are exact in the text, beyond what a double holds", async () => {
  const stocks = products.flatMap(({ stock }) => (stock === null ? [] : [BigInt(Number(stock))]));
  const sum = stocks.reduce((one, other) => one + other, 0n);
  expect(sum > 2n ** 53n).toBe(true);
  const { text } = await ask("sum=stock,price");
  expect(text).toContain(`"stock":${sum}`);
  const price = products.reduce((total, one) => total + cents(one.price ?? null), 0n);
  expect(text).toContain(`"price":${price / 100n}.${String(price % 100n).padStart(2, "0")}}`);
});

test("sums of doubles neither overflow nor lose the smallest", async () => {
  const discounts = async (weights: readonly number[]) => {
    const added: Row[] = [];
    for (const [at, weight] of weights.entries()) {
      added.push(await created(shop.admin, "coupons", { code: `WEIGHT${at}`, weight }));
    }
    const path = "/coupons/_aggregate?sum=weight&avg=weight&min=weight&max=weight&by=channel";
    const reply = await shop.member.get<Aggregation>(`${path}&sort=-avg.weight`);
    const sorted = await shop.member.get<Aggregation>(`${path}&sort=sum.weight`);
    for (const { id } of added) await shop.admin.delete(`/coupons/${id}`);
    expect([reply.status, sorted.status], reply.text).toEqual([200, 200]);
    return { text: reply.text, entry: reply.body.data[0] };
  };
  const { entry } = await discounts([1e308, 1e308, 1]);
  const mean = (entry?.avg ?? {}) as { weight?: number };
  expect(Number(mean.weight) / 6.666666666666667e307).toBeCloseTo(1, 14);
  expect((await discounts([1.2e300])).entry?.sum).toEqual({ weight: 1.2e300 });
  expect((await discounts([1e308, 1e308])).text).toMatch(/"sum":\{"weight":[12]\d{308}(\.\d+)?\}/);
  expect((await discounts([1e308, -1e308, 5e-324])).entry).toMatchObject({
    sum: { weight: 5e-324 },
  });
  expect((await discounts([5e-324, 0, 0])).entry).toMatchObject({
    sum: { weight: 5e-324 },
    avg: { weight: 0 },
    max: { weight: 5e-324 },
  });
  expect((await discounts([1e200, -1e200, 0.1, 0.2])).entry?.max).toEqual({ weight: 1e200 });
});

test("groups by days, weeks, months and years of a zone, over its changes of time", async () => {
  const by = async (unit: string, timezone: string) => {
    const zone = encodeURIComponent(timezone);
    const { data } = await aggregate(
      `by=soldOutAt:${unit}&timezone=${zone}&filter[soldOutAt][ne]=`,
    );
    return data.map((one) => one.by.soldOutAt);
  };
  expect(await by("day", "Europe/Berlin")).toEqual([
    "2026-01-01",
    "2026-03-28",
    "2026-03-29",
    "2026-03-30",
    "2026-10-25",
  ]);
  expect(await by("day", "UTC")).toEqual(["2025-12-31", "2026-03-28", "2026-03-29", "2026-10-25"]);
  expect(await by("week", "Europe/Berlin")).toEqual([
    "2025-12-29",
    "2026-03-23",
    "2026-03-30",
    "2026-10-19",
  ]);
  expect(await by("month", "Europe/Berlin")).toEqual(["2026-01-01", "2026-03-01", "2026-10-01"]);
  expect(await by("year", "UTC")).toEqual(["2025-01-01", "2026-01-01"]);
  // Summer time, not the fixed hour that PostgreSQL knows by that name.
  expect(await by("day", "CET")).toEqual(await by("day", "Europe/Berlin"));
});

test("a date is itself, or its week, month or year in no zone", async () => {
  const dates = async (query: string) =>
    (await aggregate(`${query}&timezone=Pacific/Kiritimati`)).data.map(({ by }) => by.releasedOn);
  expect(await dates("by=releasedOn")).toEqual([
    "0001-01-01",
    "2023-12-31",
    "2024-01-02",
    "2024-02-29",
    null,
  ]);
  expect(await dates("by=releasedOn:week")).toEqual([
    "0001-01-01",
    "2023-12-25",
    "2024-01-01",
    "2024-02-26",
    null,
  ]);
  expect(await dates("by=releasedOn:year&sort=-releasedOn")).toEqual([
    "2024-01-01",
    "2023-01-01",
    "0001-01-01",
    null,
  ]);
});

test("the first and the last year keep their names in any zone", async () => {
  const early = await created(shop.admin, "coupons", {
    code: "EARLY",
    startsAt: "0001-01-01T00:00:00Z",
  });
  const late = await created(shop.admin, "coupons", {
    code: "LATEST",
    startsAt: "9999-12-31T23:59:59Z",
  });
  const days = async (zone: string) => {
    const { body } = await shop.member.get<Aggregation>(
      `/coupons/_aggregate?by=startsAt:day&timezone=${zone}`,
    );
    return body.data.map(({ by }) => by.startsAt);
  };
  expect(await days("America/New_York")).toEqual(["0000-12-31", "9999-12-31"]);
  expect(await days("Asia/Tokyo")).toEqual(["0001-01-01", "10000-01-01"]);
  for (const { id } of [early, late]) await shop.admin.delete(`/coupons/${id}`);
});

describe("compared with an examination of every record", () => {
  const own = ["status", "active", "categoryId", "releasedOn", "stock", "name"];
  const further = ["category.name", "category.visible", "category.position", "category.parentId"];
  const groups = [...own, ...further, "releasedOn:month", "category.createdAt:year"];
  const zoned = ["soldOutAt:day", "soldOutAt:week", "soldOutAt:month", "soldOutAt:year"];
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia"];
  const by = fc.uniqueArray(fc.constantFrom(...groups, ...zoned), {
    maxLength: 2,
    selector: (one) => one.split(":")[0],
  });
  const query = by.chain((named) =>
    fc.record({
      by: fc.constant(named),
      sort: fc.option(
        fc.constantFrom(
          "count",
          "sum.price",
          "avg.price",
          ...named.map((one) => one.split(":")[0] ?? ""),
        ),
      ),
      descending: fc.boolean(),
      perPage: fc.integer({ min: 1, max: 45 }),
      distinct: fc.subarray([...own, ...further], { maxLength: 8 }),
      fields: fc.constantFrom(null, ["name"], ["position", "summary:3"]),
      inAddress: fc.boolean(),
      timezone: fc.constantFrom(...zones),
      filter: fc.constantFrom("", "&filter[active]=true", "&filter[stock][gt]=0", "&q=1"),
    }),
  );

  test("any query has its groups, in its order", async () => {
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const { by, sort, descending, perPage, timezone, filter, distinct, fields } = asked;
        const order = sort === null ? "" : `&sort=${descending ? "-" : ""}${sort}`;
        const isShown = by.includes("categoryId") && fields !== null;
        const reply = await (asked.inAddress || filter !== ""
          ? ask(
              `sum=price&avg=price&min=stock&max=soldOutAt&perPage=${perPage}&timezone=${timezone}${filter}${order}${by.length > 0 ? `&by=${by}` : ""}${distinct.length > 0 ? `&distinct=${distinct}` : ""}${isShown ? `&include=category&include[category][fields]=${fields}` : ""}`,
            )
          : askByBody({
              sum: ["price"],
              avg: ["price"],
              min: ["stock"],
              max: ["soldOutAt"],
              ...{ perPage, timezone, by, distinct },
              ...(sort !== null && { sort: order.slice("&sort=".length) }),
              ...(isShown && { include: { category: { fields } } }),
            }));
        expect(reply.status, reply.text).toBe(200);
        const { data, meta } = reply.body;
        const rows = products.filter((row) => fulfils(row, filter));
        const expected = modelOf(rows, {
          by,
          timezone,
          sort,
          descending: order !== "" && descending,
          distinct,
          fields: isShown ? fields : null,
        });
        expect(data).toEqual(expected.slice(0, perPage));
        expect(meta).toEqual({ more: expected.length > perPage });
      }),
      { numRuns: tries(200) },
    );
  });

  function fulfils(row: Row, filter: string): boolean {
    if (filter.includes("active")) return row.active === true;
    if (filter.includes("stock")) return Number(row.stock ?? 0) > 0;
    return filter === "" || String(row.name).includes("1");
  }
});

interface Asked {
  readonly by: readonly string[];
  readonly timezone: string;
  readonly sort: string | null;
  readonly descending: boolean;
  readonly distinct: readonly string[];
  /** Of the category that is shown beside its id; null for none. */
  readonly fields: readonly string[] | null;
}

function modelOf(
  rows: readonly Row[],
  { by, timezone, sort, descending, distinct, fields }: Asked,
): Entry[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(by.map((one) => groupOf(row, one, timezone)));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  if (by.length === 0 && groups.size === 0) groups.set("[]", []);
  const entries = [...groups].map(([key, group]): Entry => {
    const values = JSON.parse(key) as Json[];
    const total = group.reduce((sum, { price = null }) => sum + cents(price), 0n);
    const stocks = group.flatMap(({ stock = null }) => (stock === null ? [] : [Number(stock)]));
    const times = group.flatMap(({ soldOutAt }) =>
      typeof soldOutAt === "string" ? [soldOutAt] : [],
    );
    return {
      by: Object.fromEntries(
        by.flatMap((one, at): [string, Json][] => {
          const id = values[at] ?? null;
          const own: [string, Json] = [one.split(":")[0] ?? "", id];
          return one !== "categoryId" || fields === null
            ? [own]
            : [own, ["category", shown(id, fields)]];
        }),
      ),
      count: group.length,
      sum: { price: Number(total) / 100 },
      avg: { price: group.length === 0 ? null : Number(total) / (100 * group.length) },
      min: { stock: stocks.length === 0 ? null : Math.min(...stocks) },
      max: { soldOutAt: times.sort().at(-1) ?? null },
      ...(distinct.length > 0 && {
        distinct: Object.fromEntries(
          distinct.map((key) => {
            const known = group.map((row) => groupOf(row, key, timezone));
            return [key, new Set(known.filter((value) => value !== null)).size];
          }),
        ),
      }),
    };
  });
  const names = by.map((one) => one.split(":")[0] ?? "");
  return entries.sort((one, other) => {
    if (sort !== null) {
      const [a, b] = [sortedValue(one, sort), sortedValue(other, sort)];
      const compared = compare(a, b, sort, descending);
      if (compared !== 0) return compared;
    }
    for (const name of names) {
      const compared = compare(one.by[name] ?? null, other.by[name] ?? null, name, false);
      if (compared !== 0) return compared;
    }
    return 0;
  });
}

function sortedValue(entry: Entry, sort: string): Json {
  if (sort === "count") return entry.count;
  if (Object.hasOwn(entry.by, sort)) return entry.by[sort] ?? null;
  const [calculation = "", key = ""] = sort.split(".");
  return (entry[calculation] as Record<string, Json>)[key] ?? null;
}

const collator = new Intl.Collator("en");

function shown(id: Json, fields: readonly string[]): Json {
  const found = categories.find((one) => one.id === id);
  const names = fields.map((field) => field.split(":")[0]);
  const kept = Object.entries<Json>(found ?? {}).filter(
    ([key]) => key === "id" || names.includes(key),
  );
  return Object.fromEntries(kept);
}

function compare(one: Json, other: Json, name: string, descending: boolean): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  const rank = (value: Json) =>
    name === "status" ? ["draft", "live", "gone"].indexOf(String(value)) : value;
  const [a, b] = [rank(one), rank(other)];
  if (name === "name" || name === "category.name") {
    return collator.compare(String(a), String(b)) * (descending ? -1 : 1);
  }
  const ascending = Number(a) < Number(b) || String(a) < String(b);
  const isLess = typeof a === "number" ? Number(a) < Number(b) : ascending;
  return isLess === descending ? 1 : -1;
}

/** The period's first day, by JavaScript's own calendar. */
function groupOf(row: Row, written: string, timezone: string): Json {
  const [key = "", unit] = written.split(":");
  const [name = "", field] = key.split(".");
  const category = categories.find(({ id }) => id === row.categoryId);
  const value = (field === undefined ? row[name] : category?.[field]) ?? null;
  if (unit === undefined || value === null) return value;
  const day =
    key === "soldOutAt" || key.endsWith("createdAt")
      ? new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(
          new Date(String(value)),
        )
      : String(value);
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  if (unit === "year") return `${day.slice(0, 4)}-01-01`;
  if (unit === "day") return day;
  const monday = new Date(`${day}T00:00:00Z`);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 10);
}

describe("refuses", () => {
  test.each([
    ["sum=name", "sum"],
    ["sum=colour", "sum"],
    ["sum=", "sum"],
    ["sum=price,price", "sum"],
    ["sum=releasedOn", "sum"],
    ["avg=createdAt", "avg"],
    ["min=status", "min"],
    ["max=name", "max"],
    ["max=constructor", "max"],
    ["by=price", "by"],
    ["by=name:day", "by"],
    ["by=category", "by"],
    ["by=category.", "by"],
    ["by=.name", "by"],
    ["by=category.summary", "by"],
    ["by=category.colour", "by"],
    ["by=category.parent.name", "by"],
    ["by=category.createdAt", "by"],
    ["by=categoryId.name", "by"],
    ["by=reviews.rating", "by"],
    ["by=constructor.name", "by"],
    ["by=name,name", "by"],
    ["by=category.name,category.name", "by"],
    ["distinct=", "distinct"],
    ["distinct=price", "distinct"],
    ["distinct=description", "distinct"],
    ["distinct=createdAt", "distinct"],
    ["distinct=createdAt:day", "distinct"],
    ["distinct=stock,stock", "distinct"],
    ["distinct=category.summary", "distinct"],
    ["distinct=reviews.rating", "distinct"],
    [
      "distinct=name,stock,active,status,releasedOn,categoryId,category.name,category.visible,category.position",
      "distinct",
    ],
    ["sort=distinct.name&distinct=name", "sort"],
    ["include=category", "include"],
    ["by=status&include=category", "include"],
    ["by=category.name&include=category", "include"],
    ["by=categoryId&include=reviews", "include"],
    ["by=categoryId&include=colour", "include"],
    ["by=categoryId&include=", "include"],
    ["by=categoryId&include=category&include[category][sort]=name", "include[category][sort]"],
    ["by=categoryId&include=category&include[category][fields]=x", "include[category][fields]"],
    ["by=categoryId&include[category][fields]=name", "include[category][fields]"],
    ["by=", "by"],
    ["by=createdAt", "by"],
    ["by=createdAt:hour", "by"],
    ["by=status:day", "by"],
    ["by=releasedOn:", "by"],
    ["by=image", "by"],
    ["by=id", "by"],
    ["by=description", "by"],
    ["by=status,active,categoryId", "by"],
    ["by=createdAt:day,createdAt:month", "by"],
    ["sort=price", "sort"],
    ["sort=sum.price", "sort"],
    ["sum=price&sort=avg.price", "sort"],
    ["min=price&sort=min.price", "sort"],
    ["by=status&sort=active", "sort"],
    ["by=status&sort=count,status", "sort"],
    ["by=status&sort=", "sort"],
    ["perPage=0", "perPage"],
    ["perPage=1001", "perPage"],
    ["page=1", "page"],
    ["cursor=", "cursor"],
    ["fields=name", "fields"],
    ["timezone=Nowhere/Land", "timezone"],
    ["timezone=%2B02:00", "timezone"],
    ["timezone=PST", "timezone"],
    ["timezone=SystemV/PST8", "timezone"],
    ["timezone=US/Pacific-New&by=createdAt:day", "timezone"],
    // No group of these has a time to convert.
    ["timezone=US/Pacific-New", "timezone"],
    ["timezone=US/Pacific-New&by=status", "timezone"],
    ["timezone=US/Pacific-New&by=createdAt:day&q=nothing+like+this", "timezone"],
    ["filter[colour]=1", "filter[colour]"],
    ["where={", "where"],
  ])("%s", async (query, param) => {
    expect(parameters(await ask(query))).toEqual([param]);
  });

  test("every mistake at once", async () => {
    expect(parameters(await ask("sum=a&by=b&sort=c&perPage=d&timezone=e&where=f"))).toEqual([
      "by",
      "perPage",
      "sort",
      "sum",
      "timezone",
      "where",
    ]);
  });

  test("callers who may not see statistics, and other methods", async () => {
    expectRefusal(await shop.anonymous.get("/products/_aggregate?sum=name"), 401);
    expectRefusal(await shop.anonymous.post("/products/_aggregate", {}), 401);
    expectRefusal(await shop.admin.send("PUT", "/products/_aggregate"), 405);
  });
});

describe("in a body", () => {
  test.each<[object, string]>([
    [{ sum: "price" }, "sum"],
    [{ sum: ["price", "price"] }, "sum"],
    [{ by: "status" }, "by"],
    [{ by: ["status", 1] }, "by"],
    [{ distinct: "status" }, "distinct"],
    [{ sort: ["count"] }, "sort"],
    [{ perPage: "10" }, "perPage"],
    [{ perPage: 0 }, "perPage"],
    [{ where: "{}" }, "where"],
    [{ where: { colour: 1 } }, "where"],
    [{ q: 1 }, "q"],
    [{ timezone: 1 }, "timezone"],
    [{ timezone: "Nowhere/Land" }, "timezone"],
    [{ include: ["category"] }, "include"],
    [
      { by: ["categoryId"], include: { category: { fields: "name" } } },
      "include[category][fields]",
    ],
    [{ filter: {} }, "filter"],
    [{ page: 1 }, "page"],
  ])("refuses %j", async (body, param) => {
    expect(parameters(await askByBody(body))).toEqual([param]);
  });

  test("refuses parameters in the address, anything but JSON, and more than 64 kB of it", async () => {
    const path = "/products/_aggregate";
    expect(parameters(await shop.member.post(`${path}?by=status`, {}))).toEqual(["by"]);
    expectRefusal(await shop.member.post(path, { q: "x".repeat(65_536) }), 413);
    expect((await askByBody({ by: [], sum: [], where: {} })).body).toEqual({
      data: [{ by: {}, count: 40 }],
      meta: { more: false },
    });
  });
});

test("a text of more than 255 characters is not a group", async () => {
  const asked = (query: string) => shop.member.get(`/customers/_aggregate?${query}`);
  expect((await asked("by=email,name&distinct=phone")).status).toBe(200);
  expect(parameters(await asked("by=website"))).toEqual(["by"]);
  expect(parameters(await asked("distinct=website"))).toEqual(["distinct"]);
});

test("a thousand groups are a page", async () => {
  expect((await ask("by=releasedOn&perPage=1000")).body.meta).toEqual({ more: false });
});
