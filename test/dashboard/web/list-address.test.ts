import fc from "fast-check";
import { expect, test } from "vitest";
import type { Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import { withLinkedFields } from "../../../runtime/dashboard/web/api/records/naming.js";
import {
  type Condition,
  type ListAddress,
  printList,
  printParams,
  readList,
  totals,
  wholeList,
} from "../../../runtime/dashboard/web/browser/address/list-address.js";
import {
  joinValues,
  listedValues,
} from "../../../runtime/dashboard/web/browser/address/listed-values.js";
import { whereOf } from "../../../runtime/dashboard/web/kinds/filter/where.js";
import {
  conditionParams,
  shownParams,
} from "../../../runtime/dashboard/web/kinds/query/list-parameters.js";
import { rulesOf } from "../../../runtime/dashboard/web/kinds/query/list-rules.js";
import { operators } from "../../../runtime/values/operators.js";

const everything = {
  accepts: () => true,
  sortsBy: () => true,
  groupsBy: () => true,
  shows: () => true,
};

const name = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,8}$/);
const words = fc.string({ unit: "grapheme", maxLength: 60 }).filter((text) => !text.includes("\0"));
const condition: fc.Arbitrary<Condition> = fc.record({
  field: name,
  operator: fc.constantFrom("eq", "days", "day", ...operators),
  value: words,
});
const address: fc.Arbitrary<ListAddress> = fc.record({
  q: words,
  conditions: fc.uniqueArray(condition, {
    maxLength: 6,
    selector: ({ field, operator }) => `${field} ${operator}`,
  }),
  sort: fc.uniqueArray(fc.record({ field: name, isDescending: fc.boolean() }), {
    maxLength: 3,
    selector: ({ field }) => field,
  }),
  page: fc.integer({ min: 1, max: 1_000_000 }),
  perPage: fc.option(fc.integer({ min: 1, max: 100 })),
  view: fc.option(words.filter((text) => text !== "")),
  by: fc.uniqueArray(name, { maxLength: 2 }),
  total: fc.option(fc.constantFrom(...totals)),
  show: fc.option(fc.record({ as: fc.constantFrom("calendar", "gallery"), field: name })),
  month: fc.option(
    fc
      .tuple(fc.integer({ min: 1000, max: 9998 }), fc.integer({ min: 1, max: 12 }))
      .map(([year, month]) => `${year}-${String(month).padStart(2, "0")}`),
  ),
});

test("a list's address is read as it was printed", () => {
  fc.assert(
    fc.property(address, (listing) => {
      expect(readList(printList(listing), everything)).toEqual({ listing, dropped: [] });
    }),
  );
});

test("any query string is read, and unknown parts of it stay", () => {
  const part = fc.tuple(
    fc.oneof(
      words,
      fc.constantFrom("q", "sort", "page", "perPage", "view", "by", "total", "filter[a]", "days:a"),
      fc.constantFrom("show", "month"),
    ),
    words,
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const { listing } = readList(printParams(parts), everything);
      expect(readList(printList(listing), everything)).toEqual({ listing, dropped: [] });
    }),
  );
});

test("the default list has an empty address", () => {
  expect(printList(wholeList)).toBe("");
  expect(readList("", everything)).toEqual({ listing: wholeList, dropped: [] });
});

test("an address has the syntax of the API", () => {
  const listing = {
    ...wholeList,
    q: "green tea",
    conditions: [
      { field: "price", operator: "lt", value: "30" },
      { field: "status", operator: "in", value: "draft,live" },
      { field: "createdAt", operator: "days", value: "7" },
    ],
    sort: [
      { field: "price", isDescending: true },
      { field: "name", isDescending: false },
    ],
    page: 2,
  } as const;
  expect(printList(listing)).toBe(
    "filter[price][lt]=30&filter[status][in]=draft,live&days:createdAt=7&q=green+tea&sort=-price,name&page=2",
  );
});

test("values of a list hold commas and backslashes", () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 9 }), (values) => {
      expect(listedValues(joinValues(values))).toEqual(values);
    }),
  );
  expect(listedValues("a\\b")).toBe(null);
});

const link = "0198c5a0-5d6c-7bb1-9d33-8d2c7f4be001";

const products: Resource = {
  name: "products",
  singular: "Product",
  label: "Products",
  path: "/api/products",
  fields: [
    { name: "name", type: "string", required: true, maxLength: 120 },
    { name: "description", type: "text", maxLength: 100_000 },
    { name: "price", type: "number", decimals: 2 },
    { name: "status", type: "enum", values: ["draft", "live"] },
    { name: "releasedOn", type: "date" },
    { name: "soldOutAt", type: "timestamp" },
    { name: "categoryId", type: "belongsTo", resource: "categories", link: "category" },
    { name: "image", type: "image" },
    { name: "secret", type: "string", readable: false },
  ],
};
const everyRight = {
  list: true,
  get: true,
  stats: true,
  create: true,
  update: true,
  delete: true,
} as const;
const categories: Resource = {
  name: "categories",
  singular: "Category",
  label: "Categories",
  path: "/api/categories",
  fields: [{ name: "name", type: "string" }],
};

test.each([
  ["filter[price][lt]=30", []],
  ["filter[price][lt]=cheap", ["filter[price][lt]"]],
  ["filter[price][contains]=3", ["filter[price][contains]"]],
  ["filter[status]=live", []],
  ["filter[status]=gone", ["filter[status]"]],
  ["filter[status][in]=live,gone", ["filter[status][in]"]],
  ["filter[releasedOn]=2026-02-30", ["filter[releasedOn]"]],
  ["filter[releasedOn]=&filter[soldOutAt][ne]=", []],
  ["filter[description]=x", ["filter[description]"]],
  ["filter[categoryId]=tea", ["filter[categoryId]"]],
  ["filter[image][ne]=", []],
  ["filter[image]=tea.webp", ["filter[image]"]],
  ["filter[secret]=x", ["filter[secret]"]],
  ["filter[nothing]=x", ["filter[nothing]"]],
  ["days:createdAt=7&days:releasedOn=30", []],
  ["days:price=7", ["days:price"]],
  ["day:createdAt=2026-02-28&day:soldOutAt=2026-11-21", []],
  ["day:createdAt=2026-02-30", ["day:createdAt"]],
  ["day:releasedOn=2026-02-28&day:price=2026-02-28", ["day:releasedOn", "day:price"]],
  [
    "filter[createdAt]=2026-02-28&filter[createdAt][day]=2026-02-28",
    ["filter[createdAt]", "filter[createdAt][day]"],
  ],
  [`filter[categoryId][in]=${link},${link}&filter[categoryId][nin]=${link},`, []],
  [`filter[categoryId][in]=${link},tea`, ["filter[categoryId][in]"]],
  ["days:createdAt=0&days:updatedAt=99999", ["days:createdAt", "days:updatedAt"]],
  ["sort=-price,name", []],
  ["sort=categoryId", ["sort"]],
  ["sort=name,-name", ["sort"]],
  ["page=0&perPage=101", ["page", "perPage"]],
  ["page=2&page=3&<script>=1", ["page", "<script>"]],
  ["%", ["%"]],
  ["q=a%00b", ["q"]],
  ["show=calendar:releasedOn&month=2026-11", []],
  ["show=calendar:createdAt&month=9999-11", []],
  ["show=calendar:price&month=2026-13", ["show", "month"]],
  ["show=calendar&month=9999-12", ["show", "month"]],
  ["show=gallery:image", []],
  ["show=gallery:releasedOn", ["show"]],
  ["show=board:status", ["show"]],
])("%s: the invalid part is %j", (search, dropped) => {
  expect(readList(search, rulesOf(products)).dropped).toEqual(dropped);
});

test("the last days begin with a day of the reader's calendar", () => {
  const { listing } = readList("days:createdAt=7&days:releasedOn=1", rulesOf(products));
  const today = new Date();
  const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 6);
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  expect(conditionParams(products, listing)).toEqual([
    ["filter[createdAt][gte]", first.toISOString()],
    ["filter[releasedOn][gte]", day],
  ]);
});

test("a day is all of its moments in the reader's calendar; the narrower of two bounds counts", () => {
  const moment = (day: number) => new Date(2026, 10, day).toISOString();
  const params = (search: string) =>
    conditionParams(products, readList(search, rulesOf(products)).listing);
  expect(params("day:soldOutAt=2026-11-30")).toEqual([
    ["filter[soldOutAt][gte]", moment(30)],
    ["filter[soldOutAt][lt]", moment(31)],
  ]);
  const [from, before] = [moment(1), moment(9)];
  expect(
    params(
      `filter[soldOutAt][gte]=${from}&day:soldOutAt=2026-11-09&filter[soldOutAt][lt]=${before}`,
    ),
  ).toEqual([
    ["filter[soldOutAt][gte]", moment(9)],
    ["filter[soldOutAt][lt]", before],
  ]);
});

test("fields of linked records are filtered by a where, next to the list's own", () => {
  const [list] = withLinkedFields([products, categories]);
  if (list === undefined) throw new Error("no resource");
  const search =
    "filter[category.name][contains]=tea&filter[price][lt]=30&filter[category.name][ne]=&filter[category.secret]=1";
  const { listing, dropped } = readList(search, rulesOf(list));
  expect(dropped).toEqual(["filter[category.secret]"]);
  const params = conditionParams(list, listing);
  expect(params).toEqual([
    ["filter[price][lt]", "30"],
    ["where", '{"category":{"name":{"contains":"tea","ne":null}}}'],
  ]);
  expect(whereOf(list, params)).toEqual({
    where: { price: { lt: 30 }, category: { name: { contains: "tea", ne: null } } },
    rest: [],
  });
  expect(readList("sort=category.name", rulesOf(list)).dropped).toEqual(["sort"]);
});

test("lists are not filtered by records that the caller may not list", () => {
  const closed = { ...categories, can: { ...everyRight, list: false } };
  const [list] = withLinkedFields([products, closed]);
  expect(list?.linkedFields).toEqual([]);
});

test("a list requests the columns shown, long texts cut, links with a title", () => {
  const shown = (names: readonly string[]) =>
    printParams(
      shownParams(
        products,
        [products, categories],
        products.fields.filter((field) => names.includes(field.name)),
      ),
    );
  expect(shown(["name", "description", "categoryId", "image"])).toBe(
    "fields=name,description:200,categoryId,image,imageFile&include=category&include[category][fields]=name",
  );
  expect(shown([])).toBe("fields=id");
});
