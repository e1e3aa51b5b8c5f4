import type { Queryable } from "../../db/index.js";
import { type ClaimedMail, postponeMails } from "../queue/claim.js";
import type { Failure } from "./failure.js";
import { logLoss, logRetry, type MailLog } from "./log.js";

/** Seconds between a failed attempt and the next one; the last pause repeats. */
export type Pauses = readonly number[];

/** Short enough for a server that restarts, and long enough not to overload one that is down. */
export const usualPauses: Pauses = [1, 5, 30, 120, 600];

/** Seconds before an email's expiry at which retries switch to `minPause`, and at which they stop. */
const lastAttempts = 5;
const tooLate = 2;

/** Seconds between the last attempts. */
const minPause = 1;

/** Dependencies of retrying. */
export interface RetryServices {
  readonly db: Queryable;
  readonly log: MailLog;
  readonly pauses: Pauses;
}

/** A failed attempt, and the seconds left until the email expires. */
export interface FailedAttempt extends Failure {
  readonly secondsLeft: number;
}

/** Schedules a retry of an email, or logs that it is abandoned. */
export async function retryOrGiveUp(
  { db, log, pauses }: RetryServices,
  mail: Pick<ClaimedMail, "id" | "email" | "kind" | "attempts">,
  failed: FailedAttempt,
): Promise<"postponed" | "given-up"> {
  const wait = secondsUntilRetry(mail.attempts, failed, pauses);
  if (wait === null) {
    logLoss(log, mail, failed.reason);
    return "given-up";
  }
  logRetry(log, mail, { reason: failed.reason, wait });
  // If the database is down, the lease expires and the email is retried then.
  await postponeMails(db, [mail], wait).catch(() => {});
  return "postponed";
}

/** Returns null if another attempt would be pointless. */
function secondsUntilRetry(
  attempts: number,
  { isFinal, secondsLeft }: FailedAttempt,
  pauses: Pauses,
): number | null {
  if (isFinal || secondsLeft < tooLate) return null;
  const pause = pauses[attempts - 1] ?? pauses.at(-1) ?? 0;
  return Math.min(pause, Math.max(minPause, secondsLeft - lastAttempts));
}
