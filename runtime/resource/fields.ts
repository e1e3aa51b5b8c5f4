import { RE2JS } from "re2js";
import { z } from "zod";
import { decimalDigits, exactDigits, isExact } from "../values/decimal.js";
import { isEmail, isUrl } from "../values/formats.js";
import { isUnicode } from "../values/text.js";
import { readDate, readTimestamp } from "../values/time.js";
import { isUuid } from "../values/uuid.js";

/** One schema for each field: what a body's value must be, and the value that is stored. */
export type Shape<Values> = { readonly [Key in keyof Values]: z.ZodType<Values[Key]> };

export interface TextRules {
  /** Code points. */
  readonly minLength?: number;
  readonly maxLength: number;
}
export interface StringRules extends TextRules {
  /** The whole value must match; checked in linear time. */
  readonly pattern?: string;
  readonly format?: "email" | "url";
}
export interface NumberRules {
  readonly min?: number;
  readonly max?: number;
}

/** The error message of a schema; a missing value or null has its own. */
function expecting(expected: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined || input === null ? "A value is required" : expected,
  };
}

/** A check that returns what is wrong, or null. */
function refined<T>(schema: z.ZodType<T>, check: (value: T) => string | null): z.ZodType<T> {
  return schema.superRefine((value, context) => {
    const message = check(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
}

function lengthProblem(value: string, { minLength = 0, maxLength }: TextRules): string | null {
  if (!isUnicode(value)) return "Text must be Unicode without NUL characters";
  // Most texts are far from the limits: count code points only where UTF-16 units cannot decide.
  if (value.length > maxLength || value.length < minLength * 2) {
    const length = [...value].length;
    if (length < minLength) {
      return minLength === 1 ? "Text may not be empty" : `At least ${minLength} characters`;
    }
    if (length > maxLength) return `At most ${maxLength} characters`;
  }
  return null;
}

function formatProblem(value: string, format: "email" | "url"): string | null {
  if (format === "email") return isEmail(value) ? null : "Must be an email address";
  return isUrl(value) ? null : "Must be an http or https address";
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

function rangeProblem(value: number, { min, max }: NumberRules): string | null {
  if (min !== undefined && value < min) return `Must be at least ${min}`;
  if (max !== undefined && value > max) return `Must be at most ${max}`;
  return null;
}

/** Any finite number. */
export function number(rules: NumberRules = {}): z.ZodType<number> {
  return refined(z.number(expecting("Must be a number")), (value) => rangeProblem(value, rules));
}

/** A whole number within ±(2^53 − 1), where JSON numbers are exact. */
export function integer(rules: NumberRules = {}): z.ZodType<number> {
  return refined(z.number(expecting("Must be a whole number")), (value) =>
    Number.isSafeInteger(value)
      ? rangeProblem(value, rules)
      : "Must be a whole number within ±(2^53−1)",
  );
}

/** An exact decimal with at most `decimals` places and 15 significant digits. */
export function decimal(rules: NumberRules & { readonly decimals: number }): z.ZodType<number> {
  const { decimals } = rules;
  return refined(z.number(expecting("Must be a number")), (value) => {
    const { places } = decimalDigits(value);
    if (places > decimals) {
      return decimals === 0 ? "Must have no decimal places" : `At most ${decimals} decimal places`;
    }
    if (!isExact(value)) {
      return `At most ${exactDigits} significant digits`;
    }
    return rangeProblem(value, rules);
  });
}

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

/** Makes a test for a whole value, which takes time linear in its length whatever the expression. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (value) => compiled.matches(value);
}
