import { timingSafeEqual } from "node:crypto";
import type { Secrets } from "../../../secret/index.js";
import { minutesOf } from "../../mailed/purposes.js";
import { codeDigests } from "../../token/code.js";

/** Minutes for which the code and the link are valid. */
export const changeMinutes = minutesOf.verification;

/** The scope in which a code is valid: it proves an address for one account only. */
export function changeScope({
  accountId,
  email,
}: {
  readonly accountId: string;
  readonly email: string;
}): string {
  return `email-change:${accountId}:${email}`;
}

/** Whether a code matches the digest in its scope. */
export function isChangeCode(
  secrets: Secrets,
  { code, digest, scope }: Readonly<Record<"code" | "scope", string>> & { readonly digest: Buffer },
): boolean {
  return codeDigests(secrets, code, scope).some((right) => timingSafeEqual(right, digest));
}
