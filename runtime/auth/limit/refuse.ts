import { refuse } from "../../errors/index.js";
import type { AttemptResult } from "./attempt.js";

/** Refuses a try that was one too many. */
export function refuseUnlessAllowed(result: AttemptResult): void {
  if (!result.allowed) refuse("TOO_MANY_ATTEMPTS", { retryAfter: result.retryAfter });
}
