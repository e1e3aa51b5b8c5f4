import { type Attempt, attempt, mayAttempt, refuseUnlessAllowed } from "../limit/attempt.js";
import type { DoorServices } from "../session/prove.js";

/**
 * Failed second steps of one account, over all its challenges (contract §8): five guesses each would be no
 * limit to somebody who has the password, and with it as many challenges as they like.
 */
function failuresOf(accountId: string, now: Date): Attempt {
  return { key: `second-step:${accountId}`, limit: 25, windowSeconds: 3600, now };
}

/** Refuses every try, right or wrong, after 25 failures in an hour. The account must be locked. */
export async function refuseAfterFailures(
  { db, clock }: DoorServices,
  accountId: string,
): Promise<void> {
  refuseUnlessAllowed(await mayAttempt(db, failuresOf(accountId, clock.now())));
}

/** Counts a failure; while the account is locked none is counted past the limit. */
export async function countFailure({ db, clock }: DoorServices, accountId: string): Promise<void> {
  await attempt(db, failuresOf(accountId, clock.now()));
}
