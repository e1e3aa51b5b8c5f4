import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Services } from "../../http/index.js";
import { type AttemptResult, attempt } from "../limit/attempt.js";
import type { MailedPurpose } from "./purposes.js";

/** What mails are counted for, each by itself. */
export type CountedMail = MailedPurpose | "second-step" | "set-up";

type LimitServices = Pick<Services, "clock"> & { readonly db: Queryable };

/**
 * Counts a mail that is asked for, whether or not the address has an account; the seventh in an hour is
 * not allowed (specification, "Limits").
 */
export function countMail(
  { db, clock }: LimitServices,
  purpose: CountedMail,
  email: string,
): Promise<AttemptResult> {
  return attempt(db, {
    key: `mail:${purpose}:${email}`,
    limit: 6,
    windowSeconds: 3600,
    now: clock.now(),
  });
}

/** The same; refuses the seventh. */
export async function admitMail(
  services: LimitServices,
  purpose: CountedMail,
  email: string,
): Promise<void> {
  const result = await countMail(services, purpose, email);
  if (!result.allowed) refuse("TOO_MANY_ATTEMPTS", { retryAfter: result.retryAfter });
}
