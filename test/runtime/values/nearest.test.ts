import { expect, test } from "vitest";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWords, oneLine } from "../../../runtime/values/text.js";

const options = ["required", "maxLength", "minLength", "min", "max", "default"];

test.each([
  ["maxlength", "maxLength"],
  ["max_length", "maxLength"],
  ["requierd", "required"],
  ["defualt", "default"],
  ["mn", "min"],
])("%s was probably meant to be %s", (word, meant) => {
  expect(didYouMean(word, options)).toBe(`did you mean "${meant}"?`);
});

test.each(["colour", "x", "", "constructor"])("%j is like nothing that exists", (word) => {
  expect(didYouMean(word, options)).toBeNull();
});

test("a list is written with commas and a final and", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listWords)).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});

test.each([
  ["  a\r\n\tb\u2028c\u0085\u001b[31m ", "a b c [31m"],
  ["a\u202eb\u2066c", "abc"],
  ["👩‍💻 é", "👩‍💻 é"],
  [`${"a".repeat(499)}👍`, `${"a".repeat(499)}👍`],
  [`${"a".repeat(500)}👍`, `${"a".repeat(500)}…`],
  ["\n".repeat(3_000), "…"],
  ["a\ud800", "a\ufffd"],
])("a text of another program is quoted on one line: %j", (text, line) => {
  expect(oneLine(text)).toBe(line);
});
