import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText } from "../../../runtime/values/text.js";

describe("a text without case and accents", () => {
  test.each([
    ["Café", "cafe"],
    ["Łódź", "lodz"],
    ["İstanbul", "istanbul"],
    ["DİYARBAKIR, Diyarbakır", "diyarbakir, diyarbakir"],
    ["Straße, GROẞ", "strasse, gross"],
    ["Ærø, Ǽ, Œuvre", "aero, ae, oeuvre"],
    ["Đoković, Ðað, Þór", "dokovic, dad, thor"],
    ["ΣΊΣΥΦΟΣ, Σίσυφος", "σισυφοσ, σισυφοσ"],
    ["Йод и ёлка", "йод и елка"],
    ["й\u0301 и\u0323\u0306 й\u0306", "й й й"],
    ["ў ѝ ї", "у и і"],
    ["Tiếng Việt", "tieng viet"],
    ["\u212b \u212a \u2126", "a k ω"],
    ["100% a_b\\c", "100% a_b\\c"],
    ["\u0301\u034f", ""],
    ["ﬁ Ⅳ １", "ﬁ ⅳ １"],
    ["", ""],
  ])("of %j is %j", (text, folded) => {
    expect(foldText(text.normalize("NFC"))).toBe(folded);
    expect(foldText(text.normalize("NFD"))).toBe(folded);
  });
});

test("й is found by neither и nor another letter, with or without accents", () => {
  expect(foldText("чай").includes(foldText("чаи"))).toBe(false);
  expect(foldText("чаи\u0301").includes(foldText("чай"))).toBe(false);
});

test("it is the same for both forms and both cases, and folding it again changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
      const folded = foldText(text);
      expect(foldText(text.normalize("NFC"))).toBe(folded);
      expect(foldText(text.normalize("NFD"))).toBe(folded);
      expect(foldText(text.toLowerCase())).toBe(folded);
      expect(foldText(folded)).toBe(folded);
    }),
  );
});

test("ASCII is folded as among other letters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", maxLength: 20 }), (text) => {
      expect(foldText(`${text}中`)).toBe(`${foldText(text)}中`);
    }),
  );
});
