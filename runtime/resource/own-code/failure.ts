import { errorOf } from "../../errors/index.js";
import { blameOf } from "./blame.js";

/** App code failed other than by a refusal: the response is a 500 without details, and this error is logged. */
export class AppCodeFailed extends Error {
  constructor(what: string, problem: string, options?: ErrorOptions) {
    super(`${what} ${problem}`, options);
    this.name = "AppCodeFailed";
  }
}

/** Wraps an error thrown by app code, to distinguish it from an error of the request. */
export function failureOf(what: string, error: unknown): AppCodeFailed {
  const problem = blameOf(error);
  if (problem !== null) return new AppCodeFailed(what, problem, { cause: error });
  const cause = errorOf(error);
  // The log adds the reason.
  return new AppCodeFailed(what, "failed", { cause });
}
