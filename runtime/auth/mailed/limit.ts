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

/** The purposes for which mails are limited, each separately. */
export type CountedMail =
  | MailedPurpose
  | "second-step"
  | "set-up"
  /** Of an address, and of an account. */
  | "email-change"
  /** Apart from the resets that anybody may request: those must not keep an operator from it. */
  | "operator-reset"
  /** Apart from those that anybody may request, as well. */
  | "operator-verification"
  | NoticeKind;

type LimitServices = Pick<Services, "clock"> & { readonly db: Queryable };

/**
 * Counts a mail to an email address, which somebody requested, whether or not the address has an account, or which a
 * change causes. Mails beyond the limit are not allowed. In place of the address it may be an account's id.
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

/** Uncounts a mail that could not be stored; `now` is when it was counted. */
export function uncountMail(
  db: Queryable,
  { purpose, email, now }: { purpose: CountedMail; email: string; now: Date },
): Promise<void> {
  return uncountAttempt(db, { key: keyOf(purpose, email), now });
}

function keyOf(purpose: CountedMail, email: string): string {
  return `mail:${purpose}:${email}`;
}

/** Counts a requested mail, and refuses those beyond the limit. */
export async function countMailOrRefuse(
  services: LimitServices,
  purpose: CountedMail,
  email: string,
): Promise<void> {
  refuseUnlessAllowed(await countMail(services, purpose, email));
}
