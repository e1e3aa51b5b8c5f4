import fc from "fast-check";
import { expect, test } from "vitest";
import { nfc } from "../../../runtime/values/text.js";

const text = fc.string({ unit: "binary", maxLength: 20 });
const isKept = /[\uf900-\ufaff\u{2f800}-\u{2fa1f}]/u;

test("without compatibility ideographs it is NFC", () => {
  fc.assert(
    fc.property(text, (one) => {
      fc.pre(!isKept.test(one));
      expect(nfc(one)).toBe(one.normalize("NFC"));
    }),
  );
});

test("compatibility ideographs stay, and characters beside them are in NFC", () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.constantFrom("\uf900", "\ufa19", "\u{2f81a}"),
      (one, other, kept) => {
        expect(nfc(one + kept + other)).toBe(nfc(one) + kept + nfc(other));
      },
    ),
  );
});

test("a text in that form stays unchanged", () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(nfc(nfc(one))).toBe(nfc(one));
    }),
  );
});
