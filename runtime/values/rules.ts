import { isEmail, isUrl } from "./addresses/email-and-url.js";
import { decimalDigits, exactDigits, isExact } from "./decimal.js";
import { isUnicode, nfc } from "./text.js";

export interface TextRules {
  /** Number of code points; below it, the maximum. */
  readonly minLength?: number;
  readonly maxLength: number;
  /** Whether leading and trailing white space is removed. Defaults to false. */
  readonly trim?: boolean;
}

export interface NumberRules {
  readonly min?: number;
  readonly max?: number;
}

/** The message if a required field has no value. */
export const valueRequired = "A value is required";

/** The text that is validated and stored. */
export function storedText(text: string, { trim = false }: Pick<TextRules, "trim">): string {
  return nfc(trim ? text.trim() : text);
}

// Each of these functions returns a message about a value, or null. The API and the forms share them.

export function lengthProblem(
  value: string,
  { minLength = 0, maxLength }: TextRules,
): string | null {
  if (!isUnicode(value)) return "Text must be Unicode without NUL characters";
  // Most texts are far from the limits: code points are counted only if UTF-16 units cannot decide.
  if (value.length > maxLength || value.length < minLength * 2) {
    const length = codePointsIn(value);
    if (length < minLength) {
      return minLength === 1 ? "Text may not be empty" : `At least ${minLength} characters`;
    }
    if (length > maxLength) return `At most ${maxLength} characters`;
  }
  return null;
}

/** Spreading into an array would take ten times the memory of a long text. */
function codePointsIn(value: string): number {
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

export function formatProblem(value: string, format: "email" | "url"): string | null {
  if (format === "email") return isEmail(value) ? null : "Must be an email address";
  return isUrl(value) ? null : "Must be an http or https address";
}

export function rangeProblem(value: number, { min, max }: NumberRules): string | null {
  if (min !== undefined && value < min) return `Must be at least ${min}`;
  if (max !== undefined && value > max) return `Must be at most ${max}`;
  return null;
}

export function integerProblem(value: number, rules: NumberRules): string | null {
  return Number.isSafeInteger(value)
    ? rangeProblem(value, rules)
    : "Must be a whole number within ±(2^53−1)";
}

export function decimalProblem(
  value: number,
  rules: NumberRules & { readonly decimals: number },
): string | null {
  const { decimals } = rules;
  const { places } = decimalDigits(value);
  if (places > decimals) {
    return decimals === 0 ? "Must have no decimal places" : `At most ${decimals} decimal places`;
  }
  if (!isExact(value)) return `At most ${exactDigits} significant digits`;
  return rangeProblem(value, rules);
}
