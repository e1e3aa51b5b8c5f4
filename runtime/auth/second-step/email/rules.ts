import { timingSafeEqual } from "node:crypto";
import type { Secrets } from "../../../secret/index.js";
import { codeDigest, codeDigests, newCode } from "../../token/code.js";

/** A code to be mailed, and the only thing of it that is stored. */
export interface EmailedCode {
  readonly code: string;
  readonly digest: Buffer;
}

/** A new code that counts at one place only: `second-step:<challenge>` or `set-up:<address>`. */
export function newEmailedCode(secrets: Secrets, place: string): EmailedCode {
  const code = newCode();
  return { code, digest: codeDigest(secrets, code, place) };
}

/** Whether a code is the one that was stored for that place. */
export function isEmailedCode(
  secrets: Secrets,
  { code, digest, place }: EmailedCode & { readonly place: string },
): boolean {
  return codeDigests(secrets, code, place).some((right) => timingSafeEqual(right, digest));
}
