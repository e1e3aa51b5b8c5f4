import fc from "fast-check";
import { expect, test } from "vitest";
import { locales } from "../support/locales.js";
import { expectSameNumbers } from "../support/same-numbers.js";

test("for every locale of Intl, a number printed in the list is read as the same number", () => {
  const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  const values = fc.sample(numbers, 100).map((value) => value + 0);
  const all = locales();
  expect(all.length).toBeGreaterThan(500);
  expectSameNumbers(all, [0, 1000, -1234.5, 12_345_678.25, ...values]);
});
