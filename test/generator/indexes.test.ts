import { expect, test } from "vitest";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { buildSchema } from "../../generator/schema/tables/build.js";

/** The indexes that such a descriptor adds to those of its fields: `unique a, b` or `a desc`. */
function indexes(fields: string, lists: string): readonly string[] {
  const own = built(`fields: {${fields}}`);
  return built(`fields: {${fields}}\n${lists}`).filter((index) => !own.includes(index));
}

function built(text: string): readonly string[] {
  const { model, problems } = resolveModel(
    readDescriptors([{ path: "resources/things.yaml", text }]),
    [],
  );
  expect(problems).toEqual([]);
  const [table] = model === null ? [] : buildSchema(model).tables;
  return (table?.indexes ?? []).map(({ unique, keys }) => {
    const words = keys.map(({ column, order }) =>
      order === "asc" ? column : `${column} ${order}`,
    );
    return `${unique ? "unique " : ""}${words.join(", ")}`;
  });
}

const dates = ["a", "b", "c"].map((name) => `${name}: { type: date }`).join(", ");
const required = "a: { type: date, required: true }, b: { type: date, required: true }";

test("empty values are last in a descending index too", () => {
  expect(indexes(dates, "indexes: [[-a, b]]")).toEqual(["a desc nulls last, b"]);
  expect(indexes(required, "indexes: [[-a, b]]")).toEqual(["a desc, b"]);
  expect(indexes(dates, "indexes: [[-updatedAt]]")).toEqual(["updated_at desc"]);
});

test("an index that is a prefix of another one is omitted, in either order", () => {
  expect(indexes(dates, "indexes: [[a], [a, b]]")).toEqual(["a, b"]);
  expect(indexes(dates, "indexes: [[a, b], [a], [a, b, -c]]")).toEqual(["a, b, c desc nulls last"]);
  expect(indexes(dates, "unique: [[a, b]]\nindexes: [[a], [a, b], [b]]")).toEqual([
    "unique a, b",
    "b",
  ]);
});

test("an index that another one serves when read backwards is omitted", () => {
  expect(indexes(required, "indexes: [[-a, b], [a, -b]]")).toEqual(["a desc, b"]);
  expect(indexes(required, "indexes: [[-a], [a]]")).toEqual(["a desc"]);
  expect(indexes(dates, "indexes: [[-a], [a]]")).toEqual(["a desc nulls last", "a"]);
  expect(indexes(dates, "indexes: [[createdAt], [-createdAt]]")).toEqual([]);
});

test("lists of links, enums and booleans already have their index", () => {
  const fields = "to: { type: belongsTo, resource: things }, is: { type: boolean, required: true }";
  expect(indexes(fields, "indexes: [[to], [is, -createdAt], [-is, createdAt]]")).toEqual([]);
  expect(indexes(fields, "indexes: [[is, createdAt]]")).toEqual(["is, created_at"]);
});

test("a digest replaces the longest values that are too long for one key", () => {
  const fields = "a: { type: string, maxLength: 400 }, b: { type: string, maxLength: 250 }";
  expect(indexes(fields, "unique: [[a, b]]")).toEqual(["unique a, b"]);
  const longer = "a: { type: string, maxLength: 400 }, b: { type: string, maxLength: 251 }";
  expect(indexes(longer, "unique: [[b, a]]")).toEqual(["unique b, a digest"]);
  // An index finds no values by a digest that are to be sorted.
  expect(indexes(longer, "unique: [[a, b]]\nindexes: [[a]]")).toEqual(["unique a digest, b", "a"]);
  const text = "é".repeat(255);
  const values = ["a", "b", "c", "d", "e", "f"].map(
    (name) => `${name}: { type: enum, values: [${text}] }`,
  );
  expect(indexes(values.join(", "), "unique: [[a, b, c, d, e, f]]")).toEqual([
    "unique a digest, b, c, d, e, f",
  ]);
});
