import { refuse } from "../../errors/index.js";
import { secondsUntil } from "./attempt.js";

/** Guesses at one code, challenge or set-up (specification, "Limits"); then it is discarded. */
export const mostGuesses = 5;

/** Refuses a guess at something whose guesses are used up, until its time is over. */
export function refuseDiscarded(expiresAt: Date, now: Date): never {
  return refuse("TOO_MANY_ATTEMPTS", { retryAfter: secondsUntil(expiresAt, now) });
}
