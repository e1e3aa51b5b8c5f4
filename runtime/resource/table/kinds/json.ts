import { z } from "zod";
import { newFinder } from "../../../values/json-schema/finder.js";
import type { JsonSchema } from "../../../values/json-schema/schema.js";
import { schemaValidator } from "../../../values/json-schema/validate.js";
import { valueRequired } from "../../../values/rules.js";
import {
  type JsonIssue,
  type JsonValue,
  storedJsonIssues,
} from "../../../values/stored-json/rules.js";
import { UnsoundJson } from "../../../values/stored-json/unsound.js";
import { asText, type Kind, kindDefaults, reads } from "./kind.js";

export const jsonKind: Kind = {
  ...kindDefaults,
  ...reads(asText),
  sqlType: "jsonb",
  comparisons: null,
  hasMembers: true,
  jsonText: (value) => `${value}::text`,
  // Drivers convert lists and texts in their own way.
  parameter: (value) => (value === null ? null : JSON.stringify(value)),
};

/**
 * An adopted `json` column: the text as it was written, but on one line. Lists are filtered by the parts of it that
 * `jsonb` supports.
 */
export const plainJsonKind: Kind = {
  ...jsonKind,
  sqlType: "json",
  members: (value) =>
    `(case when ${withoutPairs(value)} !~ '${notInJsonb}' then ${value}::text::jsonb end)`,
  jsonText: onOneLine,
  shown: (value) => `${onOneLine(value)}::json`,
};

/** Line breaks and tabs are white space between the parts of a value: strings contain none. */
function onOneLine(value: string): string {
  return `regexp_replace(${value}::text, '[\\n\\r\\t]+', ' ', 'g')`;
}

/** What `json` allows and `jsonb` does not: NUL, unpaired surrogates, and numbers of any size. */
const notInJsonb = "\\\\u(0000|[dD][89a-fA-F])|[eE][+-]?[0-9]{5}";

function withoutPairs(value: string): string {
  const pair = "\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F]";
  return `regexp_replace(${value}::text, '${pair}', '', 'g')`;
}

export interface JsonRules {
  /** The JSON Schema (2020-12) of values, already checked by `service generate`. */
  readonly schema?: JsonSchema;
}

/** Any JSON value except null. */
export function json({ schema }: JsonRules = {}): z.ZodType<JsonValue> {
  const judge = schema === undefined ? null : schemaValidator(schema, newFinder());
  return z
    .custom<JsonValue>((value) => value !== undefined && value !== null, valueRequired)
    .superRefine((value, context) => {
      for (const { path, message } of issuesOf(value, judge)) {
        context.addIssue({ code: "custom", path: [...path], message });
      }
    });
}

type Judge = ReturnType<typeof schemaValidator>;

function issuesOf(value: unknown, judge: Judge | null): readonly JsonIssue[] {
  if (value instanceof UnsoundJson) return value.issues;
  const issues = storedJsonIssues(value);
  return issues.length > 0 || judge === null ? issues : judge(value);
}
