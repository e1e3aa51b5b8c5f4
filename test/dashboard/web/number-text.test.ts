import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { number as numberKind } from "../../../runtime/dashboard/web/kinds/number.js";
import { fieldNumber } from "../../../runtime/dashboard/web/kinds/number-value.js";
import { marksIn, readCell } from "../../../runtime/dashboard/web/kinds/value/import-values.js";
import {
  marksOf,
  type NumberMarks,
  readNumber,
  writeNumber,
} from "../../../runtime/dashboard/web/text/number-text.js";

const english = marksOf("en-US");
const german = marksOf("de-DE");

test("a locale tells whether points may group", () => {
  for (const locale of ["en-US", "en-IN", "hi-IN", "de-CH", "ja-JP"]) {
    expect(marksOf(locale).hasGroupingPoints, locale).toBe(false);
  }
  for (const locale of ["de-DE", "fr-FR", "sv-SE", "es-ES", "pt-BR", "ar-EG"]) {
    expect(marksOf(locale).hasGroupingPoints, locale).toBe(true);
  }
});

describe("a text with one meaning is that number", () => {
  test.each<[string, number]>([
    ["1000", 1000],
    ["-7", -7],
    ["+7", 7],
    ["\u22127", -7],
    ["12.5", 12.5],
    ["1000.000", 1000],
    ["0.500", 0.5],
    [".5", 0.5],
    ["1.", 1],
    ["1e3", 1000],
    ["1.5e-3", 0.0015],
    [" 12 ", 12],
    ["1 000", 1000],
    ["1\u00a0234\u00a0567.5", 1_234_567.5],
    ["1\u202f234,50", 1234.5],
    ["12,5", 12.5],
    ["1234,567", 1234.567],
    ["0,500", 0.5],
    [",5", 0.5],
    ["1,50", 1.5],
  ])("everywhere: %j", (text, value) => {
    for (const marks of [english, german]) {
      expect(readNumber(text, marks)).toEqual({ kind: "number", value });
    }
  });

  test("where points never group, three decimals are three decimals", () => {
    expect(readNumber("1.250", english)).toEqual({ kind: "number", value: 1.25 });
  });
});

describe("a separator that could group is not read, and the clear forms are named", () => {
  test.each<[string, NumberMarks, readonly string[]]>([
    ["1,000", english, ["1000", "1"]],
    ["1,000", german, ["1000", "1"]],
    ["1.000", german, ["1000", "1"]],
    ["-1,000", english, ["-1000", "-1"]],
    ["1,234", english, ["1234", "1.234"]],
    ["1.234", german, ["1234", "1.2340"]],
    ["12,5", marksIn(","), ["12.5"]],
    ["1,234.50", english, ["1234.5"]],
    ["1.234,50", german, ["1234.5"]],
    ["1,234,567", english, ["1234567"]],
    ["1.234.567", german, ["1234567"]],
    ["1,00,000", english, ["100000"]],
    ["12,34,567.8", english, ["1234567.8"]],
    ["1’000", marksOf("de-CH"), ["1000"]],
    ["1'234.50", marksOf("de-CH"), ["1234.5"]],
    ["1.000", marksOf("ar-EG"), ["1000", "1"]],
  ])("%j", (text, marks, forms) => {
    expect(readNumber(text, marks)).toEqual({ kind: "unclear", forms });
  });

  test.each([
    "many",
    "",
    "-",
    ".",
    "1 2",
    "1 00",
    "1 000 00",
    "1,2,3",
    "1.2.3",
    "1.,5",
    "٣",
    "１２",
    "½",
    "10²",
    "0x10",
    "Infinity",
    "1e",
    "(1,000)",
    "1,000 €",
  ])("%j is no number", (text) => {
    for (const marks of [english, german]) expect(readNumber(text, marks).kind).toBe("none");
  });
});

const locales = ["en-US", "de-DE", "fr-FR", "de-CH", "ar-EG", "hi-IN", "sv-SE", "es-ES", "fa-IR"];
const anyMarks = fc.constantFrom(...locales.map(marksOf));

test("what is written is read as the same number, and so is every form that is named", () => {
  const digits = fc.stringMatching(/^-?[\d.,' \u202f’]{1,12}(?:e\d)?$/);
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
      fc.option(fc.nat(6), { nil: undefined }),
      anyMarks,
      (number, decimals, marks) => {
        const value = number + 0;
        expect(readNumber(writeNumber(value, decimals, marks), marks)).toEqual({
          kind: "number",
          value,
        });
      },
    ),
  );
  fc.assert(
    fc.property(digits, anyMarks, (text, marks) => {
      const read = readNumber(text, marks);
      if (read.kind !== "unclear") return;
      for (const form of read.forms) {
        expect(readNumber(form, marks)).toEqual({ kind: "number", value: Number(form) });
      }
    }),
  );
});

const written = [1000, -1000, 1234.5, 1_000_000, 12_345_678.25];

test("what a reader's own locale writes is read as that number or refused", () => {
  for (const locale of locales) {
    for (const value of written) {
      const text = new Intl.NumberFormat(locale).format(value);
      const read = readNumber(text, marksOf(locale));
      if (read.kind === "number") expect(read.value, text).toBe(value);
      if (read.kind === "unclear") expect(read.forms.map(Number), text).toContain(value);
    }
  }
});

test("what any locale writes is read as that number or refused where fewer than three decimals fit", () => {
  const field: Field = { name: "price", type: "number", decimals: 2 };
  for (const text of locales.flatMap((locale) =>
    written.map((value) => new Intl.NumberFormat(locale).format(value)),
  )) {
    for (const marks of locales.map(marksOf)) {
      const read = fieldNumber(field, text, marks);
      if (read.kind === "value") expect(written, text).toContain(read.value);
    }
  }
});

describe("a field", () => {
  const price: Field = { name: "price", type: "number", decimals: 2, min: 0 };
  const stock: Field = { name: "stock", type: "number", integer: true };
  const weight: Field = { name: "weight", type: "number", decimals: 3 };
  test.each<[Field, string, string]>([
    [price, "1,000", "Must be a number with one meaning: write 1000 or 1"],
    // Only one of both fits.
    [price, "1,234", "Must be a number, written as 1234"],
    [price, "1.000", "Must be a number with one meaning: write 1000 or 1"],
    [price, "1.234", "At most 2 decimal places"],
    [stock, "1.000", "Must be a number with one meaning: write 1000 or 1"],
    [stock, "1,5", "Must be a whole number within ±(2^53−1)"],
    [stock, "many", "Must be a whole number"],
    [price, "many", "Must be a number"],
    [price, "1e999", "Must be a number"],
  ])("%j does not take %j", (field, text, message) => {
    expect(fieldNumber(field, text, english)).toEqual({ kind: "problem", message });
  });

  test("with three decimals takes them where points never group", () => {
    expect(fieldNumber(weight, "1.250", english)).toEqual({ kind: "value", value: 1.25 });
    expect(fieldNumber(weight, "1.250", german)).toMatchObject({ kind: "problem" });
    expect(fieldNumber(weight, "1.2500", german)).toEqual({ kind: "value", value: 1.25 });
  });

  test.each<[string, string, unknown]>([
    [",", "1000", 1000],
    [",", "1.25", 1.25],
    [";", "12,50", 12.5],
    [";", "1 000,50", 1000.5],
    ["\t", "12,50", 12.5],
    [",", "1,000", "Must be a number with one meaning: write 1000 or 1"],
    [";", "1,000", "Must be a number with one meaning: write 1000 or 1"],
    [";", "1.000", "Must be a number with one meaning: write 1000 or 1"],
    ["\t", "1,000", "Must be a number with one meaning: write 1000 or 1"],
    [",", "1.000", "Must be a number with one meaning: write 1000 or 1"],
    [";", "1.234,50", "Must be a number, written as 1234.5"],
  ])("of a file with %j between its cells that says %j", (delimiter, text, expected) => {
    expect(readCell(price, text, marksIn(delimiter))).toEqual(
      typeof expected === "number"
        ? { kind: "value", value: expected }
        : { kind: "problem", message: expected },
    );
  });

  test("is filtered by what was typed, and by lists with semicolons", () => {
    const read = (typed: string, operator: "gte" | "in") =>
      numberKind.filter?.typing?.read(price, typed, operator);
    expect(read(" +1000.50 ", "gte")).toEqual({ kind: "value", value: "1000.5" });
    expect(read("-5.125", "gte")).toMatchObject({ kind: "problem" });
    expect(read("1,000", "gte")).toEqual({
      kind: "problem",
      message: "Must be a number with one meaning: write 1000 or 1",
    });
    expect(read("1; 2.5, 1000", "in")).toEqual({ kind: "value", value: "1,2.5,1000" });
    for (const typed of ["1,000", "1; 2,000", "1 2", "1;x"]) {
      expect(read(typed, "in")).toMatchObject({ kind: "problem" });
    }
    expect(numberKind.filter?.typing?.write(price, "1,2.5,1000", "in")).toBe("1; 2.5; 1000");
  });

  test("is not given by an address whose numbers are pieces of one", () => {
    for (const piece of ["000", "1,000", "01"]) {
      expect(numberKind.filter?.accepts(price, piece, "in")).toBe(false);
    }
    for (const whole of ["0", "-1.50", "1000", "1e+21"]) {
      expect(numberKind.filter?.accepts(price, whole, "in")).toBe(true);
    }
  });
});
