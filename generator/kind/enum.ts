import { z } from "zod";
import { didYouMean } from "../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import { plainText } from "./conversion.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { commonOptions, distinct, unicode, unique } from "./options.js";
import { textInRow } from "./row.js";

export interface EnumField extends CommonField {
  readonly kind: "enum";
  readonly unique: boolean;
  readonly default: string | null;
  readonly values: readonly string[];
}

const value = unicode
  .refine((text) => text !== "" && [...text].length <= 255, "must be text of 1 to 255 characters")
  .meta({ hint: "write a short text, such as draft, or remove it", minLength: 1, maxLength: 255 });

const options = z
  .strictObject({
    ...commonOptions,
    values: distinct(value, {
      most: 200,
      of: "different texts",
      example: "values: [draft, live]",
    }).describe("The texts, 1 to 200 different ones."),
    unique,
    default: unicode.optional().describe("Used when a record is created without the field."),
  })
  .describe("One of a fixed set of texts, sorted in the order in which values lists them.");

type EnumOptions = z.output<typeof options>;

/** One of a fixed set of texts; lists sort them in the order of their declaration. */
export const enumeration: Kind<EnumField, EnumOptions> = {
  ...kindDefaults,
  name: "enum",
  example: "{ type: enum, values: [draft, live] }",
  options,
  check({ values, default: written }) {
    if (values === undefined || written === undefined || values.includes(written)) {
      return [];
    }
    const hint = didYouMean(written, values) ?? `the values are ${listWordsBriefly(values)}`;
    const message = `"default" is "${written}", which is not among the "values"`;
    return [{ path: ["default"], message, hint }];
  },
  field(common, written) {
    return {
      ...common,
      kind: "enum",
      unique: written.unique ?? false,
      default: written.default ?? null,
      values: written.values,
    };
  },
  describe: ({ values }) => ({ values }),
  typescript: (field) => ({ union: field.values }),
  schema: ({ values, default: usual }) => ({
    shown: { type: "string", enum: values },
    example: usual ?? values[0] ?? null,
  }),
  validation: (field) => ({ validator: "enumeration", argument: field.values }),
  sql: (field) => ({
    type: "text",
    check: { rule: "values", values: field.values.toSorted() },
  }),
  runtimeColumn: ({ kind, values }) => ({ kind, values }),
  counted: ({ values }) => values,
  keyBytes: ({ values = [] }) => Math.max(0, ...values.map((text) => Buffer.byteLength(text))),
  inRow: ({ values = [] }) =>
    textInRow(Math.max(0, ...values.map((text) => Buffer.byteLength(text)))),
  words: () => "one of the enum's values",
  textForm: () => plainText,
};
