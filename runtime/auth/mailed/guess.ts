import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import { secondsUntil } from "../limit/attempt.js";
import { codeDigests } from "../secret/code.js";
import type { MailedPurpose } from "./purposes.js";
import { findDiscarded, judgeCode } from "./store.js";

/** What became of a code that was guessed. */
export type Guess =
  | { readonly kind: "right" }
  | { readonly kind: "wrong" }
  /** Expired, used, replaced or never made. */
  | { readonly kind: "expired" }
  /** Its guesses are used up; nothing more is judged until `expiresAt`. */
  | { readonly kind: "discarded"; readonly expiresAt: Date };

/** Judges a code that was mailed to an address; a right one is spent, a wrong one costs a guess. */
export async function guessCode(
  tx: Queryable,
  config: Config,
  { purpose, email, code, now }: { purpose: MailedPurpose; email: string; code: string; now: Date },
): Promise<Guess> {
  const digests = codeDigests(config, code, `${purpose}:${email}`);
  const kind = await judgeCode(tx, { purpose, email, digests, now });
  if (kind !== null) return { kind };
  const expiresAt = await findDiscarded(tx, { purpose, email, now });
  return expiresAt === null ? { kind: "expired" } : { kind: "discarded", expiresAt };
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

/** Refuses a guess at something whose guesses are used up, until its time is over. */
export function refuseDiscarded(expiresAt: Date, now: Date): never {
  return refuse("TOO_MANY_ATTEMPTS", { retryAfter: secondsUntil(expiresAt, now) });
}
