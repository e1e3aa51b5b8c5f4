import { storedText } from "../../../runtime/values/rules.js";
import type { Check } from "../../../runtime/values/schema/check.js";
import type { CommonField } from "../field.js";
import type { OptionProblem, Schema } from "../kind.js";

/** Options common to string and text fields. */
export interface LengthOptions {
  readonly required?: boolean | undefined;
  readonly default?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly trim?: boolean | undefined;
}

/** Limits in code points. */
export interface Lengths {
  readonly minLength: number;
  readonly maxLength: number;
  /** Set in an adopted table, where an empty string is a value, even of an optional field. */
  readonly keepsEmpty?: true;
}

/** Returns a field for an adopted table, where only a `minLength` above 1 rejects an empty string. */
export function keepingEmpty<F extends Lengths>(field: F): F {
  return { ...field, minLength: field.minLength === 1 ? 0 : field.minLength, keepsEmpty: true };
}

export interface TextOptions extends Lengths {
  /** Whether leading and trailing white space is removed. */
  readonly trim: boolean;
}

/** Returns the effective limits: a required string is never empty. */
export function lengthsOf(options: LengthOptions, defaultMaxLength: number): Lengths {
  const least = options.required === true ? 1 : 0;
  return {
    minLength: Math.max(least, options.minLength ?? 0),
    maxLength: options.maxLength ?? defaultMaxLength,
  };
}

/** Returns the default as it is stored; null for "", which an optional field stores as null. */
export function defaultOf(options: LengthOptions): string | null {
  return writtenDefault(options) || null;
}

function writtenDefault({ default: text, trim = false }: LengthOptions): string | undefined {
  return text === undefined ? undefined : storedText(text, { trim });
}

export function checkLengths(
  options: LengthOptions,
  defaultMaxLength: number,
): readonly OptionProblem[] {
  const { minLength, maxLength } = lengthsOf(options, defaultMaxLength);
  if (minLength > maxLength) {
    const limit =
      options.maxLength === undefined
        ? `${defaultMaxLength}, the "maxLength" of a field that sets none`
        : `"maxLength" (${maxLength})`;
    const message = `"minLength" (${minLength}) is greater than ${limit}`;
    const hint = `write a "minLength" of at most ${maxLength}, or a "maxLength" of at least ${minLength}`;
    return [{ path: ["minLength"], message, hint }];
  }
  const text = writtenDefault(options);
  if (text === undefined || (text === "" && options.required !== true)) {
    return [];
  }
  const length = [...text].length;
  if (length >= minLength && length <= maxLength) {
    return [];
  }
  const message = `"default" has ${length} characters, but the field takes ${minLength} to ${maxLength}`;
  const change = length > maxLength ? "shorten" : "lengthen";
  return [{ path: ["default"], message, hint: `${change} it, or leave "default" out` }];
}

export function lengthCheck({ minLength, maxLength }: Lengths): Check {
  return { rule: "length", least: minLength, most: maxLength };
}

/** Returns the options for the API: the limits, without the minimum of 1 that a required string usually has. */
export function describeText({
  minLength,
  maxLength,
  trim,
  required,
}: TextOptions & { readonly required: boolean }): Readonly<Record<string, number | true>> {
  return {
    ...(minLength !== (required ? 1 : 0) && { minLength }),
    maxLength,
    ...(trim && { trim }),
  };
}

/** Returns the validator's argument for lengths, with a minimum only if there is one. */
function lengthArgument({ minLength, maxLength }: Lengths): Readonly<Record<string, number>> {
  return minLength === 0 ? { maxLength } : { minLength, maxLength };
}

/**
 * Returns the schema of strings with these options. The minimum applies to the trimmed string, without leading and
 * trailing white space.
 */
export function textSchema({ trim, ...lengths }: TextOptions): Schema {
  const { minLength } = lengths;
  if (!trim || minLength === 0) return lengthArgument(lengths);
  const pattern = minLength === 1 ? "\\S" : `\\S[\\s\\S]{${minLength - 2},}\\S`;
  return { ...lengthArgument(lengths), pattern };
}

/** Returns the validator's argument for strings with these options. */
export function textArgument({
  trim,
  ...lengths
}: TextOptions): Readonly<Record<string, number | true>> {
  return { ...lengthArgument(lengths), ...(trim && { trim }) };
}

/** Returns a string made of the field's name, with a valid length. */
export function exampleText({
  name,
  label,
  minLength,
  maxLength,
}: Lengths & Pick<CommonField, "name" | "label">): string {
  const words = label ?? name;
  const enough = words.padEnd(Math.min(minLength, maxExample), ".");
  return [...enough].slice(0, maxLength).join("");
}

/** Maximum number of characters; a longer string would bloat the document without helping a reader. */
const maxExample = 100;
