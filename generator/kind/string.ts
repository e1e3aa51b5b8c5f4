import { z } from "zod";
import { isEmail, isUrl } from "../../runtime/values/addresses/email-and-url.js";
import { nfc } from "../../runtime/values/text.js";
import { plainOperand, textOrder } from "../expression/operand.js";
import { plainText } from "./column/conversion.js";
import { maxCharacterBytes } from "./column/key.js";
import { textInRow } from "./column/row.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults, type OptionProblem, type Schema } from "./kind.js";
import { single } from "./list/options.js";
import { computedOptions } from "./option/computed.js";
import {
  checkLengths,
  defaultOf,
  describeText,
  exampleText,
  lengthCheck,
  lengthsOf,
  textArgument,
  textSchema,
} from "./option/lengths.js";
import { commonOptions, trim, unicode, uniqueText, wholeNumber, words } from "./option/options.js";
import { compilePattern, patternSchema } from "./option/pattern.js";
import { samplesOf } from "./option/sample.js";

export interface StringField extends CommonField {
  readonly kind: "string";
  readonly unique: boolean;
  /** Whether uniqueness ignores case. */
  readonly anyCase: boolean;
  readonly default: string | null;
  /** Whether leading and trailing white space is removed. */
  readonly trim: boolean;
  /** Number of code points; at least 1 for a required field. */
  readonly minLength: number;
  readonly maxLength: number;
  /** Set in an adopted table, where an empty string is a value. */
  readonly keepsEmpty?: true;
  readonly pattern: string | null;
  /** Message for a value that does not match the pattern. */
  readonly patternHint: string | null;
  readonly format: "email" | "url" | null;
}

/** Kinds of columns that existed before the app, by type without length. */
const adoptedKinds: Readonly<Record<string, string>> = { character: "padded", uuid: "uuidText" };

export const defaultMaxLength = 255;
/** Values are displayed, sorted and searched in full; longer ones belong in a text field. */
const maxLengthLimit = 10_000;

/**
 * Maximum length of a string by which records can be grouped, in code points: the value of each group stays in memory
 * until all rows are read.
 */
const maxGroupedLength = 255;

const options = z
  .strictObject({
    ...commonOptions,
    ...computedOptions,
    ...single,
    unique: uniqueText,
    default: unicode.optional().describe("Used when a record is created without the field."),
    trim,
    minLength: wholeNumber(0, maxLengthLimit, "write minLength: 2, for example")
      .optional()
      .describe("The minimum number of characters (code points). A required field has at least 1."),
    maxLength: wholeNumber(
      1,
      maxLengthLimit,
      "write maxLength: 120, for example; for longer values use { type: text }",
    )
      .optional()
      .describe("The maximum number of characters (code points). Default: 255."),
    pattern: unicode
      .max(1000, "must be at most 1000 characters long")
      .meta({ hint: 'write an expression in quotes, such as "[A-Z]{2}-[0-9]+"' })
      .optional()
      .describe(
        "A regular expression that the whole value must match. The syntax is RE2's: no lookaround, no backreferences.",
      ),
    patternHint: words(200)
      .optional()
      .describe(
        "The hint shown if a value does not match the pattern: Two letters and a number, such as NO-12.",
      ),
    format: z
      .enum(["email", "url"], "must be email or url")
      .meta({ hint: "write email or url; for any other form use pattern" })
      .optional()
      .describe("An email address, or an http or https address."),
  })
  .describe("A single line of text: can be unique, sorted, filtered and searched.");

type StringOptions = z.output<typeof options>;

/** A short string, which can be unique, sorted, filtered and searched. */
export const string: Kind<StringField, StringOptions> = {
  ...kindDefaults,
  name: "string",
  otherNames: { varchar: "{ type: string, maxLength: 255 }" },
  canBeListed: true,
  example: "{ type: string, maxLength: 120 }",
  options,
  check(written) {
    return [
      ...checkLengths(written, defaultMaxLength),
      ...checkPattern(written),
      ...checkFormat(written),
    ];
  },
  field(common, written) {
    return {
      ...common,
      kind: "string",
      unique: (written.unique ?? false) !== false,
      anyCase: written.unique === "any-case",
      default: defaultOf(written),
      trim: written.trim ?? false,
      ...lengthsOf(written, defaultMaxLength),
      pattern: written.pattern === undefined ? null : nfc(written.pattern),
      patternHint: written.patternHint ?? null,
      format: written.format ?? null,
    };
  },
  describe(field) {
    const { pattern, patternHint, format } = field;
    return { ...describeText(field), pattern, patternHint, format };
  },
  typescript: () => ({ name: "string" }),
  schema: (field) => ({
    shown: { type: "string" },
    rules: { ...textSchema(field), ...patternSchema(field.pattern), ...formatSchema(field) },
    example: exampleOf(field),
  }),
  validation(field) {
    return {
      validator: field.required || field.keepsEmpty ? "string" : "optionalString",
      argument: {
        ...textArgument(field),
        ...(field.pattern === null ? {} : { pattern: field.pattern }),
        ...(field.patternHint === null ? {} : { patternHint: field.patternHint }),
        ...(field.format === null ? {} : { format: field.format }),
      },
      takesNull: !field.required && field.keepsEmpty !== true,
    };
  },
  computing: {
    operand: ({ maxLength }) => plainOperand("string", { characters: maxLength }),
    result: ({ maxLength }, sql) => `service.computed_text(${sql}${textOrder}, ${maxLength})`,
  },
  condition: {
    comparisons: "text",
    shared: { name: "TextCondition", value: { type: "string" } },
    type: "TextCondition",
  },
  aggregations: ({ maxLength }) => (maxLength > maxGroupedLength ? [] : ["value"]),
  canBeCut: true,
  title: "alone",
  namesAccount: true,
  sql: (field) => ({ type: `text${textOrder}`, check: lengthCheck(field) }),
  runtimeColumn: ({ kind, maxLength, trim }, stored) => ({
    kind: adoptedKinds[stored?.replace(/\(.*/, "") ?? ""] ?? kind,
    ...(maxLength > maxGroupedLength && { isLong: true }),
    ...(trim && { trim }),
  }),
  isSearched: true,
  hasWords: true,
  highlight: "whole",
  keyBytes: ({ maxLength = defaultMaxLength }) => maxLength * maxCharacterBytes,
  inRow: ({ maxLength = defaultMaxLength }) => textInRow(maxLength * maxCharacterBytes),
  words: () => "a string",
  textForm: () => plainText,
};

function formatSchema({ format }: StringField): Schema {
  if (format === null) return {};
  return { format: format === "email" ? "email" : "uri" };
}

function exampleOf(field: StringField): string | null {
  if (field.default !== null) return field.default;
  const isLong = ({ length }: string) => length >= field.minLength && length <= field.maxLength;
  if (field.pattern !== null) {
    const pattern = compilePattern(field.pattern);
    const isMatch = (text: string) => typeof pattern !== "string" && pattern.matches(text);
    return samplesOf(field.pattern).find((text) => isLong(text) && isMatch(text)) ?? null;
  }
  const text = field.format === null ? exampleText(field) : formats[field.format].example;
  return isLong(text) ? text : null;
}

/** Checks that the expression compiles and matches the whole default. */
function checkPattern(written: Partial<StringOptions>): readonly OptionProblem[] {
  if (written.pattern === undefined) {
    if (written.patternHint === undefined) return [];
    const message = `"patternHint" is for fields with a "pattern"`;
    return [{ path: ["patternHint"], message, hint: 'add a pattern, or remove "patternHint"' }];
  }
  const pattern = compilePattern(nfc(written.pattern));
  if (typeof pattern === "string") {
    const hint =
      "the syntax is RE2's: matching takes linear time, without lookaround and backreferences";
    return [
      { path: ["pattern"], message: `"pattern" is not a valid expression: ${pattern}`, hint },
    ];
  }
  const text = defaultOf(written);
  if (text === null || pattern.matches(text)) {
    return [];
  }
  const hint = `the whole value must match: change one of the two, or leave "default" out`;
  return [{ path: ["default"], message: `"default" does not match "pattern"`, hint }];
}

function checkFormat(written: Partial<StringOptions>): readonly OptionProblem[] {
  const text = defaultOf(written);
  if (text === null || written.format === undefined || formats[written.format].holds(text)) {
    return [];
  }
  const { name, example } = formats[written.format];
  const hint = `write it like ${example}, or leave "default" out`;
  return [{ path: ["default"], message: `"default" is not ${name}`, hint }];
}

const formats = {
  email: {
    name: "an email address",
    example: "name@example.com",
    holds: isEmail,
  },
  url: {
    name: "an http or https address",
    example: "https://example.com",
    holds: isUrl,
  },
};
