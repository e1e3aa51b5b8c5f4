import { RE2JS } from "re2js";
import { z } from "zod";
import {
  decimalProblem,
  formatProblem,
  integerProblem,
  lengthProblem,
  type NumberRules,
  rangeProblem,
  type TextRules,
  valueRequired,
} from "../../values/rules.js";
import { readDate, readTimestamp } from "../../values/time.js";
import { isUuid } from "../../values/uuid.js";

/** One schema for each field: what a body's value must be, and the value that is stored. */
export type Shape<Values> = { readonly [Key in keyof Values]: z.ZodType<Values[Key]> };

export interface StringRules extends TextRules {
  /** The pattern that the whole value must match; checked in linear time. */
  readonly pattern?: string;
  readonly format?: "email" | "url";
}
/** The error message of a schema; a missing value or null has its own. */
function expecting(expected: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined || input === null ? valueRequired : expected,
  };
}

/** A check that returns what is wrong, or null. */
function refined<T>(schema: z.ZodType<T>, check: (value: T) => string | null): z.ZodType<T> {
  return schema.superRefine((value, context) => {
    const message = check(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
}

/** Short text: sortable, filterable, searched by `q`. */
export function string(rules: StringRules): z.ZodType<string> {
  const matches = rules.pattern === undefined ? null : compilePattern(rules.pattern);
  return refined(z.string(expecting("Must be text")), (value) => {
    const problem = lengthProblem(value, rules);
    if (problem !== null) return problem;
    if (matches !== null && !matches(value)) return `Must match ${rules.pattern}`;
    return rules.format === undefined ? null : formatProblem(value, rules.format);
  });
}

/** Short text as in `string`, or null; an empty text is stored as null. */
export function optionalString(rules: StringRules): z.ZodType<string | null> {
  return emptyAsNull(string(rules));
}

/** Long text. */
export function text(rules: TextRules): z.ZodType<string> {
  return refined(z.string(expecting("Must be text")), (value) => lengthProblem(value, rules));
}

/** Long text as in `text`, or null; an empty text is stored as null. */
export function optionalText(rules: TextRules): z.ZodType<string | null> {
  return emptyAsNull(text(rules));
}

function emptyAsNull(schema: z.ZodType<string>): z.ZodType<string | null> {
  return z
    .unknown()
    .transform((value) => (value === "" ? null : value))
    .pipe(schema.nullable());
}

/** Any finite number. */
export function number(rules: NumberRules = {}): z.ZodType<number> {
  return refined(z.number(expecting("Must be a number")), (value) => rangeProblem(value, rules));
}

/** A whole number within ±(2^53 − 1), where JSON numbers are exact. */
export function integer(rules: NumberRules = {}): z.ZodType<number> {
  return refined(z.number(expecting("Must be a whole number")), (value) =>
    integerProblem(value, rules),
  );
}

/** An exact decimal with at most `decimals` places and 15 significant digits. */
export function decimal(rules: NumberRules & { readonly decimals: number }): z.ZodType<number> {
  const number = z.number(expecting("Must be a number"));
  const schema = refined(number, (value) => decimalProblem(value, rules));
  decimalPlaces.set(schema, rules.decimals);
  return schema;
}

const decimalPlaces = new WeakMap<z.ZodType, number>();

/** The places of an exact decimal, which may be optional or have a default; null for any other schema. */
export function placesOf(schema: z.ZodType | undefined): number | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return placesOf(schema.def.innerType as z.ZodType);
  }
  return schema === undefined ? null : (decimalPlaces.get(schema) ?? null);
}

/** `true` or `false`. */
export function boolean(): z.ZodType<boolean> {
  return z.boolean(expecting("Must be true or false"));
}

/** One of the given values. */
export function enumeration<const Value extends string>(
  values: readonly [Value, ...Value[]],
): z.ZodType<Value> {
  return z.literal([...values], expecting(`Must be one of: ${values.join(", ")}`));
}

/** `YYYY-MM-DD`, 0001-01-01 to 9999-12-31. */
export function date(): z.ZodType<string> {
  return refined(z.string(expecting("Must be a date: YYYY-MM-DD")), (value) =>
    readDate(value) === null ? "Must be a date: YYYY-MM-DD" : null,
  );
}

const timestampExpected = "Must be a time as in RFC 3339: 2026-01-31T12:00:00Z";

/** An RFC 3339 time with `Z` or an offset; converted to UTC and truncated to milliseconds. */
export function timestamp(): z.ZodType<string> {
  return z.string(expecting(timestampExpected)).transform((value, context) => {
    const read = readTimestamp(value);
    if (read !== null) return read;
    context.addIssue({ code: "custom", message: timestampExpected });
    return z.NEVER;
  });
}

/** The id of a record of another resource; whether it exists is checked when it is stored. */
export function reference(): z.ZodType<string> {
  return refined(z.string(expecting("Must be the id of a record")), (value) =>
    isUuid(value) ? null : "Must be the id of a record",
  ).transform((value) => value.toLowerCase());
}

/** The key of a stored upload; whether it was uploaded to this field is checked when it is stored. */
export function fileKey(): z.ZodType<string> {
  return text({ minLength: 1, maxLength: 1000 });
}

/** Returns a test for a whole value that takes time linear in its length, whatever the pattern. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (value) => compiled.matches(value);
}
