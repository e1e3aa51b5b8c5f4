import { expect, test } from "vitest";
import { nearestWritten, pathKey } from "../../../../runtime/values/yaml/position.js";
import { readYaml } from "../../../../runtime/values/yaml/read.js";

function mistakesOf(text: string): readonly string[] {
  return readYaml(text).mistakes.map(({ line, column, kind }) => `${line}:${column} ${kind}`);
}

test("each value and its key have a place", () => {
  const { value, positions, mistakes } = readYaml("a: 1\nb:\n  - { c: x }\n  - y\n");
  expect(mistakes).toEqual([]);
  expect(value).toEqual({ a: 1, b: [{ c: "x" }, "y"] });
  const places = Object.fromEntries(
    [...positions].map(([path, { key, value: at }]) => [
      path,
      `${key.line}:${key.column} ${at.line}:${at.column}`,
    ]),
  );
  expect(places).toEqual({
    "[]": "1:1 1:1",
    '["a"]': "1:1 1:4",
    '["b"]': "2:1 3:3",
    '["b",0]': "3:5 3:5",
    '["b",0,"c"]': "3:7 3:10",
    '["b",1]': "4:5 4:5",
  });
});

test("a missing key has the place of its nearest ancestor", () => {
  const { positions } = readYaml("# settings\na:\n  b: 1\nempty:\n");
  const nearest = (path: readonly string[]) => nearestWritten(positions, path);
  expect(nearest(["a", "c", "d"])).toEqual({
    path: ["a"],
    written: { key: { line: 2, column: 1 }, value: { line: 3, column: 3 } },
  });
  expect(nearest(["z"])?.path).toEqual([]);
  expect(positions.get(pathKey(["empty"]))?.value).toEqual({ line: 4, column: 1 });
});

test.each([
  ["a: [\n", ["2:1 notation"]],
  ["a: 1\n---\nb: 2\n", ["2:1 second document"]],
  ["a: 1\na: 2\n", ["2:1 repeated key"]],
  ["{ a: b }: c\n", ["1:1 complex key"]],
  ["a: *b\n", ["1:4 no anchor"]],
  ["a: &a [*a]\n", ["1:8 endless alias"]],
  ["a: !x 1\n", ["1:4 notation"]],
])("%j is a mistake with its place", (text, mistakes) => {
  expect(mistakesOf(text)).toEqual(mistakes);
});

test("a part that cannot be read is the only mistake there, and its value is null", () => {
  expect(readYaml("a: *b\nc: [\n")).toMatchObject({
    value: null,
    mistakes: [{ code: "BAD_INDENT" }],
  });
  expect(readYaml("a: 1\na: 2\n").value).toEqual({ a: 1 });
  expect(readYaml("a: !x 1\n").value).toEqual({ a: "1" });
});

test("endless nesting and aliases are refused quickly", () => {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const entries = Array.from({ length: 9 }, () => (level === 0 ? "x" : `*a${level - 1}`));
    return `a${level}: &a${level} [${entries.join(", ")}]\n`;
  });
  expect(mistakesOf(levels.join(""))).toEqual(["6:10 too large"]);
  for (const opening of ["[", "{a: ", "- ", "? "]) {
    expect(mistakesOf(opening.repeat(100_000))).toEqual([expect.stringContaining("too deep")]);
  }
});

test("a byte order mark moves no place on, and counts in the offset", () => {
  const [mistake] = readYaml("\uFEFFa: @\n").mistakes;
  expect(mistake).toMatchObject({ kind: "notation", line: 1, column: 4, offset: 4 });
});
