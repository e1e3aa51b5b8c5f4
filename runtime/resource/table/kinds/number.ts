import { z } from "zod";
import {
  decimalProblem,
  integerProblem,
  type NumberRules,
  rangeProblem,
} from "../../../values/rules.js";
import { type Kind, kindDefaults, type ReadValue, reads } from "./kind.js";
import { doubleAddition, exactAddition } from "./value/addition.js";
import { expecting, refined } from "./value/schema.js";
import { doubleSum } from "./value/sum.js";

const pattern = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

// Parsed as in a body, so that PostgreSQL never gets more digits or larger exponents than a double has.
const asNumber: ReadValue = (text) =>
  pattern.test(text) && Number.isFinite(Number(text))
    ? { value: String(Number(text)) }
    : { problem: "Must be a number" };

const asInteger: ReadValue = (text) =>
  pattern.test(text) && isWhole(text)
    ? { value: String(Number(text)) }
    : { problem: "Must be a whole number" };

function isWhole(value: string): boolean {
  return Number.isSafeInteger(Number(value));
}

const anyNumber: Omit<Kind, "sqlType"> = {
  ...kindDefaults,
  ...reads(asNumber),
  json: "number",
  comparisons: "order",
  aggregations: () => ["total", "extreme"],
  addition: exactAddition,
  // Adopted columns may contain NaN and infinity, which JSON can represent only as strings.
  jsonText: (value) => `to_json(${value})::text`,
};

export const decimalKind: Kind = { ...anyNumber, sqlType: "numeric" };

export const doubleKind: Kind = {
  ...anyNumber,
  sqlType: "double precision",
  sum: doubleSum,
  addition: doubleAddition,
};

/** Operators may compare an integer with a fraction. */
export const integerKind: Kind = {
  ...anyNumber,
  sqlType: "bigint",
  // An adopted column may be a smallint, which could not be compared with larger numbers.
  cast: "::bigint",
  aggregations: () => ["total", "extreme", "value"],
  read: asInteger,
  canHold: isWhole,
  nearest(bound) {
    if (isWhole(bound.value)) return bound;
    const isAbove = bound.operator.startsWith(">");
    const number = Number(bound.value);
    const nearest = isAbove ? Math.ceil(number) : Math.floor(number);
    const value = String(Math.min(Math.max(nearest, -farthest), farthest));
    return { operator: isAbove ? ">=" : "<=", value };
  },
};

/** Smaller integers in adopted columns: no larger number equals them. */
export const int2Kind: Kind = { ...integerKind, canHold: isWithin(2 ** 15) };
export const int4Kind: Kind = { ...integerKind, canHold: isWithin(2 ** 31) };

function isWithin(end: number): Kind["canHold"] {
  return (operand) => isWhole(operand) && Number(operand) >= -end && Number(operand) < end;
}

const digits = /^-?\d{1,400}$/;

/** Whole numbers that fit a bigint but may not fit a JSON number. */
const asBigInteger =
  (otherwise: ReadValue): ReadValue =>
  (text, column) =>
    digits.test(text) ? { value: String(BigInt(text)) } : otherwise(text, column);

const leastBig = -(2n ** 63n);
const mostBig = 2n ** 63n - 1n;

function isBigInteger(operand: string): boolean {
  if (!digits.test(operand)) return false;
  const number = BigInt(operand);
  return number >= leastBig && number <= mostBig;
}

/** An adopted bigint column: values that a JSON number cannot represent exactly are returned as strings. */
export const bigIntegerKind: Kind = {
  ...integerKind,
  read: asBigInteger(asInteger),
  readOperand: asBigInteger(asNumber),
  showsText: true,
  canHold: isBigInteger,
  nearest({ operator, value }) {
    if (isBigInteger(value)) return { operator, value };
    const isAbove = operator.startsWith(">");
    const number = Number(value);
    const whole = Number.isFinite(number)
      ? BigInt(isAbove ? Math.ceil(number) : Math.floor(number))
      : BigInt(value);
    if (whole > mostBig) return { operator: isAbove ? ">" : "<=", value: String(mostBig) };
    if (whole < leastBig) return { operator: isAbove ? ">=" : "<", value: String(leastBig) };
    return { operator: isAbove ? ">=" : "<=", value: String(whole) };
  },
  shown: shownBigInteger,
  jsonText: (value) => `${shownBigInteger(value)}::text`,
};

function shownBigInteger(value: string): string {
  const isExact = `${value} between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`;
  return `case when ${isExact} then to_json(${value}) else to_json(${value}::text) end`;
}

/** An adopted column of four-byte floats, whose type refuses numbers outside its range. */
export const realKind: Kind = {
  ...doubleKind,
  cast: "::real",
  // Sums of four-byte floats lose digits and overflow; the text has the digits that the API returns.
  sum: { ...doubleSum, parts: (value, at) => doubleSum.parts(`${value}::text::float8`, at) },
  canHold: (operand) => isReal(Number(operand)),
  nearest(bound) {
    const number = Number(bound.value);
    if (isReal(number)) return bound;
    const isAbove = bound.operator.startsWith(">");
    const value = String(Math.sign(number) * (Math.abs(number) > 1 ? maxReal : 0));
    if (number > 0) return { operator: isAbove ? ">" : "<=", value };
    return { operator: isAbove ? ">=" : "<", value };
  },
};

/** The largest finite four-byte float. */
const maxReal = (2 - 2 ** -23) * 2 ** 127;

function isReal(number: number): boolean {
  const nearest = Math.fround(number);
  return Number.isFinite(nearest) && (nearest === 0) === (number === 0);
}

/** Larger than every value of an integer field. */
const farthest = 2 ** 53;

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

/** The decimal places of an exact decimal, which may be optional or have a default; null for other schemas. */
export function placesOf(schema: z.ZodType | undefined): number | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return placesOf(schema.def.innerType as z.ZodType);
  }
  return schema === undefined ? null : (decimalPlaces.get(schema) ?? null);
}
