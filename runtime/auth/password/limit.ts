import { createHmac } from "node:crypto";
import { currentKey } from "../../secret/index.js";
import type { Services } from "../../services/index.js";
import { attempt, refuseUnlessAllowed } from "../limit/attempt.js";

/**
 * Counts a sign-in of somebody who is named by no address, under the text that was sent. The text may be a
 * password in the wrong field, so that only its HMAC is kept. Refuses the eleventh in a minute.
 */
export function countUnknownTry(services: Services, text: string): Promise<void> {
  const { bytes } = currentKey(services.config, "attempts");
  // UTF-16 keeps apart texts with different halves of characters, which UTF-8 would make the same.
  const digest = createHmac("sha256", bytes).update(text, "utf16le").digest("base64url");
  return countPasswordTry(services, digest);
}

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
