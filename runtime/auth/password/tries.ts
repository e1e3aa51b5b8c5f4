import { refuse } from "../../errors/index.js";
import type { Services } from "../../http/index.js";
import { attempt } from "../limit/attempt.js";

/**
 * Counts a password shown for an address, right or wrong, whether or not the address has an account.
 * Refuses the eleventh in a minute.
 */
export async function countPasswordTry({ db, clock }: Services, address: string): Promise<void> {
  const result = await attempt(db, {
    key: `password:${address}`,
    limit: 10,
    windowSeconds: 60,
    now: clock.now(),
  });
  if (!result.allowed) refuse("TOO_MANY_ATTEMPTS", { retryAfter: result.retryAfter });
}
