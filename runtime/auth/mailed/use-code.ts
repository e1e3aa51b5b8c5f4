import type { Queryable } from "../../db/index.js";
import type { Answer, Services } from "../../http/index.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { type Guess, guessCode, refuseGuess } from "./guess.js";
import type { MailedPurpose } from "./purposes.js";

/** A code that somebody sent. */
interface SentCode {
  readonly purpose: MailedPurpose;
  readonly email: string;
  readonly code: string;
}

/** What a proof does in the transaction that spends it; null when it opens nothing any more. */
export type Use = (tx: Queryable, account: Credentials) => Promise<Answer | null>;

type Outcome =
  | Exclude<Guess, { kind: "right" }>
  | { readonly kind: "used"; readonly answer: Answer };

const expired: Outcome = { kind: "expired" };

/**
 * Spends a mailed code on what it is good for: both are done, or neither. Refuses a wrong code, which
 * costs a guess, and one that is expired, used or out of guesses.
 */
export async function useCode(
  { db, clock, config }: Services,
  sent: SentCode,
  use: Use,
): Promise<Answer> {
  const now = clock.now();
  // A refusal inside the transaction would take the guess back.
  const outcome = await db.transaction<Outcome>(async (tx) => {
    const account = await lockAccount(tx, { email: sent.email });
    const guess = await guessCode(tx, config, { ...sent, now });
    if (guess.kind !== "right") return guess;
    const answer = account === null ? null : await use(tx, account);
    return answer === null ? expired : { kind: "used", answer };
  });
  return outcome.kind === "used" ? outcome.answer : refuseGuess(outcome, now);
}
