import { cellWords } from "../../../../values/files/cell-words.js";
import { decimalProblem, integerProblem, rangeProblem } from "../../../../values/rules.js";
import type { Field } from "../../api/client/types.js";
import { enNumber } from "../../text/en/kinds.js";
import type { NumberText } from "../../text/number-text.js";

/** A number that a field accepts, or the problem of the text. */
export type NumberValue =
  | { readonly kind: "value"; readonly value: number }
  | {
      readonly kind: "problem";
      readonly message: string;
      /** An unambiguous spelling of each possible meaning. */
      readonly choices: readonly string[];
    };

/** Parses a number for a record's field and checks it by the field's rules. */
export function fieldNumber(field: Field, text: string, numbers: NumberText): NumberValue {
  const read = numbers.read(text);
  if (read.kind === "none") {
    return problem(field.integer === true ? enNumber.whole : enNumber.none);
  }
  if (read.kind === "number") {
    const message = ruleProblem(field, read.value);
    return message === null ? { kind: "value", value: read.value } : problem(message);
  }
  const fitting = read.values.filter((value) => ruleProblem(field, value) === null);
  return unclear(fitting.length === 0 ? read.values : fitting, numbers);
}

/** Parses the number in a file's cell; problems are worded as by `service import`. */
export function cellNumber(field: Field, text: string, numbers: NumberText): NumberValue {
  const read = numbers.read(text);
  if (read.kind === "none") return problem(cellWords.number);
  if (read.kind === "number" && field.integer === true) {
    const message = integerProblem(read.value, boundsOf(field));
    return message === null ? { kind: "value", value: read.value } : problem(message);
  }
  return fieldNumber(field, text, numbers);
}

/** Parses a number to compare a field with; the field itself may not accept it. */
export function comparedNumber(text: string, numbers: NumberText): NumberValue {
  const read = numbers.read(text);
  if (read.kind === "number") return { kind: "value", value: read.value };
  return read.kind === "unclear" ? unclear(read.values, numbers) : problem(enNumber.none);
}

/** If `max - min` is at most this, every value counts as near both limits. */
const few = 10;
/** A value is near a limit if it differs from it by at most this fraction of the limit. */
const nearShare = 0.1;

export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The limits that a value is near or beyond. */
export function nearBounds({ min, max }: Bounds, value: number | null): Bounds {
  if (min !== undefined && max !== undefined && max - min <= few) return { min, max };
  if (value === null) return {};
  const isLow = min !== undefined && value <= min + Math.abs(min) * nearShare;
  const isHigh = max !== undefined && value >= max - Math.abs(max) * nearShare;
  return { min: isLow ? min : undefined, max: isHigh ? max : undefined };
}

function unclear(values: readonly number[], { write }: NumberText): NumberValue {
  const choices = values.map((value) => write(value));
  return { kind: "problem", message: enNumber.unclear(choices), choices };
}

function problem(message: string): NumberValue {
  return { kind: "problem", message, choices: [] };
}

function boundsOf({ min, max }: Field) {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function ruleProblem(field: Field, value: number): string | null {
  const { integer, decimals } = field;
  const rules = boundsOf(field);
  if (integer === true) {
    if (!Number.isInteger(value)) return enNumber.whole;
    return Number.isSafeInteger(value) ? rangeProblem(value, rules) : enNumber.tooLarge;
  }
  if (decimals !== undefined) return decimalProblem(value, { ...rules, decimals });
  return rangeProblem(value, rules);
}
