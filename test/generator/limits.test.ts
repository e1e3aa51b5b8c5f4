import { expect, test } from "vitest";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";

function problemsOf(many: number, field: string) {
  const names = Array.from({ length: many }, (_, at) => `  f${at}: ${field}`);
  const text = `fields:\n${names.join("\n")}\n`;
  const read = readDescriptors([{ path: "resources/things.yaml", text }]);
  return resolveModel(read, []).problems.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );
}

test.each([
  "{ type: file }",
  "{ type: image }",
  "{ type: belongsTo, resource: users }",
  "{ type: date, unique: true }",
])("a resource has at most 150 fields such as %s, for the locks of their indexes", (field) => {
  expect(problemsOf(150, field)).toEqual([]);
  expect(problemsOf(151, field)).toEqual([
    "1:1 a resource has at most 150 fields that are unique, links, images or files, and this one has 151",
  ]);
});

test("990 numbers fit in a row, and six hundred texts do not", () => {
  expect(problemsOf(990, "{ type: number }")).toEqual([]);
  expect(problemsOf(600, "{ type: string, maxLength: 3 }")).toEqual([]);
  expect(problemsOf(600, "{ type: text }")).toEqual([
    "1:1 a record with all 600 fields filled may need 14536 bytes in its row, and PostgreSQL has room for 8160",
  ]);
});
