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

// Parsed as in a body, so that PostgreSQL never gets digits or exponents beyond a double's.
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
  jsonText: (value) => `${value}::text`,
};

export const decimalKind: Kind = { ...anyNumber, sqlType: "numeric" };

export const doubleKind: Kind = {
  ...anyNumber,
  sqlType: "double precision",
  sum: doubleSum,
  addition: doubleAddition,
};

/** An operator may compare an integer with a fraction. */
export const integerKind: Kind = {
  ...anyNumber,
  sqlType: "bigint",
  // An adopted column may be a smallint, whose values no larger number could be compared with.
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

/** Beyond every value of an integer field. */
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

/** The places of an exact decimal, which may be optional or have a default; null for any other schema. */
export function placesOf(schema: z.ZodType | undefined): number | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return placesOf(schema.def.innerType as z.ZodType);
  }
  return schema === undefined ? null : (decimalPlaces.get(schema) ?? null);
}
