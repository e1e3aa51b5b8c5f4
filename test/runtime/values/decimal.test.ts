import { expect, test } from "vitest";
import { roundTo } from "../../../runtime/values/decimal.js";

test.each([
  [0.1 + 0.2, 2, 0.3],
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [1.0049999, 2, 1],
  [-0.001, 2, 0],
  [2.5, 0, 3],
  [-2.5, 0, -3],
  [1e-7, 2, 0],
  [5e-7, 6, 0.000001],
  [999_999_999_999.995, 2, 1_000_000_000_000],
  [29.699999999999996, 2, 29.7],
  [12, 2, 12],
  [1e21, 2, 1e21],
  [Number.MAX_VALUE, 2, Number.MAX_VALUE],
  [Number.POSITIVE_INFINITY, 2, Number.POSITIVE_INFINITY],
])("%d with %d places is %d", (value, places, expected) => {
  expect(roundTo(value, places)).toBe(expected);
});

test("a rounded sum of prices equals that of their cents", () => {
  let sum = 0;
  for (let cents = 1; cents <= 2_000; cents += 1) sum = roundTo(sum + (cents * 7) / 100, 2);
  expect(sum).toBe((7 * 2_000 * 2_001) / 200);
});
