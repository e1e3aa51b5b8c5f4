import { createHmac } from "node:crypto";
import type { Services } from "../../own-code/index.js";
import { currentKey } from "../../secret/index.js";
import { type Credentials, credentialsBy } from "../account/store.js";
import {
  type Attempt,
  countAttempt,
  countAttemptBeside,
  refuseUnlessAllowed,
} from "../limit/attempt.js";

/**
 * Counts a sign-in without a valid email address or known passkey, by the text that was sent. Only its HMAC is stored:
 * the text may be a password typed into the wrong field. Refuses attempts beyond the limit.
 */
export function countUnknownSignIn(services: Services, text: string): Promise<void> {
  const { bytes } = currentKey(services.config, "attempts");
  // UTF-16 preserves unpaired surrogates, which UTF-8 would encode identically.
  const digest = createHmac("sha256", bytes).update(text, "utf16le").digest("base64url");
  return countSignIn(services, digest);
}

/**
 * Counts a password or passkey submitted for an email address, whether or not it is correct and the address has an
 * account. Refuses attempts beyond the limit.
 */
export async function countSignIn({ db, clock }: Services, address: string): Promise<void> {
  refuseUnlessAllowed(await countAttempt(db, attemptAt(clock.now(), address)));
}

/** Counts a password submitted for an address like `countSignIn`, and finds its account; null if there is none. */
export async function countAndFind(
  { db, clock }: Services,
  address: string,
): Promise<Credentials | null> {
  const { result, found } = await countAttemptBeside<Credentials>(
    db,
    attemptAt(clock.now(), address),
    { sql: (parameter) => credentialsBy("email", parameter), value: address },
  );
  refuseUnlessAllowed(result);
  return found;
}

function attemptAt(now: Date, address: string): Attempt {
  // Counts may be lost: otherwise a sign-in would wait for the disk twice, and a wrong password
  // once.
  return { key: `password:${address}`, limit: 10, windowSeconds: 60, now, mayBeLost: true };
}
