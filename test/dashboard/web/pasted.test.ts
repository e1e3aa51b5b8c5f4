import { expect, test } from "vitest";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { cellsOf, read } from "../../../runtime/dashboard/web/screens/list/paste/pasted.js";

const name: Field = { name: "name", type: "string", required: true, maxLength: 10 };
const price: Field = { name: "price", type: "number", decimals: 2 };
const link: Field = { name: "categoryId", type: "belongsTo", resource: "categories" };
const rows = [{ id: "1" }, { id: "2" }, { id: "3" }];

/** What is read for the only field, or said about it. */
const values = (field: Field, pasted: string, named = {}) =>
  read(cellsOf(pasted), { fields: [field], rows, named }).map(({ cells: [cell] }) =>
    cell?.kind === "value" ? cell.value : cell?.message,
  );

test("cells are read as spreadsheets copy them, quotes and line breaks too", () => {
  expect(cellsOf('a\t"two\nlines"\r\n\t"say ""so"""\r\n')).toEqual([
    ["a", "two\nlines"],
    ["", 'say "so"'],
  ]);
});

test("an empty cell clears its field, unless the field is required", () => {
  expect(values(price, "1\n\n2")).toEqual([1, null, 2]);
  expect(values(name, "x\n\ny")).toEqual(["x", "This cannot be empty", "y"]);
});

test("numbers are read in the reader's notation, or all of a column in another", () => {
  expect(values(price, "1,234.50\n2")).toEqual([1234.5, 2]);
  expect(values(price, "1.234,50\n2")).toEqual([1234.5, 2]);
});

test("links are matched by title: an unknown or ambiguous title is not a value", () => {
  const named = {
    categoryId: new Map<string, string | null>([
      ["Tea", "7"],
      ["Two", null],
    ]),
  };
  expect(values(link, "Tea\nTwo\nNone", named)).toEqual([
    "7",
    "Several records have this name",
    "No record has this name",
  ]);
});

test("rows beyond those of the page are dropped", () => {
  expect(values(price, "1\n2\n3\n4")).toEqual([1, 2, 3]);
});
