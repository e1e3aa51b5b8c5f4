import { expect, test } from "vitest";
import { withFieldLines } from "../../../generator/adopt/written/add-fields.js";

const lines = ["# rating: new", "rating: { type: number }"];

test("adds lines below the last field, with its indentation, and changes nothing else", () => {
  const text = `# mine
fields:
    name:   {type: string}   # a remark

    born: { type: date } # another
unique: [[name, born]]
`;
  expect(withFieldLines(text, lines)).toBe(`# mine
fields:
    name:   {type: string}   # a remark

    born: { type: date } # another
    # rating: new
    rating: { type: number }
unique: [[name, born]]
`);
});

test("adds lines below a field of several lines, and at the end of a file without a line break", () => {
  const text = "fields:\n  name:\n    type: string\n    required: true\nchanges: true\n";
  expect(withFieldLines(text, ["born: { type: date }"])).toBe(
    "fields:\n  name:\n    type: string\n    required: true\n  born: { type: date }\nchanges: true\n",
  );
  expect(withFieldLines("fields:\n  a: { type: date }", ["b: { type: date }"])).toBe(
    "fields:\n  a: { type: date }\n  b: { type: date }\n",
  );
});

test("fields that are not written line by line get none", () => {
  expect(withFieldLines("fields: { name: { type: string } }\n", lines)).toBeNull();
  expect(withFieldLines('{ "fields": { "name": { "type": "string" } } }', lines)).toBeNull();
  expect(withFieldLines("fields: {}\n", lines)).toBeNull();
  expect(withFieldLines("label: x\n", lines)).toBeNull();
});
