import { z } from "zod";
import { didYouMean } from "../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import { plainOperand } from "../expression/operand.js";
import { plainText } from "./column/conversion.js";
import { textInRow } from "./column/row.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults, type OptionProblem } from "./kind.js";
import { single } from "./list/options.js";
import { commonOptions, distinct, unicode, unique } from "./option/options.js";

export interface EnumField extends CommonField {
  readonly kind: "enum";
  readonly unique: boolean;
  readonly default: string | null;
  readonly values: readonly string[];
  /** Current values by former name. */
  readonly renamed: Readonly<Record<string, string>>;
}

const maxValueLength = 255;

const value = unicode
  .refine(
    (text) => text !== "" && [...text].length <= maxValueLength,
    `must be text of 1 to ${maxValueLength} characters`,
  )
  .meta({
    hint: "write a short text, such as draft, or remove it",
    minLength: 1,
    maxLength: maxValueLength,
  });

const options = z
  .strictObject({
    ...commonOptions,
    ...single,
    values: distinct(value, {
      most: 200,
      of: "different texts",
      example: "values: [draft, live]",
    }).describe("The texts, 1 to 200 different ones."),
    renamed: z
      .record(z.string(), unicode, "must be a map from former values to current ones")
      .meta({ hint: "write renamed: { gold: platinum }" })
      .optional()
      .describe(
        "Former values and their new names: the migration renames them in all records. Remove this key once they are renamed.",
      ),
    unique,
    default: unicode.optional().describe("Used when a record is created without the field."),
  })
  .describe("One of a fixed set of texts, sorted in the order in which values lists them.");

type EnumOptions = z.output<typeof options>;

/** One of a fixed set of strings; lists sort them in their declared order. */
export const enumeration: Kind<EnumField, EnumOptions> = {
  ...kindDefaults,
  name: "enum",
  canBeListed: true,
  example: "{ type: enum, values: [draft, live] }",
  options,
  check({ values, default: written, renamed = {} }) {
    if (values === undefined) return [];
    const problems = Object.entries(renamed).flatMap((pair) =>
      renameProblems({ values, renamed }, pair),
    );
    if (written === undefined || values.includes(written)) return problems;
    const hint = didYouMean(written, values) ?? `the values are ${listWordsBriefly(values)}`;
    const message = `"default" is "${written}", which is not among the "values"`;
    return [...problems, { path: ["default"], message, hint }];
  },
  field(common, written) {
    return {
      ...common,
      kind: "enum",
      unique: written.unique ?? false,
      default: written.default ?? null,
      values: written.values,
      renamed: written.renamed ?? {},
    };
  },
  namesRole: true,
  namesLanguage: true,
  describe: ({ values }) => ({ values }),
  typescript: (field) => ({ union: field.values }),
  schema: ({ values, default: usual }) => ({
    shown: { type: "string", enum: values },
    example: usual ?? values[0] ?? null,
  }),
  validation: (field) => ({ validator: "enumeration", argument: field.values }),
  computing: {
    operand: ({ values }) => ({
      ...plainOperand("string", { characters: maxValueLength }),
      values,
    }),
    result: () => null,
  },
  condition: {
    comparisons: "whole",
    shared: null,
    type: "EnumCondition",
  },
  aggregations: () => ["value"],
  sql: (field) => ({
    type: "text",
    check: { rule: "values", values: field.values.toSorted() },
  }),
  isSortedAsStored: false,
  hasWords: true,
  runtimeColumn: ({ kind, values }, stored) => ({
    kind: stored === undefined ? kind : "openEnum",
    values,
  }),
  renamed: ({ renamed }) => renamed,
  counted: ({ values }) => values,
  keyBytes: ({ values = [] }) => Math.max(0, ...values.map((text) => Buffer.byteLength(text))),
  inRow: ({ values = [] }) =>
    textInRow(Math.max(0, ...values.map((text) => Buffer.byteLength(text)))),
  words: () => "one of the enum's values",
  textForm: () => plainText,
};

/**
 * Returns the problem of a rename: the former name is still a value (unless another rename takes it), or the new one is
 * not.
 */
function renameProblems(
  { values, renamed }: Pick<EnumField, "values" | "renamed">,
  [former, to]: readonly [string, string],
): readonly OptionProblem[] {
  const path = ["renamed", former];
  const isTaken = Object.entries(renamed).some(
    ([other, name]) => other !== name && name === former,
  );
  if (former === to || (values.includes(former) && !isTaken)) {
    const message = `"${former}" is renamed, but is still among the "values"`;
    return [{ path, message, hint: "remove it from one of the two" }];
  }
  if (values.includes(to)) return [];
  const message = `"${former}" is renamed to "${to}", which is not among the "values"`;
  const hint = didYouMean(to, values) ?? `the values are ${listWordsBriefly(values)}`;
  return [{ path, message, hint }];
}
