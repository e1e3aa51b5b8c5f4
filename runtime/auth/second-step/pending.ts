import { refuse } from "../../errors/index.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { maxGuesses, refuseDiscarded } from "../limit/attempt.js";
import { assess, type SecondProof } from "../session/assurance.js";
import { type Challenge, findChallenge } from "../session/challenge.js";
import type { SessionServices } from "../session/prove.js";
import { hashToken } from "../token/token.js";

/** A sign-in that waits for its second step, with the current state of the account. */
export interface PendingSignIn {
  readonly account: Credentials;
  readonly challenge: Challenge;
  /** The methods that can complete the sign-in; never empty. */
  readonly methods: readonly SecondProof[];
}

/**
 * Finds the sign-in of a challenge, and locks its account for the rest of the transaction, so that attempts at one
 * account's second step run one after another. Refuses a challenge that is used, expired or unknown, whose proofs are
 * no longer valid (`OTP_EXPIRED`), or whose guesses are used up.
 */
export async function lockPending(
  { db, clock, config }: SessionServices,
  challenge: string,
): Promise<PendingSignIn> {
  const now = clock.now();
  const tokenHash = hashToken(challenge);
  const unlocked = await findChallenge(db, { tokenHash, now });
  // Also checked before taking the lock, because the number of requests is not limited.
  if (unlocked !== null && unlocked.guesses >= maxGuesses) refuseDiscarded(unlocked.expiresAt, now);
  const account = unlocked === null ? null : await lockAccount(db, { id: unlocked.accountId });
  // Read again: another request may have used it while this one waited for the lock.
  const found = account === null ? null : await findChallenge(db, { tokenHash, now });
  if (account === null || found === null) return refuse("OTP_EXPIRED");
  if (account.disabled || account.generation !== found.generation) return refuse("OTP_EXPIRED");

  const { enrolled } = account;
  const settings = config.auth.twoFactor;
  const assurance = assess({ proofs: [found.proof], enrolled, settings });
  if (assurance.kind === "signed-in") return refuse("OTP_EXPIRED");
  if (found.guesses >= maxGuesses) refuseDiscarded(found.expiresAt, now);
  return { account, challenge: found, methods: assurance.methods };
}

export function challengeScope({ tokenHash }: Challenge): string {
  return `second-step:${tokenHash.toString("hex")}`;
}
