import type { Queryable } from "../../db/index.js";
import type { NoticeKind } from "../../mail/index.js";
import type { Services } from "../../own-code/index.js";
import {
  type AttemptResult,
  countAttempt,
  refuseUnlessAllowed,
  uncountAttempt,
} from "../limit/attempt.js";
import type { MailedPurpose } from "./purposes.js";

/** The purposes of rate-limited emails; each purpose has its own limit. */
export type CountedMail =
  | MailedPurpose
  | "second-step"
  | "set-up"
  /** Counted per address, and per account. */
  | "email-change"
  /** Separate from the resets that any client may request, which must not use up an operator's limit. */
  | "operator-reset"
  /** Separate from the verifications that any client may request. */
  | "operator-verification"
  | NoticeKind;

type LimitServices = Pick<Services, "clock"> & { readonly db: Queryable };

/**
 * Counts an email to an address, and returns whether the limit allows it. The address need not have an account; an
 * account's id may be passed instead of an address.
 */
export function countMail(
  { db, clock }: LimitServices,
  purpose: CountedMail,
  email: string,
): Promise<AttemptResult> {
  return countAttempt(db, {
    key: keyOf(purpose, email),
    limit: 6,
    windowSeconds: 3600,
    now: clock.now(),
  });
}

/** Uncounts an email that could not be stored; `now` is the time at which it was counted. */
export function uncountMail(
  db: Queryable,
  { purpose, email, now }: { purpose: CountedMail; email: string; now: Date },
): Promise<void> {
  return uncountAttempt(db, { key: keyOf(purpose, email), now });
}

function keyOf(purpose: CountedMail, email: string): string {
  return `mail:${purpose}:${email}`;
}

/** Counts a requested email, and refuses those beyond the limit. */
export async function countMailOrRefuse(
  services: LimitServices,
  purpose: CountedMail,
  email: string,
): Promise<void> {
  refuseUnlessAllowed(await countMail(services, purpose, email));
}
