import { type Attempt, checkAttempt, countAttempt, refuseUnlessAllowed } from "../limit/attempt.js";
import type { SessionServices } from "../session/prove.js";

/**
 * The limit of failed second steps per account, across all its challenges. A limit per challenge would not be enough:
 * an attacker who has the password can begin any number of challenges.
 */
function failureLimit(accountId: string, now: Date): Attempt {
  return { key: `second-step:${accountId}`, limit: 25, windowSeconds: 3600, now };
}

/**
 * Refuses every attempt, even with a correct code, once the failures have reached the limit. The account must be
 * locked.
 */
export async function refuseAfterFailures(
  { db, clock }: SessionServices,
  accountId: string,
): Promise<void> {
  refuseUnlessAllowed(await checkAttempt(db, failureLimit(accountId, clock.now())));
}

/** Counts a failure. The account is locked, so none is counted beyond the limit. */
export async function countFailure(
  { db, clock }: SessionServices,
  accountId: string,
): Promise<void> {
  await countAttempt(db, failureLimit(accountId, clock.now()));
}
