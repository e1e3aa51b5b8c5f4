import { expect, test } from "vitest";
import type { FoundTable } from "../../../generator/adopt/catalogue/catalogue.js";
import { readChecks } from "../../../generator/adopt/model/column/checks.js";
import { isSecret } from "../../../generator/adopt/model/column/secrets.js";
import { decideType } from "../../../generator/adopt/model/column/types.js";

const lines = { texts: "lines", timezone: null } as const;

function plain(base: string) {
  return {
    declared: base,
    base,
    qualified: `pg_catalog.${base}`,
    isArray: false,
    domain: null,
    values: null,
  };
}

test.each([
  ["character varying(20)", { type: "string", maxLength: 20 }],
  ["character varying(20000)", { type: "text", maxLength: 20_000 }],
  ["character(3)", { type: "string", maxLength: 3 }],
  ["text", { type: "string" }],
  ["public.citext", { type: "string" }],
  ["smallint", { type: "number", integer: true, min: -32_768, max: 32_767 }],
  ["integer", { type: "number", integer: true, min: -2_147_483_648, max: 2_147_483_647 }],
  ["bigint", { type: "number", integer: true }],
  ["numeric(8,2)", { type: "number", decimals: 2, min: -999_999.99, max: 999_999.99 }],
  ["numeric(3,3)", { type: "number", decimals: 3, min: -0.999, max: 0.999 }],
  [
    "numeric(15,0)",
    { type: "number", decimals: 0, min: -999_999_999_999_999, max: 999_999_999_999_999 },
  ],
  ["real", { type: "number" }],
  ["double precision", { type: "number" }],
  ["boolean", { type: "boolean" }],
  ["date", { type: "date" }],
  ["timestamp with time zone", { type: "timestamp" }],
  ["timestamp(3) with time zone", { type: "timestamp" }],
  ["jsonb", { type: "json" }],
  ["json", { type: "json" }],
  [
    "uuid",
    {
      type: "string",
      maxLength: 36,
      pattern: "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
      patternHint: "Must be a UUID",
    },
  ],
])("%s becomes a field", (base, options) => {
  expect(decideType(plain(base), lines)).toEqual({ kind: "taken", options });
});

test("texts with longer values or several lines become texts", () => {
  expect(decideType(plain("text"), { ...lines, texts: "longer" })).toEqual({
    kind: "taken",
    options: { type: "text" },
  });
});

test.each([
  "numeric",
  "numeric(16,2)",
  "numeric(3,5)",
  "time without time zone",
  "interval",
  "money",
  "inet",
  "point",
])("%s is shown as text, and never written", (base) => {
  expect(decideType(plain(base), lines)).toMatchObject({ kind: "read-only" });
});

test("arrays become lists if lists have such elements", () => {
  const arrayOf = (base: string) =>
    decideType({ ...plain(base), declared: `${base}[]`, isArray: true }, lines);
  expect(arrayOf("smallint")).toEqual({
    kind: "taken",
    options: {
      ...{ type: "number", integer: true, min: -32_768, max: 32_767 },
      ...{ list: true, maxItems: 200 },
    },
  });
  expect(arrayOf("timestamp with time zone")).toMatchObject({ kind: "read-only" });
  expect(arrayOf("interval")).toMatchObject({
    kind: "read-only",
    why: "interval[] is an array of values that no list supports",
  });
});

test("times without a zone become timestamps of the zone that is named", () => {
  const type = plain("timestamp(6) without time zone");
  expect(decideType(type, lines)).toMatchObject({ kind: "unmanaged" });
  expect(decideType(type, { ...lines, timezone: "Europe/Oslo" })).toEqual({
    kind: "taken",
    options: { type: "timestamp", timezone: "Europe/Oslo" },
  });
});

test("enums with an empty value are shown as text", () => {
  expect(decideType({ ...plain("mood"), values: ["", "ok"] }, lines)).toMatchObject({
    kind: "read-only",
  });
});

test("an enum type becomes an enum", () => {
  expect(decideType({ ...plain("mood"), values: ["sad", "ok"] }, lines)).toEqual({
    kind: "taken",
    options: { type: "enum", values: ["sad", "ok"] },
  });
});

test.each(["bytea", "tsvector"])("%s is left alone", (base) => {
  expect(decideType(plain(base), lines)).toMatchObject({ kind: "unmanaged" });
});

function rulesOf(base: string, definition: string, name = "x"): unknown {
  const column = { number: 1, name, type: plain(base) };
  const check = { name: "c", kind: "check", columns: [1], definition, target: null };
  const table = { columns: [column], constraints: [check] } as unknown as FoundTable;
  const { rules, remarks } = readChecks(table);
  return rules.get(1) ?? remarks;
}

test.each([
  ["text", "CHECK ((x = ANY (ARRAY['a'::text, 'it''s'::text])))", { values: ["a", "it's"] }],
  [
    "character varying(5)",
    "CHECK (((x)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))",
    { values: ["a", "b"] },
  ],
  ["integer", "CHECK ((x > 0))", { min: 1 }],
  ["integer", "CHECK (((x >= 1) AND (x <= 5)))", { min: 1, max: 5 }],
  ["integer", "CHECK ((x >= '-5'::integer))", { min: -5 }],
  ["numeric(8,2)", "CHECK ((x >= (0)::numeric))", { min: 0 }],
  ["numeric(8,2)", "CHECK ((x <= 9.5))", { max: 9.5 }],
])("%s with %s has rules", (base, definition, rules) => {
  expect(rulesOf(base, definition)).toEqual(rules);
});

test("a check names its column in quotation marks where it must", () => {
  const definition = `CHECK (("State" = ANY (ARRAY['a'::text, 'b'::text])))`;
  expect(rulesOf("text", definition, "State")).toEqual({ values: ["a", "b"] });
  expect(rulesOf("text", definition, "state")).toMatchObject([{ kind: "check" }]);
});

test.each([
  ["numeric(8,2)", "CHECK ((x > (0)::numeric))"],
  ["integer", "CHECK ((x <> 5))"],
  ["integer", "CHECK (((x > 0) OR (x IS NULL)))"],
  ["text", "CHECK ((length(x) > 2))"],
  ["text", "CHECK ((x = ANY (ARRAY['a'::text, lower('B'::text)])))"],
  ["text", "CHECK ((x = ANY (ARRAY['a'::text, ''::text])))"],
])("%s with %s is judged by the database alone", (base, definition) => {
  const why = `only the database checks c: ${definition}`;
  expect(rulesOf(base, definition)).toEqual([
    { column: "x", kind: "check", taken: false, why, way: null },
  ]);
});

test.each([
  ["encrypted_password", true],
  ["resetToken", true],
  ["SALT", true],
  ["passenger", false],
  ["tokens", false],
  ["key", false],
])("%s is a secret: %s", (name, expected) => {
  expect(isSecret(name)).toBe(expected);
});
