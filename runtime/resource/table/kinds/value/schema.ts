import { z } from "zod";
import { storedText, type TextRules, valueRequired } from "../../../../values/rules.js";

/** The message for a missing value and for null. */
export const required = valueRequired;

/** Returns a schema's error message; a missing value and null have a separate one. */
export function expecting(expected: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined || input === null ? valueRequired : expected,
  };
}

/** Adds a check that returns the problem, or null. */
export function refined<T>(schema: z.ZodType<T>, check: (value: T) => string | null): z.ZodType<T> {
  return schema.superRefine((value, context) => {
    const message = check(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
}

/** A text as it is stored; the check returns the problem, or null. */
export function storedAs(
  rules: TextRules,
  check: (value: string) => string | null,
): z.ZodType<string> {
  const text = z.string(expecting("Must be text")).transform((value) => storedText(value, rules));
  return refined(text, check);
}

/** A text or null; a text that is empty, or empty after trimming, becomes null. */
export function emptyAsNull(
  { trim = false }: TextRules,
  schema: z.ZodType<string>,
): z.ZodType<string | null> {
  const isEmpty = (value: unknown) =>
    value === "" || (trim && typeof value === "string" && value.trim() === "");
  return z
    .unknown()
    .transform((value) => (isEmpty(value) ? null : value))
    .pipe(schema.nullable());
}
