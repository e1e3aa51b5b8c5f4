import { createHmac, randomInt } from "node:crypto";
import { acceptedKeys, currentKey, type Key, type Secrets } from "../../secret/index.js";

/** A new code to be mailed: six digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** What of a code is stored: its HMAC, bound to the place where it counts (`verification:ada@example.com`). */
export function codeDigest(secrets: Secrets, code: string, place: string): Buffer {
  return digest(currentKey(secrets, "codes"), code, place);
}

/** What a right code may have been stored as, the secret before the present one included. */
export function codeDigests(secrets: Secrets, code: string, place: string): readonly Buffer[] {
  return acceptedKeys(secrets, "codes").map((key) => digest(key, code, place));
}

function digest({ bytes }: Key, code: string, place: string): Buffer {
  // Neither a place nor a code that could be right holds a line break.
  return createHmac("sha256", bytes).update(`${place}\n${code}`).digest();
}
