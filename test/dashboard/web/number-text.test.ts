import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { kindOf } from "../../../runtime/dashboard/web/kinds/kinds.js";
import { number as numberKind } from "../../../runtime/dashboard/web/kinds/number.js";
import { fieldNumber } from "../../../runtime/dashboard/web/kinds/value/number-value.js";
import { figures } from "../../../runtime/dashboard/web/text/figures.js";
import { numbersInFile, wayOf } from "../../../runtime/dashboard/web/text/file-numbers.js";
import { numbersIn } from "../../../runtime/dashboard/web/text/number-text.js";
import { ownNotation } from "../../../runtime/values/csv/notation.js";
import { languages } from "../support/locales.js";
import { expectSameNumbers } from "../support/same-numbers.js";

const english = numbersIn("en-US");
const german = numbersIn("de-DE");

test("for every language, a number printed in the list is read as the same number", () => {
  expectSameNumbers(
    languages(),
    [
      0, 7, -7, 999, 1000, -1000, 1234.5, 12_345.678, -12_345_678.25, 0.001, 123_456_789_012, 1e21,
      1e-7, 1.5e-300,
    ],
  );
});

test("any number is written so that it is read as the same, with at least the given decimals", () => {
  const tags = ["en-US", "de-DE", "fr-FR", "de-CH", "hi-IN", "ar-EG", "fa-IR", "bn", "es", "pl"];
  const anywhere = fc.constantFrom(...tags.map(numbersIn));
  const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  fc.assert(
    fc.property(numbers, fc.option(fc.nat(6)), anywhere, (number, decimals, { read, write }) => {
      const value = number + 0;
      expect(read(write(value, decimals ?? undefined))).toEqual({ kind: "number", value });
    }),
  );
});

test("each reading of an ambiguous text is written so that it is read correctly", () => {
  const text = fc.stringMatching(/^-?[\d.,' \u202f’]{1,12}(?:e\d)?$/);
  fc.assert(
    fc.property(text, fc.constantFrom(english, german), (typed, { read, write }) => {
      const found = read(typed);
      if (found.kind !== "unclear") return;
      for (const value of found.values) {
        expect(read(write(value))).toEqual({ kind: "number", value });
      }
    }),
  );
});

describe("a number that is well formed in the reader's language is read in it", () => {
  test.each<[string, string, number]>([
    ["en-US", "1000", 1000],
    ["en-US", "1,000", 1000],
    ["en-US", "1,234.50", 1234.5],
    ["en-US", "1.000", 1],
    ["en-US", "1.250", 1.25],
    ["en-US", "-7", -7],
    ["en-US", "\u22127", -7],
    ["en-US", "+7", 7],
    ["en-US", ".5", 0.5],
    ["en-US", "1.", 1],
    ["en-US", "1.5e-3", 0.0015],
    ["en-US", " 12 ", 12],
    ["en-US", "1 000", 1000],
    ["en-US", "1’234’567.5", 1_234_567.5],
    ["de-DE", "1.000", 1000],
    ["de-DE", "1.234,50", 1234.5],
    ["de-DE", "1,000", 1],
    ["de-DE", "12,5", 12.5],
    ["de-DE", "1\u202f000,5", 1000.5],
    ["fr-FR", "1\u202f234,5", 1234.5],
    ["fr-FR", "1 234,5", 1234.5],
    ["de-CH", "1'000.5", 1000.5],
    ["hi-IN", "12,34,567.5", 1_234_567.5],
    ["hi-IN", "1,234,567", 1_234_567],
    ["ar-EG", "١٬٢٣٤٫٥", 1234.5],
    ["ar-EG", "1,234.5", 1234.5],
    ["ar-EG", "\u061c-١٢", -12],
    ["fa-IR", "\u200e\u2212۱۲", -12],
  ])("%s: %j", (locale, text, value) => {
    expect(numbersIn(locale).read(text)).toEqual({ kind: "number", value });
  });
});

describe("a number that is well formed only in another notation is ambiguous, with all its readings", () => {
  test.each<[string, string, readonly number[]]>([
    ["en-US", "1.234,50", [1234.5, 1.2345]],
    ["en-US", "12,5", [12.5, 125]],
    ["en-US", "0,500", [0.5, 500]],
    ["en-US", "1,00,000", [100_000]],
    ["en-US", "-1.000,50", [-1000.5, -1.0005]],
    ["de-DE", "1,234.50", [1234.5, 1.2345]],
    ["de-DE", "12.5", [12.5, 125]],
    ["de-DE", "0.500", [0.5, 500]],
    ["fr-FR", "1.000", [1000, 1]],
    ["es", "1,234,567", [1_234_567]],
  ])("%s: %j", (locale, text, values) => {
    expect(numbersIn(locale).read(text)).toEqual({ kind: "unclear", values });
  });
});

test.each(["", " ", "-", ".", ",", "many", "1 2", "1,2,3", "١٢", "１２", "0x10", "1e999", "--1"])(
  "not a number: %j",
  (text) => {
    expect(english.read(text)).toEqual({ kind: "none" });
  },
);

describe("a field", () => {
  const price: Field = { name: "price", type: "number", decimals: 2, min: 0 };
  const stock: Field = { name: "stock", type: "number", integer: true };
  const refused = (message: string, ...choices: string[]) => ({
    kind: "problem",
    message,
    choices,
  });
  const two = "This number is ambiguous: write";

  test("refuses values outside of its rules, and offers only allowed readings", () => {
    expect(fieldNumber(price, "1.234", english)).toEqual(refused("At most 2 decimal places"));
    expect(fieldNumber(price, "1.234,50", english)).toEqual(
      refused("Must be a number, written as 1,234.5", "1,234.5"),
    );
    expect(fieldNumber(price, "12,5", english)).toEqual(
      refused(`${two} 12.5 or 125`, "12.5", "125"),
    );
    expect(fieldNumber(price, "12.5", german)).toEqual(
      refused(`${two} 12,5 or 125`, "12,5", "125"),
    );
    expect(fieldNumber(stock, "1.5", english)).toEqual(refused("Must be a whole number"));
    expect(fieldNumber(stock, "many", english)).toEqual(refused("Must be a whole number"));
    expect(fieldNumber(stock, "1,000", english)).toEqual({ kind: "value", value: 1000 });
  });

  test("is filtered by the typed number, and by lists with semicolons", () => {
    const read = (typed: string, operator: "gte" | "in") =>
      numberKind.filter?.typing?.read(price, typed, operator);
    expect(read(" +1000.50 ", "gte")).toEqual({ kind: "value", value: "1000.5" });
    expect(read("1,000", "gte")).toEqual({ kind: "value", value: "1000" });
    expect(read("1.000,5", "gte")).toMatchObject({ kind: "problem" });
    expect(read("1; 2.5, 1,000", "in")).toEqual({ kind: "value", value: "1,2.5,1000" });
    for (const typed of ["1 2", "1;x", "1; 12,5"]) {
      expect(read(typed, "in")).toMatchObject({ kind: "problem" });
    }
    expect(numberKind.filter?.typing?.write(price, "1,2.5,1000", "in")).toBe("1; 2.5; 1,000");
  });

  test("is not taken from an address whose numbers are parts of one", () => {
    for (const piece of ["000", "1,000", "01"]) {
      expect(numberKind.filter?.accepts(price, piece, "in")).toBe(false);
    }
    for (const whole of ["0", "-1.50", "1000", "1e+21"]) {
      expect(numberKind.filter?.accepts(price, whole, "in")).toBe(true);
    }
  });

  test.each<["point" | "comma" | null, string, unknown]>([
    ["point", "1,000", 1000],
    ["comma", "1,000", 1],
    ["comma", "1.234,50", 1234.5],
    ["point", "1.234,50", "Must be a number, written as 1234.5"],
    [null, "12,50", 12.5],
    [null, "12.50", 12.5],
    [null, "1,000", `${two} 1000 or 1`],
    [null, "many", "Must be a number as in JSON: 1234.5"],
  ])("of a file with a decimal %s and the text %j", (way, text, expected) => {
    expect(
      kindOf(price).readCell(price, text, { ...ownNotation, numbers: numbersInFile(way) }),
    ).toMatchObject(
      typeof expected === "number"
        ? { kind: "value", value: expected }
        : { kind: "problem", message: expected },
    );
  });

  test("is exported with a decimal point and no thousands separator", () => {
    expect(numberKind.print(price, 1234.5)).toBe("1234.50");
    expect(numberKind.print(stock, 1_000_000)).toBe("1000000");
  });
});

describe("the notation of a file's column", () => {
  test.each<[string, readonly string[], number, "point" | "comma" | null]>([
    ["is shown by one number", ["1", "1,000", "1,234.50"], 2, "point"],
    ["is shown by one number", ["1", "1.000", "12,5"], 2, "comma"],
    ["does not matter without marks", ["1", "20", ""], 2, "point"],
    ["is the one with no more decimals than fit", ["1,000", "2,500"], 2, "point"],
    ["is the one with no more decimals than fit", ["1.000"], 0, "comma"],
    ["is not known if both fit", ["1,000", "2.500"], 2, null],
    ["is not known if both fit", ["1,000"], 3, null],
    ["is not known if there are both", ["12,5", "12.5"], 2, null],
    ["is found beside texts that are not numbers", ["many", "12,5", "n/a"], 2, "comma"],
  ])("%s: %j", (_, cells, places, way) => {
    expect(wayOf(cells, places)).toBe(way);
  });
});

test("a number without a rule for its decimals has six figures, and more before the decimal sign", () => {
  const values = [0.1 + 0.2, 0, 12.5, -1234.56789, 1_234_567.89, 0.000123456789, 3, 1e21];
  const read = values.map((value) => english.read(figures(value)));
  const shown = [0.3, 0, 12.5, -1234.57, 1_234_568, 0.000123457, 3, 1e21];
  expect(read).toEqual(shown.map((value) => ({ kind: "number", value })));
});
