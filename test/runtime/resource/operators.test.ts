import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { column, created, openShop, parameters, type Shop } from "../../support/apps/shop.js";
import type { Json, Row } from "../../support/http/client.js";
import { tries } from "../../support/searches.js";

let shop: Shop;
const products: Row[] = [];

beforeAll(async () => {
  shop = await openShop();
  const rows = [
    { name: "Zebra", price: 3, stock: 10, status: "live", releasedOn: "2024-01-02" },
    { name: "apple", price: 20, stock: null, status: "gone", soldOutAt: "2024-06-01T10:00:00Z" },
    { name: "Äpfel, rot", price: 1.5, status: "draft", active: false },
    { name: "Apple", price: 3, stock: -1, status: "live", releasedOn: "2023-12-31" },
    { name: "éclair", price: 100, stock: 10, status: "gone", active: false },
    { name: "100% cotton_shirt", price: 0 },
    { name: "O'Neill \\ Sons", price: 3, status: "live", soldOutAt: "2023-06-01T10:00:00.5Z" },
  ];
  for (const { name, ...fields } of rows) {
    products.push(await created(shop.admin, "products", shop.product(name, fields)));
  }
});
afterAll(() => shop.app.close());

const names = (query: string) => column(shop.member, `/products?sort=createdAt&${query}`, "name");
const whereOf = (where: unknown) => `where=${encodeURIComponent(JSON.stringify(where))}`;
const namesWhere = (fulfils: (row: Row) => boolean) =>
  products.filter(fulfils).map(({ name }) => name);

describe("filter[field][operator]", () => {
  test.each<[query: string, fulfils: (row: Row) => boolean]>([
    ["filter[price][gt]=3", ({ price }) => Number(price) > 3],
    ["filter[price][gte]=3", ({ price }) => Number(price) >= 3],
    ["filter[price][lt]=3", ({ price }) => Number(price) < 3],
    ["filter[price][gte]=1.5&filter[price][lt]=20", ({ price }) => price === 1.5 || price === 3],
    ["filter[price][ne]=3", ({ price }) => price !== 3],
    ["filter[stock][ne]=10", ({ stock }) => stock !== 10],
    ["filter[stock][ne]=", ({ stock }) => stock !== null],
    ["filter[stock][ne]=null", ({ stock }) => stock !== null],
    ["filter[stock][lte]=10", ({ stock }) => stock !== null],
    ["filter[stock][gt]=9.5", ({ stock }) => stock === 10],
    ["filter[stock][lt]=-0.5", ({ stock }) => stock === -1],
    ["filter[stock][gte]=10.5", () => false],
    ["filter[stock][lt]=1e300", ({ stock }) => stock !== null],
    ["filter[stock][gt]=1e300", () => false],
    ["filter[stock][ne]=1.5", () => true],
    ["filter[stock][in]=10,,1.5", ({ stock }) => stock === 10 || stock === null],
    ["filter[stock][in]=", ({ stock }) => stock === null],
    ["filter[stock][nin]=10", ({ stock }) => stock !== 10],
    ["filter[stock][nin]=10,null", ({ stock }) => stock !== 10 && stock !== null],
    ["filter[status][in]=live,gone", ({ status }) => status !== "draft"],
    ["filter[active][ne]=true", ({ active }) => active === false],
    ["filter[releasedOn][lt]=2024-01-01", ({ releasedOn }) => releasedOn === "2023-12-31"],
    ["filter[soldOutAt][gt]=2023-06-01T12:00:00%2B02:00", ({ soldOutAt }) => soldOutAt !== null],
    ["filter[createdAt][gt]=2020-01-01T00:00:00Z", () => true],
    ["filter[name][contains]=APP", ({ name }) => /app/i.test(String(name))],
    ["filter[name][contains]=%25", ({ name }) => String(name).includes("%")],
    ["filter[name][contains]=_", ({ name }) => String(name).includes("_")],
    ["filter[name][contains]=%5C", ({ name }) => String(name).includes("\\")],
    ["filter[name][starts]=a", ({ name }) => /^[aä]/i.test(String(name))],
    ["filter[name][starts]=%C3%84PF", ({ name }) => name === "Äpfel, rot"],
    ["filter[name][ends]=SONS", ({ name }) => String(name).endsWith("Sons")],
    ["filter[name][contains]=null", () => false],
    [
      "filter[name][in]=%C3%84pfel%5C%2C%20rot,Apple",
      ({ name }) => /^(Äpfel|Apple)/.test(String(name)),
    ],
    ["filter[name][in]=O'Neill%20%5C%5C%20Sons", ({ name }) => String(name).startsWith("O'")],
    [
      "filter[status]=live&filter[price][lt]=20&filter[stock][gte]=0",
      ({ name }) => name === "Zebra" || String(name).startsWith("O'"),
    ],
  ])("%s", async (query, fulfils) => {
    expect(await names(query)).toEqual(namesWhere(fulfils));
    const { body } = await shop.member.list(`/products?perPage=1&${query}`);
    expect(body.meta.total).toBe(namesWhere(fulfils).length);
  });

  test("strings are compared in the order of sort", async () => {
    const sorted = await column(shop.member, "/products?sort=name", "name");
    const query = "sort=name&filter[name][gte]=apple";
    expect(await column(shop.member, `/products?${query}`, "name")).toEqual(
      sorted.slice(sorted.indexOf("apple")),
    );
  });

  test.each([
    ["an unknown operator", "filter[price][above]=3", "filter[price][above]"],
    ["no operator", "filter[price][]=3", "filter[price][]"],
    ["two operators", "filter[price][gt][lt]=3", "filter[price][gt][lt]"],
    ["an operator of prototypes", "filter[price][constructor]=3", "filter[price][constructor]"],
    ["an unknown field", "filter[colour][gt]=3", "filter[colour][gt]"],
    ["an order of booleans", "filter[active][gt]=true", "filter[active][gt]"],
    ["an order of enums", "filter[status][lt]=live", "filter[status][lt]"],
    ["an order of links", "filter[categoryId][gt]=1", "filter[categoryId][gt]"],
    ["an order of ids", "filter[id][gt]=1", "filter[id][gt]"],
    ["a text in a number", "filter[price][contains]=3", "filter[price][contains]"],
    ["a text field", "filter[description][contains]=a", "filter[description][contains]"],
    ["an empty bound", "filter[price][gt]=", "filter[price][gt]"],
    ["null as a bound", "filter[price][gt]=null", "filter[price][gt]"],
    ["an empty text", "filter[name][contains]=", "filter[name][contains]"],
    ["a text over 200 characters", `filter[name][ends]=${"a".repeat(201)}`, "filter[name][ends]"],
    ["an invalid bound", "filter[releasedOn][gte]=2024-02-30", "filter[releasedOn][gte]"],
    ["a value among many", "filter[status][in]=live,lost", "filter[status][in]"],
    ["101 values", `filter[stock][in]=${"1,".repeat(100)}1`, "filter[stock][in]"],
    ["a lone backslash", "filter[name][in]=a%5Cb", "filter[name][in]"],
    ["a backslash at the end", "filter[name][in]=a%5C", "filter[name][in]"],
    ["NUL in a text", "filter[name][contains]=a%00", "filter[name][contains]"],
  ])("refuses %s", async (_, query, param) => {
    expect(parameters(await shop.member.get(`/products?${query}`))).toEqual([param]);
  });
});

describe("sort by several fields", () => {
  test.each(["status,-price,name", "-active,stock,-name", "-stock,id", "price,-createdAt"])(
    "%s",
    async (sort) => {
      const keys = sort
        .split(",")
        .map((key) => ({ name: key.replace("-", ""), down: key[0] === "-" }));
      const all = await Promise.all(
        keys.map(({ name }) => column(shop.member, `/products?sort=${name}&perPage=100`, name)),
      );
      const rank = (at: number, value: Json) =>
        value === null ? Infinity : (all[at] ?? []).indexOf(value);
      const sorted = [...products].sort((one, other) => {
        for (const [at, { name, down }] of keys.entries()) {
          const [a, b] = [rank(at, one[name] ?? null), rank(at, other[name] ?? null)];
          if (a !== b) return a === Infinity || b === Infinity || !down ? a - b : b - a;
        }
        const last = keys.at(-1)?.down === true ? -1 : 1;
        return String(one.id) < String(other.id) ? -last : last;
      });
      const expected = sorted.map(({ id }) => id);
      expect(await column(shop.member, `/products?sort=${sort}`, "id")).toEqual(expected);
      const pages = await Promise.all(
        [1, 2, 3, 4].map((page) =>
          column(shop.member, `/products?sort=${sort}&perPage=2&page=${page}`, "id"),
        ),
      );
      expect(pages.flat()).toEqual(expected);
    },
  );

  test.each([
    "name,name",
    "name,-name",
    "name,price,stock,status",
    "name,",
    ",name",
    "name,colour",
  ])("refuses %s", async (sort) => {
    expect(parameters(await shop.member.get(`/products?sort=${sort}`))).toEqual(["sort"]);
  });
});

describe("where", () => {
  test.each<[where: unknown, fulfils: (row: Row) => boolean]>([
    [{}, () => true],
    [{ and: [] }, () => true],
    [{ or: [] }, () => false],
    [{ not: { or: [] } }, () => true],
    [{ price: 3 }, ({ price }) => price === 3],
    [{ stock: null }, ({ stock }) => stock === null],
    [{ stock: 1.5 }, () => false],
    [{ not: { stock: 10 } }, ({ stock }) => stock !== 10],
    [{ not: { stock: { gt: 0 } } }, ({ stock }) => !(Number(stock) > 0) || stock === null],
    [{ not: { not: { stock: { gt: 0 } } } }, ({ stock }) => stock !== null && Number(stock) > 0],
    [
      { or: [{ status: "draft" }, { price: { gte: 10, lt: 25 } }, { not: { stock: null } }] },
      ({ status, price, stock }) => status === "draft" || price === 20 || stock !== null,
    ],
    [{ status: "live", price: { lt: 5 } }, ({ status }) => status === "live"],
    [{ stock: { in: [10, null] } }, ({ stock }) => stock === 10 || stock === null],
    [{ stock: { nin: [10, null] } }, ({ stock }) => stock !== 10 && stock !== null],
    [{ active: { ne: true } }, ({ active }) => active === false],
    [{ "field:name": { contains: "apple" } }, ({ name }) => /apple/i.test(String(name))],
    [{ name: "null" }, () => false],
    [{ name: "" }, () => false],
  ])("%j", async (where, fulfils) => {
    expect(await names(whereOf(where))).toEqual(namesWhere(fulfils));
  });

  test("is combined with filter and q", async () => {
    const query = `${whereOf({ price: { lt: 50 } })}&filter[status]=live&q=e`;
    expect(await names(query)).toEqual(["Zebra", "Apple", "O'Neill \\ Sons"]);
  });

  const nested = (levels: number): unknown =>
    levels === 1 ? { price: 1 } : { not: nested(levels - 1) };
  const many = (count: number) => ({ or: Array.from({ length: count }, () => ({ price: 1 })) });

  test("takes 8 levels and 50 conditions", async () => {
    for (const where of [nested(8), many(50)]) {
      expect((await shop.member.get(`/products?${whereOf(where)}`)).status).toBe(200);
    }
  });

  test.each<[title: string, where: unknown]>([
    ["9 levels", nested(9)],
    ["51 conditions", many(51)],
    ["a list", []],
    ["null", null],
    ["a text", "price"],
    ["an unknown field", { colour: 1 }],
    ["a field of prototypes", { constructor: 1 }],
    ["a field called and, bare", { "field:and": 1 }],
    ["and with an object", { and: {} }],
    ["or with a value inside", { or: [1] }],
    ["not with a list", { not: [] }],
    ["a field without an operator", { price: {} }],
    ["an unknown operator", { price: { above: 1 } }],
    ["a number as a text", { price: "3" }],
    ["a boolean as a text", { active: "true" }],
    ["a text as a number", { name: 3 }],
    ["a list as a value", { price: [3] }],
    ["in with a value", { price: { in: 3 } }],
    ["in with nothing", { price: { in: [] } }],
    ["in with 101 values", { price: { in: Array.from({ length: 101 }, () => 1) } }],
    ["null as a bound", { price: { gt: null } }],
    ["an empty text to look for", { name: { contains: "" } }],
    ["half of a surrogate pair", { name: "\ud800" }],
    ["NUL", { name: { contains: "\0" } }],
    ["a text field", { description: "a" }],
    ["an enum's value that does not exist", { status: "lost" }],
  ])("refuses %s", async (_, where) => {
    expect(parameters(await shop.member.get(`/products?${whereOf(where)}`))).toEqual(["where"]);
  });

  test.each(["", "{", "{}{}", "undefined", '{"price":1e400}', '{"__proto__":1}'])(
    "refuses %j",
    async (text) => {
      const query = `/products?where=${encodeURIComponent(text)}`;
      expect(parameters(await shop.member.get(query))).toEqual(["where"]);
    },
  );

  test("any query is answered as if every record were examined", async () => {
    await fc.assert(
      fc.asyncProperty(anyWhere, async (where) => {
        expect(await names(whereOf(where))).toEqual(namesWhere((row) => fulfilsWhere(row, where)));
      }),
      { numRuns: tries(500) },
    );
  });
});

type Where = { readonly [key: string]: unknown };

/** Values that are there, values between them, and empties. */
const values: Readonly<Record<string, readonly (string | number | boolean | null)[]>> = {
  price: [0, 1.5, 2, 3, 20, 100],
  stock: [null, -1, 0, 9.5, 10],
  status: ["draft", "live", "gone"],
  active: [true, false],
  releasedOn: [null, "2023-12-31", "2024-01-01", "2024-01-02"],
  soldOutAt: [null, "2023-06-01T10:00:00.500Z", "2024-01-01T00:00:00.000Z"],
};
const ordered = ["price", "stock", "releasedOn", "soldOutAt"];

const condition = fc.constantFrom(...Object.keys(values)).chain((field) => {
  const value = fc.constantFrom(...(values[field] ?? []));
  const given = fc.constantFrom(...(values[field] ?? []).filter((one) => one !== null));
  const listed = fc.array(value, { minLength: 1, maxLength: 3 });
  const operators: fc.Arbitrary<Where>[] = [
    value.map((ne) => ({ ne })),
    listed.map((all) => ({ in: all })),
    listed.map((all) => ({ nin: all })),
  ];
  if (ordered.includes(field)) {
    for (const word of ["gt", "gte", "lt", "lte"])
      operators.push(given.map((one) => ({ [word]: one })));
  }
  return fc.oneof(value, ...operators).map((wanted): Where => ({ [field]: wanted }));
});

const { where: anyWhere } = fc.letrec<{ where: Where }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    condition,
    fc.array(tie("where"), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie("where"), { maxLength: 3 }).map((or) => ({ or })),
    tie("where").map((not) => ({ not })),
  ),
}));

function fulfilsWhere(row: Row, where: Where): boolean {
  return Object.entries(where).every(([key, wanted]) => {
    if (key === "and") return (wanted as Where[]).every((part) => fulfilsWhere(row, part));
    if (key === "or") return (wanted as Where[]).some((part) => fulfilsWhere(row, part));
    if (key === "not") return !fulfilsWhere(row, wanted as Where);
    const value = row[key] ?? null;
    if (typeof wanted !== "object" || wanted === null) return value === wanted;
    return Object.entries(wanted).every(([operator, operand]) =>
      fulfilsOperator(value, operator, operand),
    );
  });
}

function fulfilsOperator(value: Json, operator: string, operand: unknown): boolean {
  if (operator === "ne") return value !== operand;
  if (operator === "in") return (operand as unknown[]).includes(value);
  if (operator === "nin") return !(operand as unknown[]).includes(value);
  if (value === null) return false;
  const bound = operand as typeof value;
  if (operator === "gt") return value > bound;
  if (operator === "gte") return value >= bound;
  return operator === "lt" ? value < bound : value <= bound;
}
