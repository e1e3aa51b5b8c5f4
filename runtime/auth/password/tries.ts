import type { Services } from "../../http/index.js";
import { attempt } from "../limit/attempt.js";
import { refuseUnlessAllowed } from "../limit/refuse.js";

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
  refuseUnlessAllowed(result);
}
