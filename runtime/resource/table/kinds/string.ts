import { RE2JS } from "re2js";
import type { z } from "zod";
import { formatProblem, lengthProblem, storedText, type TextRules } from "../../../values/rules.js";
import { isUuid } from "../../../values/uuid.js";
import { type Kind, kindDefaults, type ReadValue, reads } from "./kind.js";
import { emptyAsNull, storedAs } from "./value/schema.js";

/** White space is significant when records are compared with a text. */
const asStored: ReadValue = (text) => ({ value: storedText(text, {}) });

export const stringKind: Kind = {
  ...kindDefaults,
  ...reads(asStored),
  named: storedText,
  sqlType: "text",
  comparisons: "text",
  isSearched: true,
  highlight: "whole",
  aggregations: ({ isLong }) => (isLong === true ? [] : ["value"]),
  // Compares bytes, which is faster and gives the same equality.
  distinct: (value) => `${value} collate "C"`,
  canBeCut: true,
};

/** An adopted `char(n)` column; a cast to text removes the padding. */
export const paddedKind: Kind = {
  ...stringKind,
  shown: (value) => `${value}::text`,
  jsonText: (value) => `to_json(${value}::text)::text`,
};

/** An adopted `uuid` column. */
export const uuidTextKind: Kind = {
  ...stringKind,
  canHold: isUuid,
  text: (value) => `${value}::text`,
  distinct: (value) => value,
};

export interface StringRules extends TextRules {
  /** The pattern that the whole value must match; checked in linear time. */
  readonly pattern?: string;
  /** The message for a value that does not match the pattern. */
  readonly patternHint?: string;
  readonly format?: "email" | "url";
}

/** Short text: sortable, filterable, searched by `q`. */
export function string(rules: StringRules): z.ZodType<string> {
  const matches = rules.pattern === undefined ? null : compilePattern(rules.pattern);
  return storedAs(rules, (value) => {
    const problem = lengthProblem(value, rules);
    if (problem !== null) return problem;
    if (matches !== null && !matches(value)) {
      return rules.patternHint ?? `Must match ${rules.pattern}`;
    }
    return rules.format === undefined ? null : formatProblem(value, rules.format);
  });
}

/** Short text as in `string`, or null; an empty text is stored as null. */
export function optionalString(rules: StringRules): z.ZodType<string | null> {
  return emptyAsNull(rules, string(rules));
}

/** Returns a test for a complete value that takes linear time, for any pattern. */
function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (value) => compiled.matches(value);
}
