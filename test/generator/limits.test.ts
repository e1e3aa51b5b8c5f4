import { describe, expect, test } from "vitest";
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
    "1:1 a record with all 600 fields filled may need 14536 bytes in its row, but PostgreSQL has room for 8160",
  ]);
});

describe("at most 100 resources are deleted with a record", () => {
  const cascade = (to: string) =>
    `{ type: belongsTo, resource: ${to}, required: true, onDelete: cascade }`;
  const root = ["things", "name: { type: string }"] as const;
  const numbered = (many: number, fieldsOf: (at: number) => string) =>
    Array.from({ length: many }, (_, at) => [`n${at}`, fieldsOf(at)] as const);

  function cascadeProblems(resources: readonly (readonly [name: string, fields: string])[]) {
    const files = resources.map(([name, fields]) => {
      return { path: `resources/${name}.yaml`, text: `fields:\n  ${fields}\n` };
    });
    return resolveModel(readDescriptors(files), []).problems.map(
      ({ file, line, column, message }) => `${file}:${line}:${column} ${message}`,
    );
  }

  test.each([
    ["all linked to it", () => `upId: ${cascade("things")}`],
    [
      "each linked to the one before",
      (at: number) => `upId: ${cascade(at === 0 ? "things" : `n${at - 1}`)}`,
    ],
    [
      "linked to two of them",
      (at: number) =>
        `upId: ${cascade(at === 0 ? "things" : `n${at - 1}`)}\n  rootId: ${cascade("things")}`,
    ],
  ])("%s", (_, fieldsOf) => {
    expect(cascadeProblems([root, ...numbered(100, fieldsOf)])).toEqual([]);
    expect(cascadeProblems([root, ...numbered(101, fieldsOf)])).toEqual([
      'resources/n0.yaml:2:72 by "onDelete", deleting a record of "things" would delete records of 101 resources, and the limit is 100',
    ]);
  });

  test("at most 100 resources are deleted with an account", () => {
    const owned = () => `ownerId: ${cascade("users")}`;
    expect(cascadeProblems(numbered(100, owned))).toEqual([]);
    expect(cascadeProblems(numbered(101, owned))).toEqual([
      'resources/n0.yaml:2:74 by "onDelete", deleting a record of "users" would delete records of 101 resources, and the limit is 100',
    ]);
  });

  test("links that refuse or are cleared do not count", () => {
    const required = () => "upId: { type: belongsTo, resource: things, required: true }";
    const optional = () => "upId: { type: belongsTo, resource: things }";
    expect(cascadeProblems([root, ...numbered(200, required)])).toEqual([]);
    expect(cascadeProblems([root, ...numbered(200, optional)])).toEqual([]);
  });

  test("a cycle of such links is reported once", () => {
    const circle = numbered(150, (at) => `upId: ${cascade(`n${(at + 149) % 150}`)}`);
    expect(cascadeProblems(circle)).toEqual([
      expect.stringContaining("required links form a cycle"),
    ]);
  });
});
