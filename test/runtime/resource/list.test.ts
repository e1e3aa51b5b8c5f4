import { afterAll, beforeAll, expect, test } from "vitest";
import { column, created, openShop, type Shop } from "../../support/apps/shop.js";
import type { Row } from "../../support/http/client.js";

const unknownId = "01890000-0000-7000-8000-000000000000";

let shop: Shop;
let other: Row;
const products = new Map<string, Row>();
beforeAll(async () => {
  shop = await openShop();
  other = await created(shop.admin, "categories", { name: "Other" });
  const rows = [
    { name: "Zebra", price: 3, stock: 10, status: "live", releasedOn: "2024-01-02" },
    { name: "apple", price: 20, stock: null, status: "gone", soldOutAt: "2024-06-01T10:00:00Z" },
    { name: "Äpfel", price: 1.5, status: "draft", active: false, categoryId: other.id },
    { name: "Apple", price: 3, stock: -1, status: "live", releasedOn: "2023-12-31" },
    { name: "éclair", price: 100, stock: 10, status: "gone", active: false },
    { name: "100% cotton_shirt", price: 0, description: "zebra stripes", categoryId: other.id },
    { name: "O'Neill \\ Sons", price: 3, status: "live", soldOutAt: "2023-06-01T10:00:00.5Z" },
  ];
  for (const { name, ...fields } of rows) {
    products.set(name, await created(shop.admin, "products", shop.product(name, fields)));
  }
});
afterAll(() => shop.app.close());

const names = (query: string) => column(shop.member, `/products?${query}`, "name");
const byCreation = () => [...products.keys()];
const idOf = (name: string) => products.get(name)?.id;

test("a list is the newest first, 25 a page, whole records with meta", async () => {
  const { status, body } = await shop.member.list("/products");
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["data", "meta"]);
  expect(body.meta).toEqual({ page: 1, perPage: 25, total: 7, totalPages: 1 });
  expect(body.data).toEqual([...products.values()].reverse());
});

test("pages follow one another without gap or repetition", async () => {
  const pages = [1, 2, 3].map((page) =>
    shop.member.list(`/products?perPage=3&page=${page}&sort=name`),
  );
  const [first, second, third] = (await Promise.all(pages)).map(({ body }) => body);
  expect(first?.meta).toEqual({ page: 1, perPage: 3, total: 7, totalPages: 3 });
  expect(third?.meta).toEqual({ page: 3, perPage: 3, total: 7, totalPages: 3 });
  const walked = [first, second, third].flatMap((page) => page?.data.map((row) => row.name));
  expect(walked).toEqual(await names("sort=name"));
});

test("a page past the end is empty, with the same totals", async () => {
  const { body } = await shop.member.list("/products?page=9&perPage=5");
  expect(body).toEqual({ data: [], meta: { page: 9, perPage: 5, total: 7, totalPages: 2 } });
});

test("an empty list has no pages", async () => {
  const { body } = await shop.member.list("/visits");
  expect(body).toEqual({ data: [], meta: { page: 1, perPage: 25, total: 0, totalPages: 0 } });
});

test("strings sort in Unicode collation order, not by code point", async () => {
  const ordered = [
    "100% cotton_shirt",
    "Äpfel",
    "apple",
    "Apple",
    "éclair",
    "O'Neill \\ Sons",
    "Zebra",
  ];
  expect(await names("sort=name")).toEqual(ordered);
  expect(await names("sort=-name")).toEqual(ordered.toReversed());
});

test("nulls sort last in both directions, ties break by id in the sort's direction", async () => {
  expect(await names("sort=stock")).toEqual([
    "Apple",
    "Äpfel",
    "100% cotton_shirt",
    "O'Neill \\ Sons",
    "Zebra",
    "éclair",
    "apple",
  ]);
  expect(await names("sort=-stock")).toEqual([
    "éclair",
    "Zebra",
    "O'Neill \\ Sons",
    "100% cotton_shirt",
    "Äpfel",
    "Apple",
    "apple",
  ]);
  const dates = [
    "Apple",
    "Zebra",
    "apple",
    "Äpfel",
    "éclair",
    "100% cotton_shirt",
    "O'Neill \\ Sons",
  ];
  expect(await names("sort=releasedOn")).toEqual(dates);
  const [first = "", second = "", ...empty] = dates;
  expect(await names("sort=-releasedOn")).toEqual([second, first, ...empty.reverse()]);
});

test("enums sort in their declared order, false before true", async () => {
  const statuses = ["draft", "draft", "live", "live", "live", "gone", "gone"];
  expect(await column(shop.member, "/products?sort=status", "status")).toEqual(statuses);
  const descending = await column(shop.member, "/products?sort=-status", "status");
  expect(descending).toEqual(statuses.reverse());
  const actives = await column(shop.member, "/products?sort=active", "active");
  expect(actives).toEqual([false, false, true, true, true, true, true]);
});

test("numbers, timestamps, ids and links sort", async () => {
  const prices = await column(shop.member, "/products?sort=price", "price");
  expect(prices).toEqual([0, 1.5, 3, 3, 3, 20, 100]);
  expect(await names("sort=price&perPage=3&page=2")).toEqual(["Apple", "O'Neill \\ Sons", "apple"]);
  expect((await names("sort=soldOutAt")).slice(0, 2)).toEqual(["O'Neill \\ Sons", "apple"]);
  expect(await names("sort=id")).toEqual(byCreation());
  expect(await names("sort=-id")).toEqual(byCreation().reverse());
  expect(await names("sort=createdAt")).toEqual(byCreation());
  expect(await names("sort=-updatedAt")).toEqual(byCreation().reverse());
  const links = await column(shop.member, "/products?sort=-categoryId", "categoryId");
  expect(links).toEqual([...links].sort().reverse());
});

test("sorting and filtering by an image or file field are allowed", async () => {
  expect(await names("sort=image")).toEqual(byCreation());
  expect(await names("sort=-manual")).toEqual(byCreation().reverse());
  expect(await names("filter[image]=none")).toEqual([]);
  expect(await names("filter[image]=&sort=id")).toEqual(byCreation());
});

test("a filter keeps records that equal its value exactly, for each kind", async () => {
  const cases: [string, string[]][] = [
    ["filter[name]=apple", ["apple"]],
    ["filter[name]=APPLE", []],
    [`filter[name]=${encodeURIComponent("A\u0308pfel")}`, ["Äpfel"]],
    ["filter[name]=100%25+cotton_shirt", ["100% cotton_shirt"]],
    ["filter[name]=%25", []],
    ["filter[price]=3", ["Zebra", "Apple", "O'Neill \\ Sons"]],
    ["filter[price]=3.00", ["Zebra", "Apple", "O'Neill \\ Sons"]],
    ["filter[stock]=-1", ["Apple"]],
    ["filter[active]=false", ["Äpfel", "éclair"]],
    ["filter[status]=gone", ["apple", "éclair"]],
    ["filter[releasedOn]=2024-01-02", ["Zebra"]],
    ["filter[soldOutAt]=2024-06-01T12:00:00%2B02:00", ["apple"]],
    ["filter[soldOutAt]=2023-06-01T10:00:00.500Z", ["O'Neill \\ Sons"]],
    [`filter[categoryId]=${other.id}`, ["Äpfel", "100% cotton_shirt"]],
    [`filter[categoryId]=${unknownId}`, []],
    [`filter[id]=${idOf("Zebra")}`, ["Zebra"]],
    [`filter%5Bid%5D=${idOf("Zebra")}`, ["Zebra"]],
  ];
  for (const [query, expected] of cases) {
    expect(await names(`${query}&sort=id`), query).toEqual(expected);
  }
});

test("filters on createdAt and updatedAt find the record with exactly that time", async () => {
  const zebra = products.get("Zebra");
  expect(await names(`filter[createdAt]=${zebra?.createdAt}`)).toContain("Zebra");
  expect(await names(`filter[updatedAt]=${zebra?.updatedAt}`)).toContain("Zebra");
  expect(await names("filter[createdAt]=2001-01-01T00:00:00Z")).toEqual([]);
});

test("an empty value or null finds the records whose optional field is empty", async () => {
  for (const empty of ["", "null"]) {
    expect(await names(`filter[stock]=${empty}`)).toEqual(["apple"]);
    const unsold = ["Zebra", "Äpfel", "Apple", "éclair", "100% cotton_shirt"];
    expect(await names(`filter[soldOutAt]=${empty}&sort=id`)).toEqual(unsold);
    expect((await names(`filter[releasedOn]=${empty}`)).length).toBe(5);
  }
});

test("an empty value or null finds nothing if the field is required", async () => {
  for (const field of ["name", "price", "active", "status", "categoryId", "id", "createdAt"]) {
    expect(await names(`filter[${field}]=`), field).toEqual([]);
    expect(await names(`filter[${field}]=null`), field).toEqual([]);
  }
});

test("several filters, q and a sort combine, and meta counts the remaining records", async () => {
  const { body } = await shop.member.list(
    "/products?filter[status]=live&filter[price]=3&q=e&sort=-name&perPage=1&page=2",
  );
  expect(body.data.map((row) => row.name)).toEqual(["O'Neill \\ Sons"]);
  expect(body.meta).toEqual({ page: 2, perPage: 1, total: 3, totalPages: 3 });
});

test("q finds a sigma in each of its forms", async () => {
  await created(shop.admin, "categories", { name: "ΣΑΣΑ" });
  for (const q of ["ΣΑΣ", "σας", "σασ"]) {
    const { body } = await shop.member.list(`/categories?q=${encodeURIComponent(q)}`);
    expect(body.data.map((row) => row.name)).toEqual(["ΣΑΣΑ"]);
  }
});

test("q finds the text in any string field, in any case, and not in text fields", async () => {
  expect(await names("q=zebra")).toEqual(["Zebra"]);
  expect(await names("q=APPLE&sort=id")).toEqual(["apple", "Apple"]);
  expect(await names(`q=${encodeURIComponent("ÄPF")}`)).toEqual(["Äpfel"]);
  expect(await names("q=nothing-like-it")).toEqual([]);
  await created(shop.admin, "customers", {
    name: "Ann",
    email: "mail@ann.example",
    phone: "+49 301",
  });
  for (const part of ["ann", "MAIL@", "%2B49"]) {
    expect(await column(shop.member, `/customers?q=${part}`, "name")).toEqual(["Ann"]);
  }
});

test("q matches %, _, quotes and backslashes literally", async () => {
  const cases = [
    ["%", ["100% cotton_shirt"]],
    ["_", ["100% cotton_shirt"]],
    ["n_s", ["100% cotton_shirt"]],
    ["%e", []],
    ["'", ["O'Neill \\ Sons"]],
    ["\\", ["O'Neill \\ Sons"]],
    ["\\ s", ["O'Neill \\ Sons"]],
    ["\\\\", []],
    ["%cotton%", []],
    ['"', []],
    ["*", []],
    [".", []],
    [" ", ["O'Neill \\ Sons", "100% cotton_shirt"]],
  ] satisfies [string, string[]][];
  for (const [q, expected] of cases) {
    expect(await names(`q=${encodeURIComponent(q)}`), q).toEqual(expected);
  }
});

test("an empty q counts as missing", async () => {
  expect((await names("q=")).length).toBe(7);
});

test("q finds nothing if a resource has no string field", async () => {
  await created(shop.member, "visits", {});
  expect((await shop.member.list("/visits?q=a")).body.meta.total).toBe(0);
  expect((await shop.member.list("/visits?q=")).body.meta.total).toBe(1);
});
