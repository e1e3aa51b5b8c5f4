import { decimalDigits, exactDigits, isExact } from "../../../runtime/values/decimal.js";
import type { OptionProblem } from "../kind.js";

/** The options that affect the rules of a number field. */
interface NumberOptions {
  readonly default?: number | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly integer?: boolean | undefined;
  readonly decimals?: number | undefined;
}

/** `integer`: bigint within ±(2^53−1). `decimal`: exact. `double`: neither. */
export type Precision = "integer" | "decimal" | "double";

/** Finds conflicts between valid options of a number field. */
export function checkNumber(written: NumberOptions): readonly OptionProblem[] {
  return [
    ...checkExactness(written),
    ...checkDigits(written),
    ...checkBounds(written),
    ...checkDefault(written),
  ];
}

export function precisionOf(written: NumberOptions): Precision {
  if (written.integer === true) {
    return "integer";
  }
  return written.decimals === undefined ? "double" : "decimal";
}

function checkExactness(written: NumberOptions): readonly OptionProblem[] {
  if (written.integer !== true || written.decimals === undefined) {
    return [];
  }
  const message = `"decimals" cannot be combined with "integer"`;
  return [{ path: ["decimals"], message, hint: "keep one of them" }];
}

/** Finds limits and defaults that the field itself could not store exactly. */
function checkDigits(written: NumberOptions): readonly OptionProblem[] {
  return (["min", "max", "default"] as const).flatMap((option) => {
    const mistake = digitMistake(written[option], written);
    if (mistake === null) {
      return [];
    }
    const { message, hint } = mistake;
    return [{ path: [option], message: `"${option}" ${message}`, hint }];
  });
}

function digitMistake(
  value: number | undefined,
  written: NumberOptions,
): { message: string; hint: string } | null {
  const precision = precisionOf(written);
  if (value === undefined || precision === "double") {
    return null;
  }
  if (precision === "integer") {
    const message = "must be a whole number within ±9007199254740991";
    const hint = `write one such as 10, or leave "integer" out`;
    return Number.isSafeInteger(value) ? null : { message, hint };
  }
  const { decimals = 0 } = written;
  const { places } = decimalDigits(value);
  if (places > decimals) {
    const message = `has ${places} decimal places, more than "decimals" (${decimals})`;
    return { message, hint: `round it to ${decimals} decimal places, or raise "decimals"` };
  }
  const message = `has more than ${exactDigits} digits`;
  const hint = `write at most ${exactDigits}: a JSON number cannot hold more exactly`;
  return isExact(value) ? null : { message, hint };
}

function checkBounds({ min, max }: NumberOptions): readonly OptionProblem[] {
  if (min === undefined || max === undefined || min <= max) {
    return [];
  }
  const message = `"min" (${min}) is greater than "max" (${max})`;
  return [{ path: ["min"], message, hint: `swap them: { min: ${max}, max: ${min} }` }];
}

function checkDefault(written: NumberOptions): readonly OptionProblem[] {
  const { default: value, min, max } = written;
  if (value === undefined || (min !== undefined && max !== undefined && min > max)) {
    return [];
  }
  if (min !== undefined && value < min) {
    const message = `"default" (${value}) is less than "min" (${min})`;
    return [{ path: ["default"], message, hint: `write ${min} or more, or lower "min"` }];
  }
  if (max !== undefined && value > max) {
    const message = `"default" (${value}) is greater than "max" (${max})`;
    return [{ path: ["default"], message, hint: `write ${max} or less, or raise "max"` }];
  }
  return [];
}
