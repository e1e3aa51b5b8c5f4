import { type BodyIssue, Refusal } from "../../errors/index.js";

/** The part of zod's error that is read. */
interface InputError extends Error {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/**
 * What a handler threw, with an error of zod as the 422 that it stands for. Zod is recognized by the shape of its error:
 * the app has a copy of its own, of any version since 3.
 */
export function refusedInput(error: unknown): unknown {
  if (!isInputError(error)) return error;
  const issues = error.issues.map(
    ({ path, message }): BodyIssue => ({ path: path.map(String).join("."), message }),
  );
  return new Refusal("INVALID", { issues });
}

/** `z.parse` of zod and of `zod/mini` name their errors differently. */
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
