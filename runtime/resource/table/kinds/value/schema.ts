import { z } from "zod";
import { valueRequired } from "../../../../values/rules.js";

/** The error message of a schema; a missing value or null has its own. */
export function expecting(expected: string) {
  return {
    error: ({ input }: { input?: unknown }) =>
      input === undefined || input === null ? valueRequired : expected,
  };
}

/** A check that returns what is wrong, or null. */
export function refined<T>(schema: z.ZodType<T>, check: (value: T) => string | null): z.ZodType<T> {
  return schema.superRefine((value, context) => {
    const message = check(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  });
}

/** A text or null; an empty text becomes null. */
export function emptyAsNull(schema: z.ZodType<string>): z.ZodType<string | null> {
  return z
    .unknown()
    .transform((value) => (value === "" ? null : value))
    .pipe(schema.nullable());
}
