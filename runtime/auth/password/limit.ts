import { createHmac } from "node:crypto";
import type { Services } from "../../own-code/index.js";
import { currentKey } from "../../secret/index.js";
import { countAttempt, refuseUnlessAllowed } from "../limit/attempt.js";

/**
 * Counts a sign-in without a valid email address or known passkey, by the text that was sent. Only its HMAC is stored:
 * the text may be a password typed into the wrong field. Refuses those beyond the limit.
 */
export function countUnknownSignIn(services: Services, text: string): Promise<void> {
  const { bytes } = currentKey(services.config, "attempts");
  // UTF-16 distinguishes texts with different lone surrogates, which UTF-8 would encode alike.
  const digest = createHmac("sha256", bytes).update(text, "utf16le").digest("base64url");
  return countSignIn(services, digest);
}

/**
 * Counts a password or passkey submitted for an email address, right or wrong, whether or not the address has an
 * account. Refuses those beyond the limit.
 */
export async function countSignIn({ db, clock }: Services, address: string): Promise<void> {
  const result = await countAttempt(db, {
    key: `password:${address}`,
    limit: 10,
    windowSeconds: 60,
    now: clock.now(),
    // A sign-in would else wait for the disk twice, and a wrong password at all.
    mayBeLost: true,
  });
  refuseUnlessAllowed(result);
}
