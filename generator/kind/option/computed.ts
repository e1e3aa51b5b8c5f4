import type { z } from "zod";
import type { OptionProblem, Options } from "../kind.js";
import { flag, unicode } from "./options.js";

/** Maximum length of an expression, in characters. */
const maxExpression = 1000;

const length = `must be text of 1 to ${maxExpression} characters`;

/** The options of kinds whose values PostgreSQL can compute. */
export const computedOptions = {
  computed: unicode
    .min(1, length)
    .max(maxExpression, length)
    .meta({ hint: 'write an expression in quotes, such as "round(price * quantity, 2)"' })
    .optional()
    .describe(
      "An expression of the record's other fields. PostgreSQL evaluates it on each read; nothing is stored.",
    ),
  index: flag
    .optional()
    .describe(
      "For a computed field: whether an index speeds up filtering and sorting by it. Default: false.",
    ),
};

/** The options that a computed field may have in addition to its expression. */
const allowed = new Set([
  "type",
  "computed",
  "index",
  "unique",
  "label",
  "description",
  "help",
  "access",
  "decimals",
  "integer",
  "maxLength",
]);

/** Finds options that require `computed`, or that contradict it. */
export function checkComputed(options: Options, { shape }: z.ZodObject): readonly OptionProblem[] {
  if (options.computed === undefined) {
    const isForStored = shape.computed === undefined;
    if (options.index === undefined || isForStored) return [];
    const hint = "list the field in the descriptor's indexes, or remove it";
    return [{ path: ["index"], message: '"index" is for computed fields', hint }];
  }
  const others = Object.keys(options).filter((key) => !allowed.has(key) && options[key] !== false);
  return others.map((key) => ({
    path: [key],
    message: `a computed field takes no "${key}"`,
    hint: "remove it: the expression alone decides the value",
  }));
}
