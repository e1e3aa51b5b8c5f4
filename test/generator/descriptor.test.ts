import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";

const path = "resources/products.yaml";

function problemsOf(text: string) {
  return readDescriptors([{ path, text }]).problems.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );
}

test("finds yaml, yml and json in resources, sorted, and nothing else", async () => {
  const root = mkdtempSync(join(tmpdir(), "descriptors-"));
  mkdirSync(join(root, "resources/deeper"), { recursive: true });
  for (const name of ["b.yml", "a.json", "c.yaml", "README.md", ".hidden.yaml", "c.yaml~"]) {
    writeFileSync(join(root, "resources", name), `${name}\n`);
  }
  expect(findDescriptors(root)).toEqual([
    { path: "resources/a.json", text: "a.json\n" },
    { path: "resources/b.yml", text: "b.yml\n" },
    { path: "resources/c.yaml", text: "c.yaml\n" },
  ]);
  rmSync(root, { recursive: true });
});

test("finds no descriptor if their folder does not exist", async () => {
  expect(findDescriptors(join(tmpdir(), "no-such-app"))).toEqual([]);
});

test("reads JSON and YAML of one shape as the same descriptor", () => {
  const yaml = "label: Products\naccess: { write: [admin] }\nfields:\n  name: { type: string }\n";
  const json = `{\n\t"label": "Products", "access": { "write": ["admin"] },
    "fields": { "name": { "type": "string" } } }`;
  const [one, other] = [
    readDescriptors([{ path: "resources/products.yaml", text: yaml }]),
    readDescriptors([{ path: "resources/products.json", text: json }]),
  ].map(({ descriptors, problems }) => ({
    problems,
    descriptors: descriptors.map(({ source: _, ...rest }) => rest),
  }));
  expect(one).toEqual(other);
  expect(one?.problems).toEqual([]);
});

test("accepts a descriptor without fields", () => {
  expect(["fields: {}", "fields:", "label: Products"].flatMap(problemsOf)).toEqual([]);
});

test("accepts null, true and false as names of fields", () => {
  const text = "fields: { null: { type: date }, true: { type: date }, false: { type: date } }";
  const { descriptors, problems } = readDescriptors([{ path, text }]);
  expect(problems).toEqual([]);
  expect(descriptors[0]?.fields.map(({ name }) => name)).toEqual(["null", "true", "false"]);
});

test("accepts anchors and aliases", () => {
  const text = "fields:\n  name: &short { type: string, maxLength: 20 }\n  title: *short\n";
  const { descriptors, problems } = readDescriptors([{ path, text }]);
  expect(problems).toEqual([]);
  expect(descriptors[0]?.fields[1]?.options).toEqual({ type: "string", maxLength: 20 });
});

test("counts lines and columns with a byte order mark and CRLF line ends", () => {
  expect(problemsOf("\uFEFFlabl: x\r\nfields:\r\n  name: { type: strin }\r\n")).toEqual([
    '1:1 a descriptor has no key "labl"',
    '3:17 "strin" is not a field type',
  ]);
});

test("an endlessly nested text is refused quickly", () => {
  for (const opening of ["[", "{a: ", "- ", "? "]) {
    expect(problemsOf(opening.repeat(100_000))).toHaveLength(1);
  }
});

test("a descriptor that is too large without aliases is not reported as an abuse of aliases", () => {
  const fields = Array.from({ length: 120_000 }, (_, index) => `  f${index}:\n`);
  expect(readDescriptors([{ path, text: `fields:\n${fields.join("")}` }]).problems).toEqual([
    {
      file: path,
      line: 100_000,
      column: 3,
      message: "this descriptor has more than 100,000 values",
      hint: "split it into several resources that link to each other",
    },
  ]);
});

test("a resource with more fields than a table can have is refused", () => {
  const fields = Array.from({ length: 1001 }, (_, index) => `  f${index}: { type: date }\n`);
  expect(problemsOf(`fields:\n${fields.join("")}`)).toEqual([
    "1:1 a resource has at most 1000 fields, and this one has 1001",
  ]);
});

test("a type cannot name a property that every object has", () => {
  expect(problemsOf("fields: { a: { type: constructor }, b: { type: __proto__ } }")).toEqual([
    '1:22 "constructor" is not a field type',
    '1:48 "__proto__" is not a field type',
  ]);
});

test("refuses more fields than a table has room for", () => {
  const fields = Array.from({ length: 1001 }, (_, index) => `  f${index}: { type: date }\n`);
  expect(problemsOf(`fields:\n${fields.join("")}`)).toEqual([
    "1:1 a resource has at most 1000 fields, and this one has 1001",
  ]);
});

test("the order of the files changes nothing", () => {
  const files = ["a", "b", "c"].map((name) => ({ path: `resources/${name}.yaml`, text: "x: 1" }));
  expect(readDescriptors([...files].reverse())).toEqual(readDescriptors(files));
});
