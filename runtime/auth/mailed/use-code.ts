import type { Queryable, Transaction } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { maxGuesses, refuseDiscarded } from "../limit/attempt.js";
import { codeDigests } from "../token/code.js";
import type { MailedPurpose } from "./purposes.js";
import { countWrongGuess, findCode, type SubmittedCode, spendCode } from "./store.js";

interface CodeInput {
  readonly purpose: MailedPurpose;
  readonly email: string;
  readonly code: string;
  /** If omitted, a code for an address without an account is refused. */
  readonly register?: Registering | undefined;
}

/** Creates an account for an address, in the transaction that spends the proof of that address; null on failure. */
export type Registering = (tx: Transaction, email: string) => Promise<Credentials | null>;

/** Applies a proof in the transaction that spends it; null if the proof is no longer valid. */
export type Use = (tx: Transaction, account: Credentials) => Promise<Answer | null>;

/**
 * Spends a mailed code and applies its effect, in one transaction. Refuses a wrong code, which costs a guess, and a
 * code that is expired, used or out of guesses. Only a correct code locks the account, so guesses block no other
 * request and take equally long for known and unknown addresses.
 */
export async function useCode(
  { db, clock, config }: Services,
  { purpose, email, code, register }: CodeInput,
  use: Use,
): Promise<Answer> {
  const now = clock.now();
  const sent = { purpose, email, digests: codeDigests(config, code, `${purpose}:${email}`), now };
  const verdict = await checkCode(db, sent);
  if (verdict.kind !== "right") return refuseCode(verdict, now);
  const answer = await db.transaction(async (tx) => {
    const found = await lockAccount(tx, { email });
    if (!(await spendCode(tx, sent))) return null;
    const account = found ?? (await register?.(tx, email)) ?? null;
    return account === null ? null : use(tx, account);
  });
  return answer ?? refuse("OTP_EXPIRED");
}

export type CodeVerdict =
  | { readonly kind: "right" }
  | { readonly kind: "wrong" }
  /** Expired, used, replaced or never sent. */
  | { readonly kind: "expired" }
  /** The guesses are used up; no code is checked until `expiresAt`. */
  | { readonly kind: "discarded"; readonly expiresAt: Date };

/** Checks a submitted code. A wrong code costs a guess; a correct one is not spent yet. */
export async function checkCode(db: Queryable, sent: SubmittedCode): Promise<CodeVerdict> {
  if (await countWrongGuess(db, sent)) return { kind: "wrong" };
  const found = await findCode(db, sent);
  if (found === null) return { kind: "expired" };
  const { isRight, guesses, expiresAt } = found;
  if (guesses >= maxGuesses) return { kind: "discarded", expiresAt };
  // A wrong code would have been counted above, unless it was replaced in the meantime.
  return { kind: isRight ? "right" : "expired" };
}

export function refuseCode(verdict: Exclude<CodeVerdict, { kind: "right" }>, now: Date): never {
  switch (verdict.kind) {
    case "wrong":
      return refuse("INVALID_OTP");
    case "expired":
      return refuse("OTP_EXPIRED");
    case "discarded":
      return refuseDiscarded(verdict.expiresAt, now);
    default:
      return verdict satisfies never;
  }
}
