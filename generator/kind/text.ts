import { z } from "zod";
import { plainText } from "./column/conversion.js";
import { movable } from "./column/row.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
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
import { commonOptions, trim, unicode, wholeNumber } from "./option/options.js";

export interface TextField extends CommonField {
  readonly kind: "text";
  readonly default: string | null;
  /** Whether leading and trailing white space is removed. */
  readonly trim: boolean;
  readonly minLength: number;
  readonly maxLength: number;
  /** Set in an adopted table, where an empty string is a value. */
  readonly keepsEmpty?: true;
  /** How screens display and edit the text, which is stored unchanged; null for plain text. */
  readonly format: "markdown" | null;
}

const defaultMaxLength = 100_000;
const maxLengthLimit = 10_000_000;

const options = z
  .strictObject({
    ...commonOptions,
    default: unicode.optional().describe("Used when a record is created without the field."),
    trim,
    minLength: wholeNumber(0, maxLengthLimit, "write minLength: 2, for example")
      .optional()
      .describe("The minimum number of characters (code points). A required field has at least 1."),
    maxLength: wholeNumber(
      1,
      maxLengthLimit,
      "write maxLength: 5000, for example; for longer content use { type: file }",
    )
      .optional()
      .describe("The maximum number of characters (code points). Default: 100000."),
    format: z
      .literal("markdown", "must be markdown")
      .meta({ hint: "write format: markdown, or leave it out for plain text" })
      .optional()
      .describe("How the dashboard shows and edits the text, which is stored as it is."),
  })
  .describe("Long text: neither sorted, filtered nor searched.");

type TextOptions = z.output<typeof options>;

/** Long text, by which lists cannot be sorted, filtered or searched. */
export const text: Kind<TextField, TextOptions> = {
  ...kindDefaults,
  name: "text",
  example: "{ type: text }",
  options,
  check: (written) => checkLengths(written, defaultMaxLength),
  field(common, written) {
    return {
      ...common,
      kind: "text",
      default: defaultOf(written),
      trim: written.trim ?? false,
      ...lengthsOf(written, defaultMaxLength),
      format: written.format ?? null,
    };
  },
  describe: (field) => ({
    ...describeText(field),
    ...(field.format !== null && { format: field.format }),
  }),
  typescript: () => ({ name: "string" }),
  schema: (field) => ({
    shown: {
      type: "string",
      ...(field.format !== null && { contentMediaType: `text/${field.format}` }),
    },
    rules: textSchema(field),
    example: field.default ?? exampleText(field),
  }),
  validation(field) {
    return {
      validator: field.required || field.keepsEmpty ? "text" : "optionalText",
      argument: textArgument(field),
      takesNull: !field.required && field.keepsEmpty !== true,
    };
  },
  condition: null,
  title: null,
  canBeCut: true,
  isLong: true,
  hasWords: true,
  highlight: "fragments",
  sql: (field) => ({ type: 'text collate "und-x-icu"', check: lengthCheck(field) }),
  keyBytes: () => null,
  unindexedHint: "make it { type: string }, or leave it out",
  inRow: () => movable,
  words: () => "a text",
  textForm: () => plainText,
};
