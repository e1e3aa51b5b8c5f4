import { join } from "node:path";
import { expect, test } from "vitest";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { namesOf, usualColumn, usualTable } from "../../generator/model/names.js";
import { runtimeSymbols } from "../../generator/model/runtime-symbols.js";
import { listNames } from "../../generator/resolve/inverses.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { shortName } from "../../runtime/values/schema/short-name.js";

function resolve(files: Readonly<Record<string, string>>) {
  return resolveModel(
    readDescriptors(
      Object.entries(files).map(([name, text]) => ({ path: `resources/${name}.yaml`, text })),
    ),
    [],
  );
}

function names(name: string, singular: string | null = null) {
  return namesOf({ name, singular, label: null, table: null });
}

test("every name of a resource is derived from its file's name", () => {
  expect(names("order-items")).toEqual({
    label: "Order items",
    singular: "Order item",
    type: "OrderItem",
    variable: "orderItem",
    collection: "orderItems",
    table: "order_items",
  });
});

test.each([
  ["goods", "Product", { type: "Product", variable: "product", collection: "goods" }],
  ["faqs", "FAQ entry", { type: "FAQEntry", variable: "faqEntry" }],
  ["sizes", "Größe (XL)", { type: "GrosseXL", variable: "grosseXL" }],
  ["wares", "商品", { type: "Ware", singular: "商品" }],
  ["models", "3D model", { type: "Model", singular: "3D model" }],
])("%s in the singular is %s", (name, singular, expected) => {
  expect(names(name, singular)).toMatchObject(expected);
});

test.each([
  ["dates", { type: "DateRecord", variable: "dateRecord", collection: "dates" }],
  ["tables", { type: "TableRecord", variable: "table", collection: "tables" }],
  ["default", { type: "Default", variable: "defaultRecord", collection: "defaultRecords" }],
  ["news", { type: "News", variable: "news", collection: "newsRecords" }],
  ["list-records", { variable: "listRecord", collection: "listRecordsRecords" }],
])("%s gets names that emitted code can use", (name, expected) => {
  expect(names(name)).toMatchObject(expected);
});

test("no resource hides a name of the runtime from emitted code", () => {
  for (const symbol of Object.values(runtimeSymbols).flat()) {
    const kebab = symbol.replace(/(?<=.)[A-Z]/g, "-$&").toLowerCase();
    const { type, variable, collection } = names(kebab, symbol);
    expect([type, variable, collection]).not.toContain(symbol);
  }
});

test("a name over 63 bytes ends in a hash of the whole", () => {
  const [one, other] = [shortName(`${"a".repeat(63)}b`), shortName(`${"a".repeat(63)}c`)];
  expect(one).toHaveLength(63);
  expect(one).not.toBe(other);
  expect(shortName("a".repeat(63))).toBe("a".repeat(63));
  expect(usualTable(`a${"-b".repeat(40)}`)).not.toContain("__");
});

test.each([
  ["releasedOn", "released_on"],
  ["htmlURLPath", "html_url_path"],
  ["vendorID", "vendor_id"],
  ["address2", "address2"],
  ["a1B", "a1_b"],
])("the column of %s is %s", (field, column) => {
  expect(usualColumn(field)).toBe(column);
});

test("the narrower of two rules for an action wins", () => {
  const text = "access: { read: nobody, get: [admin], write: [editor], delete: nobody }";
  expect(resolve({ notes: text }).model?.resources[0]?.access).toEqual({
    list: "nobody",
    get: ["admin"],
    stats: "nobody",
    create: ["editor"],
    update: ["editor"],
    delete: "nobody",
  });
});

test("without a rule every signed-in caller may", () => {
  expect(resolve({ notes: "fields: {}" }).model?.resources[0]?.access).toEqual({
    list: "signed-in",
    get: "signed-in",
    stats: "signed-in",
    create: "signed-in",
    update: "signed-in",
    delete: "signed-in",
  });
});

test("links know their table, and the linked resources know the links", () => {
  const { model, problems } = resolve({
    "order-items": "fields: { orderId: { type: belongsTo, resource: orders, required: true } }",
    orders:
      "fields: { buyerId: { type: belongsTo, resource: users }, formerId: { type: belongsTo, resource: orders } }",
  });
  expect(problems).toEqual([]);
  const [items, orders] = model?.resources ?? [];
  const dependants = {
    resource: "order-items",
    label: "Order items",
    singular: "Order item",
    table: "order_items",
    id: { column: "id", type: "uuid", given: false },
    links: [{ column: "order_id", target: "orders" }],
  };
  expect(items?.deletion).toEqual({ cascades: [], refusals: [] });
  expect(orders?.deletion).toEqual({ cascades: [], refusals: [dependants] });
  expect(orders?.fields).toMatchObject([
    { target: { resource: "users", schema: "service", table: "users" } },
    { target: { resource: "orders", schema: "public", table: "orders" } },
  ]);
});

test("the model cannot be changed", () => {
  const { model } = resolve({ notes: "fields: { a: { type: enum, values: [b] } }" });
  const field = model?.resources[0]?.fields[0];
  expect(Object.isFrozen(model)).toBe(true);
  expect(field?.kind === "enum" && Object.isFrozen(field.values)).toBe(true);
});

test("the hostile names of fixtures/names are all valid", async () => {
  const root = join(import.meta.dirname, "../../fixtures/names");
  const { model, problems } = resolveModel(readDescriptors(findDescriptors(root)), []);
  expect(problems).toEqual([]);
  const tables = model?.resources.map(({ table }) => table) ?? [];
  expect(new Set(tables).size).toBe(tables.length);
});

test.each([
  ["tagIds", "tags"],
  ["categoryIds", "categories"],
  ["dayIds", "days"],
  ["guyIds", "guys"],
  ["boxIds", "boxes"],
  ["busIds", "buses"],
  ["classIds", "classes"],
  ["quizIds", "quizes"],
  ["matchIds", "matches"],
  ["dishIds", "dishes"],
  ["cheeseIds", "cheeses"],
  ["pathIds", "paths"],
  ["mainCategoryIds", "mainCategories"],
  ["related", "relatedRecords"],
  ["Ids", "IdsRecords"],
  ["noteIds", "noteIdsRecords"],
])("a list %s leads to %s", (field, name) => {
  const text = `fields: { notes: { type: string }, ${field}: { type: links, resource: tags } }`;
  const { descriptors } = readDescriptors([{ path: "resources/products.yaml", text }]);
  expect(descriptors.flatMap(listNames)).toEqual([{ name, field, resource: "tags" }]);
});
