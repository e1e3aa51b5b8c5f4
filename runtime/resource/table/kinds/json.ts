import { z } from "zod";
import { valueRequired } from "../../../values/rules.js";
import { type JsonValue, storedJsonIssues } from "../../../values/stored-json/rules.js";
import { UnsoundJson } from "../../../values/stored-json/unsound.js";
import { asText, type Kind, kindDefaults, reads } from "./kind.js";

export const jsonKind: Kind = {
  ...kindDefaults,
  ...reads(asText),
  sqlType: "jsonb",
  comparisons: null,
  hasMembers: true,
  jsonText: (value) => `${value}::text`,
  // Drivers have their own idea of lists and texts.
  parameter: (value) => (value === null ? null : JSON.stringify(value)),
};

/** Any JSON value except null. */
export function json(): z.ZodType<JsonValue> {
  return z
    .custom<JsonValue>((value) => value !== undefined && value !== null, valueRequired)
    .superRefine((value, context) => {
      const issues = value instanceof UnsoundJson ? value.issues : storedJsonIssues(value);
      for (const { path, message } of issues) {
        context.addIssue({ code: "custom", path: [...path], message });
      }
    });
}
