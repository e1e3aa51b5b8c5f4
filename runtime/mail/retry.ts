import type { Queryable } from "../db/index.js";
import { type ClaimedMail, postponeMails } from "./claim.js";
import type { Failure } from "./failure.js";
import { type MailLog, tellLoss, tellRetry } from "./log.js";

/** Seconds between a try that failed and the next one; the last one again and again. */
export type Pauses = readonly number[];

/** A server that is being restarted misses nothing, and one that is down for long is not pestered. */
export const usualPauses: Pauses = [1, 5, 30, 120, 600];

/** Seconds before what is in a mail is over: for its last tries, whatever the pause, and when it is too late. */
const lastTries = 5;
const tooLate = 2;

/** Seconds between those last tries. */
const shortestPause = 1;

/** What reacting to a failure stands on. */
export interface RetryServices {
  readonly db: Queryable;
  readonly log: MailLog;
  readonly pauses: Pauses;
}

/** A try that has failed, and the seconds that are left until what is in the mail counts no more. */
export interface FailedTry extends Failure {
  readonly secondsLeft: number;
}

/** Has a mail tried again later, or gives it up; either is told. */
export async function reactTo(
  { db, log, pauses }: RetryServices,
  mail: Pick<ClaimedMail, "id" | "email" | "kind" | "tries">,
  failed: FailedTry,
): Promise<"postponed" | "given-up"> {
  const wait = secondsUntilRetry(mail.tries, failed, pauses);
  if (wait === null) {
    tellLoss(log, mail, failed.reason);
    return "given-up";
  }
  tellRetry(log, mail, { reason: failed.reason, wait });
  // Where it cannot be noted, the lease ends.
  await postponeMails(db, [mail], wait).catch(() => {});
  return "postponed";
}

/** Null where trying again is in vain. */
function secondsUntilRetry(
  tries: number,
  { isFinal, secondsLeft }: FailedTry,
  pauses: Pauses,
): number | null {
  if (isFinal || secondsLeft < tooLate) return null;
  const pause = pauses[tries - 1] ?? pauses.at(-1) ?? 0;
  return Math.min(pause, Math.max(shortestPause, secondsLeft - lastTries));
}
