import { expect, test } from "vitest";
import { fieldNames, resourceNames } from "../../../generator/adopt/names.js";

function resources(names: readonly string[], taken: readonly string[] = []): readonly string[] {
  return resourceNames(
    names.map((name) => ({ schema: "public", name })),
    new Set(taken),
  );
}

function fields(...names: readonly string[]): readonly string[] {
  return fieldNames(names.map((name, at) => ({ number: at + 1, name })));
}

test("tables become words in kebab-case without accents", () => {
  const names = ["Artist", "InvoiceLine", "order_items", "HTTPLog", "Größe", "año nuevo", "tab_2"];
  expect(resources(names)).toEqual([
    "artist",
    "invoice-line",
    "order-items",
    "http-log",
    "grosse",
    "ano-nuevo",
    "tab-2",
  ]);
});

test("users is taken by accounts, and other reserved names get the schema in front", () => {
  expect(resources(["users", "auth", "as"])).toEqual(["app-users", "public-auth", "public-as"]);
});

test("a name or type that is taken gets the schema in front, then a number", () => {
  expect(resources(["Artist", "artists"])).toEqual(["artist", "public-artists"]);
  expect(resources(["albums"], ["albums", "public-albums"])).toEqual(["table1"]);
  expect(resources(["Участники", "", "1st"])).toEqual(["table1", "table2", "public-1st"]);
});

test("columns become words in camelCase, or their number", () => {
  expect(fields("ArtistId", "first_name", "Größe", "имя", "2nd", "id", "CreatedAt")).toEqual([
    "artistId",
    "firstName",
    "grosse",
    "column4",
    "column5",
    "column6",
    "column7",
  ]);
});

test("a column whose name an earlier one has gets its number, which may be taken as well", () => {
  expect(fields("Name", "name", "NAME", "column4")).toEqual([
    "name",
    "column2",
    "column3",
    "column4",
  ]);
  expect(fields("column2", "имя")).toEqual(["column2", "column2x"]);
});
