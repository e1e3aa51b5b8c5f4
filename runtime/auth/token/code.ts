import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { acceptedKeys, currentKey, type Key, type Secrets } from "../../secret/index.js";

/** Makes a code to be emailed: six digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** The digest stored for a code: its HMAC, bound to the scope in which it is valid (`verification:ada@example.com`). */
export function codeDigest(secrets: Secrets, code: string, scope: string): Buffer {
  return digest(currentKey(secrets, "codes"), code, scope);
}

/** The digests that a correct code may have been stored as, with the current and the previous secret. */
export function codeDigests(secrets: Secrets, code: string, scope: string): readonly Buffer[] {
  return acceptedKeys(secrets, "codes").map((key) => digest(key, code, scope));
}

/** Whether a code matches the digest stored for it in that scope. */
export function isCode(
  secrets: Secrets,
  {
    code,
    digest: stored,
    scope,
  }: Readonly<Record<"code" | "scope", string>> & {
    readonly digest: Buffer;
  },
): boolean {
  return codeDigests(secrets, code, scope).some((right) => timingSafeEqual(right, stored));
}

function digest({ bytes }: Key, code: string, scope: string): Buffer {
  // Neither scopes nor valid codes contain a line break.
  return createHmac("sha256", bytes).update(`${scope}\n${code}`).digest();
}
