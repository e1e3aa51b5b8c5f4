import { describe, expect, test } from "vitest";
import { ListSplitter } from "../../../runtime/data/json/list.js";
import { byteTextOf } from "../../../runtime/data/read/bytes.js";
import { readCells } from "../../../runtime/values/csv/cells.js";
import type { Found } from "../../../runtime/values/csv/found.js";
import { separatorOf } from "../../../runtime/values/csv/head.js";
import { RecordSplitter } from "../../../runtime/values/csv/splitter.js";
import { csvLine } from "../../../runtime/values/files/csv-line.js";
import { bareCell, guardedCell } from "../../../runtime/values/files/spreadsheet.js";

/** What is found, whatever the pieces in which the bytes come. */
function found(bytes: Buffer, make: () => { push(chunk: Buffer): Found[]; finish(): Found[] }) {
  const results = [1, 2, 3, 7, bytes.length + 1].map((size) => {
    const splitter = make();
    const all: Found[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      all.push(...splitter.push(bytes.subarray(at, at + size)));
    }
    return [...all, ...splitter.finish()];
  });
  for (const one of results) expect(one).toEqual(results[0]);
  return results[0] ?? [];
}

const newSplitter = () =>
  new RecordSplitter({
    ...{ separator: ",", lineEnd: 10, line: 1, offset: 0 },
    byteText: byteTextOf("utf-8"),
  });

const csv = (text: string | Buffer) => found(Buffer.from(text), newSplitter);

const brief = (all: readonly Found[]) =>
  all.map((one) => [one.line, "text" in one ? one.text : one.problem]);

describe("records of CSV", () => {
  test("end with a line break outside of quotation marks; empty lines are skipped", () => {
    const all = csv('a,b\r\n\r\n"x\r\ny",2\n\n"say ""hi""",3\r\nlast,"4"');
    expect(brief(all)).toEqual([
      [1, "a,b"],
      [3, '"x\r\ny",2'],
      [6, '"say ""hi""",3'],
      [7, 'last,"4"'],
    ]);
    expect(all.at(1)).toMatchObject({ end: 16, nextLine: 5 });
  });

  test("that are wrong do not hide those after them", () => {
    const bytes = Buffer.concat([
      Buffer.from('a"b,1\n"x"y,2\n'),
      Buffer.from([0xff, 0x2c, 0x33, 10]),
      Buffer.from('good,4\n"open,5\nlost,6\n'),
    ]);
    expect(brief(csv(bytes))).toEqual([
      [1, 'a"b,1'],
      [2, '"x"y,2'],
      [3, "This row is not UTF-8"],
      [4, "good,4"],
      [5, "A quotation mark is never closed"],
    ]);
  });

  test("of more than 16 MiB are refused without being buffered", () => {
    const splitter = newSplitter();
    const piece = Buffer.alloc(1024 * 1024, "x");
    const all = Array.from({ length: 17 }, () => splitter.push(piece)).flat();
    all.push(...splitter.push(Buffer.from("\nnext\n")));
    expect(brief(all)).toEqual([
      [1, "This record is longer than 16 MiB"],
      [2, "next"],
    ]);
    expect(all.map(({ end }) => end)).toEqual([17 * 1024 * 1024 + 1, 17 * 1024 * 1024 + 6]);
  });
});

test("cells are split, and mistakes in their quotation marks are reported", () => {
  expect(readCells('a,"b,""c""",,"d\ne"', ",")).toEqual({ cells: ["a", 'b,"c"', "", "d\ne"] });
  expect(readCells('"",', ",")).toEqual({ cells: ["", ""] });
  expect(readCells('a"b,c', ",")).toMatchObject({ problem: expect.stringContaining("inside") });
  expect(readCells('"a"b,c', ",")).toMatchObject({
    problem: expect.stringContaining("after a closing"),
  });
});

test("the separator is the most frequent one in the header", () => {
  expect(separatorOf("a;b;c")).toBe(";");
  expect(separatorOf("a\tb")).toBe("\t");
  expect(separatorOf('"a;b;c",d')).toBe(",");
  expect(separatorOf("alone")).toBe(",");
});

test("written files are read back, for spreadsheets or not", () => {
  const cells = [
    "",
    "a",
    'say "x"',
    "1,5",
    "two\nlines",
    "=1",
    "'=1",
    "''",
    "-5",
    "+5",
    "@x",
    "\tx",
  ];
  expect(readCells(csvLine(cells).slice(0, -2), ",")).toEqual({ cells });
  expect(cells.map(guardedCell).map(bareCell)).toEqual(cells);
  expect(guardedCell("-5")).toBe("-5");
  expect(guardedCell("-5,0")).toBe("'-5,0");
  expect(bareCell("'tis")).toBe("'tis");
});

describe("elements of a JSON list", () => {
  const list = (text: string) =>
    brief(found(Buffer.from(text), () => new ListSplitter({ offset: 0, elements: 0 }))).map(
      ([, text]) => text,
    );

  test("are found with any contents", () => {
    expect(list(' [ {"a":"],[\\"{"} ,{"b":[1,{"c":2}]},3 ]\n')).toEqual([
      '{"a":"],[\\"{"}',
      '{"b":[1,{"c":2}]}',
      "3",
    ]);
    expect(list("[]")).toEqual([]);
  });

  test("that are missing, and a list that is not closed, are mistakes", () => {
    expect(list("[1,,2]")).toEqual(["1", "", "2"]);
    expect(list("[1,]")).toEqual(["1", ""]);
    expect(list("[1,2")).toEqual(["1", "The list is never closed"]);
    expect(list("[1] x")).toEqual(["1", "Text after the end of the list"]);
    expect(() => list('{"a":1}')).toThrow("not a JSON list");
    expect(() => list("")).toThrow("not a JSON list");
  });

  test("are found from the position after one", () => {
    const text = '[{"a":1}, {"b":2}]';
    const [first] = found(Buffer.from(text), () => new ListSplitter({ offset: 0, elements: 0 }));
    const offset = first?.end ?? 0;
    const rest = found(
      Buffer.from(text.slice(offset)),
      () => new ListSplitter({ offset, elements: 1 }),
    );
    expect(brief(rest)).toEqual([[0, '{"b":2}']]);
  });
});
