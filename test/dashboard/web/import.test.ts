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
import {
  nothingTyped,
  problemsOf,
  readNotation,
} from "../../../runtime/dashboard/web/screens/import/notation/notation.js";
import { numbersInFile } from "../../../runtime/dashboard/web/text/file-numbers.js";
import { ownNotation } from "../../../runtime/values/csv/notation.js";

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
    ["rows of empty cells", 'name,price\n,\nTea,3.50\n"",""\n', ","],
    ["a line that names the separator", "sep=;\r\nname;price\r\nTea;3.50\r\n", ";"],
    ["a separator at the end of the header", "name,price,\nTea,3.50,\n", ","],
    ["CR line ends", "name,price\rTea,3.50\r", ","],
  ])("is read with %s", (_, text, delimiter) => {
    expect(tableOf(text)).toMatchObject({
      ...{ head: ["name", "price"], rows: [["Tea", "3.50"]], delimiter, unread: [] },
    });
  });

  test("keeps quotes, separators and lines within cells", () => {
    expect(tableOf('a,b\n"x, ""y""","1\n2"\n').rows).toEqual([['x, "y"', "1\n2"]]);
  });

  test("for spreadsheets loses one of the apostrophes that keep cells from being executed", () => {
    const text = "a,b,c,d\n'=1+1,'quoted,'-2,''=1\n";
    expect(tableOf(`\uFEFF${text}`).rows).toEqual([["=1+1", "'quoted", "-2", "'=1"]]);
    expect(tableOf(text).rows).toEqual([["'=1+1", "'quoted", "'-2", "''=1"]]);
  });

  test.each([
    ["encoding", new Uint8Array([0x61, 0x0a, 0xe4, 0x0a])],
    ["empty", bytes("name,price\n")],
    ["empty", bytes("")],
    ["rows", bytes(`a\n${"1\n".repeat(100_001)}`)],
    ["broken", bytes('a,"b\nx,1\n')],
    ["utf16", new Uint8Array(Buffer.from("\ufeffa\nb\n", "utf16le"))],
    ["workbook", bytes("PK\u0003\u0004")],
    ["size", new Uint8Array(50_000_001)],
  ])("is refused for its %s", (reason, content) => {
    expect(readTable(content)).toEqual({ kind: "refused", reason });
  });
});

test("rows that cannot be read are named by their line, and the others are read", () => {
  const { rows, lines, unread } = tableOf('a,b\n"1\n2",x\n5" pipe,x\nfew\n1,2,3\ny,2\n"open,1\n');
  expect(rows).toEqual([
    ["1\n2", "x"],
    ["y", "2"],
  ]);
  expect(lines).toEqual([2, 7]);
  expect(unread).toEqual([
    { line: 4, message: "A quotation mark inside a cell that does not begin with one" },
    { line: 5, message: "Expected 2 cells, found 1" },
    { line: 6, message: "Expected 2 cells, found 3" },
    { line: 8, message: "A quotation mark is never closed" },
  ]);
});

test.each([
  ["windows-1252", Buffer.from("name\n\xc5se \x80\n", "latin1"), "Åse €"],
  ["utf-16", Buffer.from("\ufeffname\nÅse\n", "utf16le"), "Åse"],
  ["windows-1252", Buffer.from("\ufeffname\nÅse\n"), "Åse"],
] as const)("a file in %s is read once its encoding is chosen", (encoding, content, name) => {
  const read = readTable(new Uint8Array(content), encoding);
  expect(read).toMatchObject({ kind: "table", table: { rows: [[name]] } });
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
  ])("of %j with %j is a value", (one, text, style, value) => {
    expect(kindOf(one).readCell(one, text, { ...ownNotation, numbers: style })).toEqual({
      kind: "value",
      value,
    });
  });

  test.each<[Field, string, string]>([
    [field("a", "string", { maxLength: 2 }), "tea", "At most 2 characters"],
    [field("a", "string", { format: "email" }), "tea", "Must be an email address"],
    [field("a", "number"), "12,50", "This number is ambiguous: write 12.5 or 1250"],
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
  ])("of %j with %j is refused", (one, text, message) => {
    expect(kindOf(one).readCell(one, text, { ...ownNotation, numbers: point })).toMatchObject({
      kind: "problem",
      message,
    });
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
  test("map to the fields of their name or label, at most one each, and not to read-only fields", () => {
    expect(guessed(["Name", "unit price", "PRICE", "Category", "secret", ""], teas)).toEqual([
      to("name"),
      to("unitPrice"),
      null,
      to("categoryId"),
      null,
      null,
    ]);
  });

  test("of links without ids are matched by the key of the target", () => {
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

  test("that are required or duplicated are named", () => {
    expect(missingFields(teas, [to("name")]).map(({ name }) => name)).toEqual(["categoryId"]);
    expect(doubledFields([to("name"), null, to("name"), to("stock")])).toEqual(["name"]);
  });
});

describe("a file of another program", () => {
  const visits = resource([
    field("name", "string", { required: true }),
    field("status", "enum", { values: ["open", "closed"] }),
    field("vip", "boolean", { required: true }),
    field("day", "date"),
    field("startsAt", "timestamp"),
    field("price", "number"),
  ]);
  const table = tableOf(
    "Navn;Status;VIP;Dag;Dato;Tid;Pris\nÅse;Åpen;Ja;31.01.2026;31.01.2026;10:30;10,5\nBo;-;Nei;-;29.03.2026;02:30;-\nUlf;-;Ja;2026-01-31;-;-;\n",
  );
  const mapping = [
    to("name"),
    { ...to("status"), values: { Åpen: "open" } },
    { ...to("vip"), values: { Ja: "true", Nei: "false" } },
    to("day"),
    { ...to("startsAt"), behind: [5] },
    null,
    { ...to("price"), numbers: "comma" as const },
  ];
  const typed = { dateFormat: "DD.MM.YYYY", timezone: "Europe/Oslo", nulls: "-" };
  const check = (by: string | null = null) =>
    checked(table, {
      ...{ resource: visits, mapping, found: {}, by, notation: readNotation(typed) },
      fixed: { source: "excel" },
    });

  test("is read with the options that the user chooses", () => {
    const { operations, problems } = check();
    expect(operations).toEqual([
      {
        create: "teas",
        values: {
          ...{ source: "excel", name: "Åse", status: "open", vip: true, day: "2026-01-31" },
          ...{ startsAt: "2026-01-31T09:30:00.000Z", price: 10.5 },
        },
      },
    ]);
    expect(problems).toEqual([
      {
        ...{ line: 3, column: "Dato", cell: "29.03.2026 02:30" },
        message: "Clocks in Europe/Oslo skip this time",
      },
      { line: 4, column: "Dag", cell: "2026-01-31", message: "Must be a date: DD.MM.YYYY" },
    ]);
  });

  test("is described by options that are validated", () => {
    expect(problemsOf(nothingTyped)).toEqual({});
    expect(problemsOf(typed)).toEqual({});
    const wrong = problemsOf({ dateFormat: "dd.mm.yyyy", timezone: "Oslo", nulls: '"' });
    expect(Object.keys(wrong)).toEqual(["dateFormat", "timezone", "nulls"]);
  });
});

describe("rows", () => {
  const table = tableOf(
    "name,price,stock,category\nGreen,3.5,,Tea\nBlack,x,1.5,Tee\n,1,1,Tea\nGreen,1,1,Tea\nWhite,,7,Tea\n",
  );
  const mapping = [to("name"), to("unitPrice"), to("stock"), to("categoryId", "name")];
  const found = { categoryId: new Map([["Tea", "id-of-tea"]]) };

  test("are sent if every cell is valid; mistakes are reported with line and column", () => {
    const result = checked(table, { resource: teas, mapping, found, by: null });
    expect(result.operations).toEqual([
      { create: "teas", values: { name: "Green", unitPrice: 3.5, categoryId: "id-of-tea" } },
      { create: "teas", values: { name: "White", stock: 7, categoryId: "id-of-tea" } },
    ]);
    expect(result.lines).toEqual([2, 6]);
    expect(result.refusedRows).toBe(3);
    expect(result.problems.map(({ line, column, message }) => [line, column, message])).toEqual([
      [3, "price", "Must be a number"],
      [3, "stock", "Must be a whole number"],
      [3, "category", "No such record"],
      [4, "name", "A value is required"],
      [5, "name", "Another record has this value"],
    ]);
  });

  test("that change existing records clear empty cells, and keep fields with a default", () => {
    const [, last] = checked(table, { resource: teas, mapping, found, by: "name" }).operations;
    expect(last).toEqual({
      upsert: "teas",
      by: "name",
      values: { name: "White", unitPrice: null, stock: 7, categoryId: "id-of-tea" },
    });
  });
});
