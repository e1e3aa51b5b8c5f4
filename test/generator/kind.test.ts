import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { type Field, kindOf, kinds } from "../../generator/kind/kinds.js";
import { resolveModel } from "../../generator/resolve/resolve.js";
import { checkCondition } from "../../runtime/values/schema/check.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The field that a descriptor with these options makes. */
function fieldOf(options: string): Field {
  const text = `fields:\n  it: ${options}\n`;
  const { model, problems } = resolveModel(
    readDescriptors([{ path: "resources/things.yaml", text }]),
    [],
  );
  expect(problems).toEqual([]);
  const field = model?.resources[0]?.fields[0];
  if (field === undefined) {
    throw new Error("the descriptor made no field");
  }
  return field;
}

function expressionsOf(options: string) {
  const field = fieldOf(options);
  const kind = kindOf(field);
  const { type, check } = kind.sql(field);
  const sql = check === null ? [] : [`${check.rule}: ${checkCondition("it", check)}`];
  return [kind.typescript(field), kind.validation(field), type, ...sql];
}

const collated = 'text collate "und-x-icu"';
const cases: [string, unknown[]][] = [
  [
    "{ type: string }",
    [
      { name: "string" },
      { validator: "optionalString", argument: { maxLength: 255 }, takesNull: true },
      collated,
      "length: char_length(it) <= 255",
    ],
  ],
  [
    '{ type: string, required: true, maxLength: 9, pattern: "a+", format: email }',
    [
      { name: "string" },
      {
        validator: "string",
        argument: { minLength: 1, maxLength: 9, pattern: "a+", format: "email" },
        takesNull: false,
      },
      collated,
      "length: char_length(it) between 1 and 9",
    ],
  ],
  [
    "{ type: text, minLength: 3 }",
    [
      { name: "string" },
      {
        validator: "optionalText",
        argument: { minLength: 3, maxLength: 100_000 },
        takesNull: true,
      },
      collated,
      "length: char_length(it) between 3 and 100000",
    ],
  ],
  [
    "{ type: number }",
    [
      { name: "number" },
      { validator: "number", argument: null },
      "double precision",
      "range: it > '-Infinity' and it < 'Infinity'",
    ],
  ],
  [
    "{ type: number, min: -1.5 }",
    [
      { name: "number" },
      { validator: "number", argument: { min: -1.5 } },
      "double precision",
      "range: it >= -1.5 and it < 'Infinity'",
    ],
  ],
  [
    "{ type: number, integer: true, max: 5 }",
    [
      { name: "number" },
      { validator: "integer", argument: { max: 5 } },
      "bigint",
      "range: it between -9007199254740991 and 5",
    ],
  ],
  [
    "{ type: number, decimals: 2, min: 0 }",
    [
      { name: "number" },
      { validator: "decimal", argument: { decimals: 2, min: 0 } },
      "numeric(17, 2)",
      "range: it >= 0 and it <> 'NaN'",
    ],
  ],
  [
    "{ type: number, decimals: 0, max: 9 }",
    [
      { name: "number" },
      { validator: "decimal", argument: { decimals: 0, max: 9 } },
      "numeric(15, 0)",
      "range: it <= 9",
    ],
  ],
  ["{ type: boolean }", [{ name: "boolean" }, { validator: "boolean", argument: null }, "boolean"]],
  [
    `{ type: enum, values: ["it's", 'a\\b'] }`,
    [
      { union: ["it's", "a\\b"] },
      { validator: "enumeration", argument: ["it's", "a\\b"] },
      "text",
      "values: it in (E'a\\\\b', 'it''s')",
    ],
  ],
  [
    "{ type: date }",
    [
      { name: "string" },
      { validator: "date", argument: null },
      "date",
      "range: it between '0001-01-01' and '9999-12-31'",
    ],
  ],
  [
    "{ type: timestamp }",
    [
      { name: "string" },
      { validator: "timestamp", argument: null },
      "timestamptz(3)",
      "range: it between '0001-01-01T00:00:00.000Z' and '9999-12-31T23:59:59.999Z'",
    ],
  ],
  [
    "{ type: belongsTo, resource: users }",
    [{ name: "string" }, { validator: "reference", argument: null }, "uuid"],
  ],
  ["{ type: image }", [{ name: "string" }, { validator: "fileKey", argument: null }, "text"]],
  ["{ type: file }", [{ name: "string" }, { validator: "fileKey", argument: null }, "text"]],
];

test.each(cases)("%s becomes these expressions", (options, expected) => {
  expect(expressionsOf(options)).toEqual(expected);
});

test.each(cases)("PostgreSQL accepts the column of %s", async (options) => {
  const field = fieldOf(options);
  const { type, check } = kindOf(field).sql(field);
  const rules = check === null ? "" : ` check (${checkCondition("it", check)})`;
  await client.query(`create temporary table things (it ${type}${rules})`);
  await client.query("insert into things values (null)");
  await client.query("drop table things");
});

test.each([
  ["{ type: number }", ["1e308", "-1e308"], ["'NaN'", "'Infinity'", "'-Infinity'"]],
  ["{ type: number, max: 5 }", ["5"], ["5.1", "'NaN'", "'-Infinity'"]],
  ["{ type: number, decimals: 2 }", ["-1.25"], ["'NaN'", "'Infinity'"]],
  ["{ type: number, decimals: 2, max: 5 }", ["5"], ["'NaN'", "5.01"]],
  ["{ type: number, decimals: 15 }", ["0.000000000000001"], ["'NaN'"]],
  ["{ type: number, integer: true }", ["9007199254740991"], ["9007199254740992"]],
  ["{ type: string, maxLength: 2 }", ["'🎉🎉'", "''"], ["'🎉🎉🎉'"]],
  ["{ type: enum, values: [a, 'b\\c'] }", ["E'b\\\\c'"], ["'A'", "''"]],
  ["{ type: date }", ["'0001-01-01'", "'9999-12-31'"], ["'infinity'", "'0001-12-31 BC'"]],
  [
    "{ type: timestamp }",
    ["'9999-12-31T23:59:59.999Z'", "'0001-01-01T00:00:00Z'"],
    ["'infinity'", "'10000-01-01T00:00:00Z'"],
  ],
])("PostgreSQL enforces the rules of %s", async (options, good, bad) => {
  const field = fieldOf(options);
  const { type, check } = kindOf(field).sql(field);
  const rules = check === null ? "" : ` check (${checkCondition("it", check)})`;
  await client.query(`create temporary table things (it ${type}${rules})`);
  for (const value of good) {
    await client.query(`insert into things values (${value})`);
  }
  for (const value of bad) {
    await expect(client.query(`insert into things values (${value})`)).rejects.toThrow(
      /violates check constraint|out of range|overflow/,
    );
  }
  await client.query("drop table things");
});

test("every option is found in the field", () => {
  const access = { read: "signed-in", write: "signed-in" };
  const words = { label: null, description: null, help: null, placeholder: null };
  const common = {
    name: "it",
    column: "it",
    ...words,
    was: null,
    access,
    readOnly: false,
    columnDefault: false,
    computed: null,
    list: null,
  };
  expect(
    fieldOf(
      '{ type: string, required: true, unique: true, default: abc, minLength: 2, maxLength: 5, pattern: "[a-c]+", trim: true, label: It, description: What it is, was: former, access: { write: [admin] } }',
    ),
  ).toEqual({
    ...common,
    kind: "string",
    anyCase: false,
    label: "It",
    description: "What it is",
    was: "former",
    access: { ...access, write: ["admin"] },
    required: true,
    unique: true,
    default: "abc",
    minLength: 2,
    maxLength: 5,
    pattern: "[a-c]+",
    patternHint: null,
    format: null,
    trim: true,
  });
  expect(
    fieldOf("{ type: number, integer: true, default: 0, min: 0, max: 9, unique: true }"),
  ).toEqual({
    ...common,
    kind: "number",
    required: false,
    unique: true,
    default: 0,
    min: 0,
    max: 9,
    precision: "integer",
    decimals: 0,
  });
  expect(fieldOf("{ type: image, profile: product, required: true }")).toEqual({
    ...common,
    kind: "image",
    required: true,
    profile: "product",
    isPrivate: false,
    alt: null,
  });
  expect(fieldOf("{ type: file, accept: [application/pdf, image/*] }")).toEqual({
    ...common,
    kind: "file",
    required: false,
    accept: ["application/pdf", "image/*"],
    isPrivate: false,
  });
  expect(fieldOf("{ type: file, accept: any }")).toMatchObject({ accept: "any" });
});

test.each([
  ["2024-02-29T23:59:59.9999+01:00", "2024-02-29T22:59:59.999Z"],
  ["0001-01-01T00:00:00z", "0001-01-01T00:00:00.000Z"],
  ["2024-01-01T00:00:00.5-00:30", "2024-01-01T00:30:00.500Z"],
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999Z"],
])("a timestamp's default %s is kept as %s", (written, kept) => {
  expect(fieldOf(`{ type: timestamp, default: "${written}" }`)).toMatchObject({ default: kept });
});

test.each([
  "2024-01-01",
  "2024-01-01T00:00:00",
  "2024-01-01 00:00:00Z",
  "2023-02-29T00:00:00Z",
  "2024-01-01T24:00:00Z",
  "2024-01-01T23:59:61Z",
  "0001-01-01T00:00:00+01:00",
  "9999-12-31T23:30:00-01:00",
  "0000-01-01T00:00:00Z",
  "2024-01-01T00:00:00.0123456789Z",
])("refuses %s as a timestamp's default", (written) => {
  const text = `fields: { it: { type: timestamp, default: "${written}" } }`;
  expect(readDescriptors([{ path: "resources/things.yaml", text }]).problems).toHaveLength(1);
});

test("an empty default of an optional text counts as none", () => {
  expect(fieldOf('{ type: string, default: "", minLength: 2 }')).toMatchObject({ default: null });
});

test("every kind's example is a valid field", () => {
  for (const { example } of kinds) {
    const text = `fields: { it: ${example} }`;
    expect(readDescriptors([{ path: "resources/things.yaml", text }]).problems).toEqual([]);
  }
});

test("every malformed option has a hint that says what to write", () => {
  for (const { options } of kinds) {
    for (const [name, schema] of Object.entries(options.shape)) {
      const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
      // A field whose type is no text has no kind yet.
      const hint = name === "type" ? "-" : z.globalRegistry.get(inner)?.hint;
      expect(hint, name).toBeTruthy();
    }
  }
});
