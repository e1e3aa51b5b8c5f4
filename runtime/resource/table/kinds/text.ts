import type { z } from "zod";
import { lengthProblem, type TextRules } from "../../../values/rules.js";
import { asText, type Kind, kindDefaults, reads } from "./kind.js";
import { emptyAsNull, storedAs } from "./value/schema.js";

export const textKind: Kind = {
  ...kindDefaults,
  ...reads(asText),
  sqlType: "text",
  comparisons: null,
  highlight: "fragments",
  canBeCut: true,
  isLong: true,
  // An adopted column may have any type; text stays unchanged.
  shown: (value) => `${value}::text`,
};

/** Long text. */
export function text(rules: TextRules): z.ZodType<string> {
  return storedAs(rules, (value) => lengthProblem(value, rules));
}

/** Long text as in `text`, or null; an empty text is stored as null. */
export function optionalText(rules: TextRules): z.ZodType<string | null> {
  return emptyAsNull(rules, text(rules));
}
