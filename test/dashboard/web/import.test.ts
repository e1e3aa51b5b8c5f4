import { describe, expect, test } from "vitest";
import type { Field, Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import { kindOf } from "../../../runtime/dashboard/web/kinds/kinds.js";
import { checked } from "../../../runtime/dashboard/web/screens/import/check.js";
import { readTable, type Table } from "../../../runtime/dashboard/web/screens/import/csv.js";
import {
  doubledFields,
  guessed,
  keysOf,
  missingFields,
  withKeys,
} from "../../../runtime/dashboard/web/screens/import/mapping.js";
import { numbersInFile } from "../../../runtime/dashboard/web/text/file-numbers.js";

const bytes = (text: string) => new TextEncoder().encode(text);

function tableOf(text: string): Table {
  const read = readTable(bytes(text));
  if (read.kind !== "table") throw new Error(read.reason);
  return read.table;
}

describe("a file", () => {
  test.each([
    ["commas", "name,price\nTea,3.50\n", ","],
    ["semicolons", "name;price\r\nTea;3.50\r\n", ";"],
    ["tabs", "name\tprice\nTea\t3.50", "\t"],
    ["a byte order mark", "\uFEFFname,price\nTea,3.50", ","],
    ["empty lines", "name,price\n\nTea,3.50\n\n\n", ","],
  ])("is read with %s", (_, text, delimiter) => {
    expect(tableOf(text)).toEqual({ head: ["name", "price"], rows: [["Tea", "3.50"]], delimiter });
  });

  test("keeps quotes, separators and lines within cells", () => {
    expect(tableOf('a,b\n"x, ""y""","1\n2"\n').rows).toEqual([['x, "y"', "1\n2"]]);
  });

  test("for spreadsheets loses one of the apostrophes that keep them from running cells", () => {
    const text = "a,b,c,d\n'=1+1,'quoted,'-2,''=1\n";
    expect(tableOf(`\uFEFF${text}`).rows).toEqual([["=1+1", "'quoted", "-2", "'=1"]]);
    expect(tableOf(text).rows).toEqual([["'=1+1", "'quoted", "'-2", "''=1"]]);
  });

  test.each([
    ["encoding", new Uint8Array([0x61, 0x0a, 0xe4, 0x0a])],
    ["empty", bytes("name,price\n")],
    ["empty", bytes("")],
    ["rows", bytes(`a\n${"1\n".repeat(100_001)}`)],
    ["broken", bytes('a,b\n"x,1\ny,2\n')],
    ["size", new Uint8Array(50_000_001)],
  ])("is refused for its %s", (reason, content) => {
    expect(readTable(content)).toEqual({ kind: "refused", reason });
  });
});

const field = (name: string, type: Field["type"], rest: Partial<Field> = {}): Field => ({
  name,
  type,
  ...rest,
});

describe("a cell", () => {
  const point = numbersInFile("point");
  const comma = numbersInFile("comma");
  test.each<[Field, string, typeof point, unknown]>([
    [field("a", "string"), " tea ", point, " tea "],
    [field("a", "number"), " 3.5 ", point, 3.5],
    [field("a", "number", { decimals: 2 }), "12,50", comma, 12.5],
    [field("a", "number", { integer: true }), "-7", point, -7],
    [field("a", "boolean"), "TRUE", point, true],
    [field("a", "boolean"), "false", point, false],
    [field("a", "enum", { values: ["x"] }), "x", point, "x"],
    [field("a", "date"), "2026-02-28", point, "2026-02-28"],
    [field("a", "timestamp"), "2026-02-28 10:00:00Z", point, "2026-02-28T10:00:00Z"],
  ])("of %j that says %j is a value", (one, text, style, value) => {
    expect(kindOf(one).readCell(one, text, style)).toEqual({ kind: "value", value });
  });

  test.each<[Field, string, string]>([
    [field("a", "string", { maxLength: 2 }), "tea", "At most 2 characters"],
    [field("a", "string", { format: "email" }), "tea", "Must be an email address"],
    [field("a", "number"), "12,50", "Must be a number with one meaning: write 12.5 or 1250"],
    [field("a", "number"), "1e999", "Must be a number as in JSON: 1234.5"],
    [field("a", "number"), "0x10", "Must be a number as in JSON: 1234.5"],
    [field("a", "number", { decimals: 2 }), "1.234", "At most 2 decimal places"],
    [field("a", "number", { min: 0 }), "-1", "Must be at least 0"],
    [field("a", "number", { integer: true }), "1.5", "Must be a whole number within ±(2^53−1)"],
    [field("a", "boolean"), "yes", "Must be true or false"],
    [field("a", "boolean"), "0", "Must be true or false"],
    [field("a", "enum", { values: ["x", "y"] }), "z", "Must be one of: x, y"],
    [field("a", "date"), "28.02.2026", "Must be a date: YYYY-MM-DD"],
    [field("a", "date"), "2026-02-30", "Must be a date: YYYY-MM-DD"],
    [field("a", "timestamp"), "2026-02-28 10:00", "Must be a time: YYYY-MM-DDThh:mm:ssZ"],
    [field("a", "belongsTo"), "Tea", "Must be the id of a record"],
  ])("of %j that says %j is refused", (one, text, message) => {
    expect(kindOf(one).readCell(one, text, point)).toMatchObject({ kind: "problem", message });
  });
});

const resource = (fields: readonly Field[]): Resource => ({
  name: "teas",
  singular: "Tea",
  label: "Teas",
  path: "/api/teas",
  fields,
});

const teas = resource([
  field("name", "string", { required: true, unique: true }),
  field("unitPrice", "number", { label: "Price" }),
  field("stock", "number", { required: true, default: 0, integer: true }),
  field("categoryId", "belongsTo", { resource: "categories", required: true }),
  field("secret", "string", { writable: false }),
]);
const to = (name: string, by: string | null = null) => ({ field: name, by });

describe("columns", () => {
  test("go to the fields of their name or words, none to two, closed ones to none", () => {
    expect(guessed(["Name", "unit price", "PRICE", "Category", "secret", ""], teas)).toEqual([
      to("name"),
      to("unitPrice"),
      null,
      to("categoryId"),
      null,
      null,
    ]);
  });

  test("of links that hold no ids are found by the key of the target", () => {
    const id = "0190c0de-0000-7000-8000-000000000001";
    const mapping = [to("categoryId")];
    const keyOf = () => "name";
    expect(withKeys(mapping, { rows: [["Green"]] }, keyOf)).toEqual([to("categoryId", "name")]);
    expect(withKeys(mapping, { rows: [[id], [""]] }, keyOf)).toEqual(mapping);
    const target = resource([
      field("code", "string", { unique: true }),
      field("name", "string", { unique: true }),
      field("size", "number", { unique: true }),
      field("note", "string"),
    ]);
    expect(keysOf({ ...target, title: "name" }).map(({ name }) => name)).toEqual(["name", "code"]);
    expect(keysOf(undefined)).toEqual([]);
  });

  test("that are needed or doubled are named", () => {
    expect(missingFields(teas, [to("name")]).map(({ name }) => name)).toEqual(["categoryId"]);
    expect(doubledFields([to("name"), null, to("name"), to("stock")])).toEqual(["name"]);
  });
});

describe("rows", () => {
  const table = tableOf(
    "name,price,stock,category\nGreen,3.5,,Tea\nBlack,x,1.5,Tee\n,1,1,Tea\nGreen,1,1,Tea\nWhite,,7,Tea\n",
  );
  const mapping = [to("name"), to("unitPrice"), to("stock"), to("categoryId", "name")];
  const found = { categoryId: new Map([["Tea", "id-of-tea"]]) };

  test("are sent where every cell is sound; what is wrong is told with line and column", () => {
    const result = checked(table, { resource: teas, mapping, found, by: null });
    expect(result.operations).toEqual([
      { create: "teas", values: { name: "Green", unitPrice: 3.5, categoryId: "id-of-tea" } },
      { create: "teas", values: { name: "White", stock: 7, categoryId: "id-of-tea" } },
    ]);
    expect(result.lines).toEqual([2, 6]);
    expect(result.refusedRows).toBe(3);
    expect(result.problems.map(({ line, column, message }) => [line, column, message])).toEqual([
      [3, "price", "Must be a number as in JSON: 1234.5"],
      [3, "stock", "Must be a whole number within ±(2^53−1)"],
      [3, "category", "No such record"],
      [4, "name", "A value is required"],
      [5, "name", "Another record has this value"],
    ]);
  });

  test("that change what is there clear what is empty, and keep what has a default", () => {
    const [, last] = checked(table, { resource: teas, mapping, found, by: "name" }).operations;
    expect(last).toEqual({
      upsert: "teas",
      by: "name",
      values: { name: "White", unitPrice: null, stock: 7, categoryId: "id-of-tea" },
    });
  });
});
