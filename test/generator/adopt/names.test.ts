import { expect, test } from "vitest";
import { fieldNames, listName, resourceNames, unusedName } from "../../../generator/adopt/names.js";
import { fieldNamePattern } from "../../../generator/kind/field.js";

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

test("lists are named after the ids in a column", () => {
  const names = ["film_id", "FilmId", "film", "filmid", "id", "имя", "2nd_id"];
  expect(names.map((name, at) => listName({ name, number: at + 1 }))).toEqual([
    "filmIds",
    "filmIds",
    "filmIds",
    "filmidIds",
    "idIds",
    "column6Ids",
    "column7Ids",
  ]);
});

test("names that are too long are cut, and remain different", () => {
  const long = "x".repeat(63);
  const other = `${"x".repeat(62)}y`;
  const grown = "㎯".repeat(21);
  const taken = new Set([long]);
  const names = [
    ...[long, other, `${"x".repeat(60)}_id`].map((name) => listName({ name, number: 1 })),
    ...fields(grown),
    ...[long, `${long}Records`, `${long}Records`].map((wanted) => unusedName(wanted, taken)),
  ];
  for (const name of names) expect(name).toMatch(fieldNamePattern);
  expect(new Set([...names, long]).size).toBe(8);
  expect(listName({ name: `${"x".repeat(57)}_id`, number: 1 })).toBe(`${"x".repeat(57)}Ids`);
});
