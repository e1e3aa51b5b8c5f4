import type { Queryable, Transaction } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../services/index.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { mostGuesses, refuseDiscarded } from "../limit/attempt.js";
import { codeDigests } from "../token/code.js";
import type { MailedPurpose } from "./purposes.js";
import { type CodeTry, countWrongGuess, findCode, spendCode } from "./store.js";

/** A code that somebody sent. */
interface SentCode {
  readonly purpose: MailedPurpose;
  readonly email: string;
  readonly code: string;
}

/** What a proof does in the transaction that spends it; null when it opens nothing any more. */
export type Use = (tx: Transaction, account: Credentials) => Promise<Answer | null>;

/**
 * Spends a mailed code on what it is good for: both are done, or neither. Refuses a wrong code, which
 * costs a guess, and one that is expired, used or out of guesses. Only a right one comes to the account and
 * its lock: whoever guesses at an address makes nobody wait, and does not wait longer for a known one.
 */
export async function useCode(
  { db, clock, config }: Services,
  { purpose, email, code }: SentCode,
  use: Use,
): Promise<Answer> {
  const now = clock.now();
  const sent = { purpose, email, digests: codeDigests(config, code, `${purpose}:${email}`), now };
  const guess = await judgeCode(db, sent);
  if (guess.kind !== "right") return refuseGuess(guess, now);
  const answer = await db.transaction(async (tx) => {
    const account = await lockAccount(tx, { email });
    const spent = await spendCode(tx, sent);
    return spent && account !== null ? use(tx, account) : null;
  });
  return answer ?? refuse("OTP_EXPIRED");
}

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
