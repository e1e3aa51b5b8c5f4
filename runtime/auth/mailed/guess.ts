import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { mostGuesses, refuseDiscarded } from "../limit/attempt.js";
import { type CodeTry, countWrongGuess, findCode } from "./store.js";

/** What became of a code that was guessed. */
export type Guess =
  | { readonly kind: "right" }
  | { readonly kind: "wrong" }
  /** Expired, used, replaced or never made. */
  | { readonly kind: "expired" }
  /** Its guesses are used up; nothing more is judged until `expiresAt`. */
  | { readonly kind: "discarded"; readonly expiresAt: Date };

/** What a code that was sent is worth: a wrong one costs a guess, a right one is yet to be spent. */
export async function judgeCode(db: Queryable, sent: CodeTry): Promise<Guess> {
  if (await countWrongGuess(db, sent)) return { kind: "wrong" };
  const seen = await findCode(db, sent);
  if (seen === null) return { kind: "expired" };
  const { isRight, tries, expiresAt } = seen;
  if (tries >= mostGuesses) return { kind: "discarded", expiresAt };
  // A wrong one would have been counted, had it not been replaced in this moment.
  return { kind: isRight ? "right" : "expired" };
}

/** Refuses a guess that is not right. */
export function refuseGuess(guess: Exclude<Guess, { kind: "right" }>, now: Date): never {
  switch (guess.kind) {
    case "wrong":
      return refuse("INVALID_OTP");
    case "expired":
      return refuse("OTP_EXPIRED");
    case "discarded":
      return refuseDiscarded(guess.expiresAt, now);
    default:
      return guess satisfies never;
  }
}
