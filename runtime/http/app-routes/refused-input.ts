import { type BodyIssue, Refusal } from "../../errors/index.js";

/** The properties of zod's errors that are used here. */
interface InputError extends Error {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/**
 * Converts a zod error thrown by a handler to a 422; returns other errors unchanged. Zod errors are recognized by
 * shape, because the app has its own copy of zod, of any version since 3.
 */
export function refusedInput(error: unknown): unknown {
  if (!isInputError(error)) return error;
  const issues = error.issues.map(
    ({ path, message }): BodyIssue => ({ path: path.map(String).join("."), message }),
  );
  return new Refusal("INVALID", { issues });
}

/** The names of errors of `z.parse` in zod and in `zod/mini`. */
const names: ReadonlySet<string> = new Set(["ZodError", "$ZodError"]);

function isInputError(error: unknown): error is InputError {
  if (!(error instanceof Error) || !names.has(error.name)) return false;
  return "issues" in error && Array.isArray(error.issues) && error.issues.every(isZodIssue);
}

function isZodIssue(issue: unknown): boolean {
  return (
    typeof issue === "object" &&
    issue !== null &&
    "message" in issue &&
    typeof issue.message === "string" &&
    "path" in issue &&
    Array.isArray(issue.path)
  );
}
