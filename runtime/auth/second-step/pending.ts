import { refuse } from "../../errors/index.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { mostGuesses, refuseDiscarded } from "../limit/attempt.js";
import { assure, type SecondProof } from "../session/assurance.js";
import { type Challenge, findChallenge } from "../session/challenge.js";
import type { DoorServices } from "../session/prove.js";
import { hashToken } from "../token/token.js";

/** A sign-in that waits for its second step, as things are now. */
export interface PendingSignIn {
  readonly account: Credentials;
  readonly challenge: Challenge;
  /** What may complete it; never none. */
  readonly methods: readonly SecondProof[];
}

/**
 * The sign-in that a challenge stands for; its account stays locked for the rest of the transaction, so
 * that all tries at one account's second step are in line. Refuses a challenge that is used, expired,
 * unknown or of proofs that open nothing any more (`OTP_EXPIRED`), and one whose guesses are used up.
 */
export async function lockPending(
  { db, clock, config }: DoorServices,
  challenge: string,
): Promise<PendingSignIn> {
  const now = clock.now();
  const tokenHash = hashToken(challenge);
  const seen = await findChallenge(db, { tokenHash, now });
  // Before the lock: there is no end to what can be tried here.
  if (seen !== null && seen.tries >= mostGuesses) refuseDiscarded(seen.expiresAt, now);
  const account = seen === null ? null : await lockAccount(db, { id: seen.accountId });
  // Once more: somebody may have used it while this one waited for the lock.
  const found = account === null ? null : await findChallenge(db, { tokenHash, now });
  if (account === null || found === null) return refuse("OTP_EXPIRED");
  if (account.disabled || account.generation !== found.generation) return refuse("OTP_EXPIRED");

  const { enrolled } = account;
  const settings = config.auth.twoFactor;
  const assurance = assure({ proofs: [found.proof], enrolled, settings });
  if (assurance.kind === "signed-in") return refuse("OTP_EXPIRED");
  if (found.tries >= mostGuesses) refuseDiscarded(found.expiresAt, now);
  return { account, challenge: found, methods: assurance.methods };
}

/** Where a code that is mailed for a challenge counts. */
export function placeOf({ tokenHash }: Challenge): string {
  return `second-step:${tokenHash.toString("hex")}`;
}
