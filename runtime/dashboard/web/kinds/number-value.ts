import { decimalProblem, integerProblem, rangeProblem } from "../../../values/rules.js";
import type { Field } from "../api/client/types.js";
import { enNumber } from "../text/en/number.js";
import { type NumberMarks, readNumber } from "../text/number-text.js";

/** A written number that a field takes, or what is wrong with it. */
export type NumberValue =
  | { readonly kind: "value"; readonly value: number }
  | { readonly kind: "problem"; readonly message: string };

/** The number for a record's field, by the field's own rules. */
export function fieldNumber(field: Field, text: string, marks: NumberMarks): NumberValue {
  const read = finite(readNumber(text, marks));
  if (read.kind === "number") {
    const message = ruleProblem(field, read.value);
    if (message !== null) return { kind: "problem", message };
  }
  const found = read.kind === "number" ? finite(readNumber(text, marksIn(field, marks))) : read;
  if (found.kind === "number") return { kind: "value", value: found.value };
  if (found.kind === "none") {
    return { kind: "problem", message: field.integer === true ? enNumber.whole : enNumber.none };
  }
  const fitting = found.forms.filter((form) => ruleProblem(field, Number(form)) === null);
  return unclear(fitting.length === 0 ? found.forms : fitting);
}

/** The number to compare a field with, which may be one that the field would not take. */
export function comparedNumber(field: Field, text: string, marks: NumberMarks): NumberValue {
  const read = finite(readNumber(text, marksIn(field, marks)));
  if (read.kind === "number") return { kind: "value", value: read.value };
  if (read.kind === "unclear") return unclear(read.forms);
  return { kind: "problem", message: enNumber.none };
}

/** Where a field has fewer than three decimals, a point before three digits is one between thousands to somebody. */
function marksIn({ integer, decimals }: Field, marks: NumberMarks): NumberMarks {
  const places = integer === true ? 0 : (decimals ?? Number.POSITIVE_INFINITY);
  return places < 3 ? { ...marks, hasGroupingPoints: true } : marks;
}

function finite(read: ReturnType<typeof readNumber>): ReturnType<typeof readNumber> {
  return read.kind === "number" && !Number.isFinite(read.value) ? { kind: "none" } : read;
}

function unclear(forms: readonly string[]): NumberValue {
  return { kind: "problem", message: enNumber.unclear(forms) };
}

function ruleProblem({ integer, decimals, min, max }: Field, value: number): string | null {
  const rules = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
  if (integer === true) return integerProblem(value, rules);
  if (decimals !== undefined) return decimalProblem(value, { ...rules, decimals });
  return rangeProblem(value, rules);
}
