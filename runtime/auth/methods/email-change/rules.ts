import { timingSafeEqual } from "node:crypto";
import type { Secrets } from "../../../secret/index.js";
import { minutesOf } from "../../mailed/purposes.js";
import { codeDigests } from "../../token/code.js";

/** How long the code and the link work. */
export const changeMinutes = minutesOf.verification;

/** The scope in which a code works: it proves an address for one account only. */
export function changeScope({
  accountId,
  email,
}: {
  readonly accountId: string;
  readonly email: string;
}): string {
  return `email-change:${accountId}:${email}`;
}

/** Whether a code is the one with that digest, in its scope. */
export function isChangeCode(
  secrets: Secrets,
  { code, digest, scope }: Readonly<Record<"code" | "scope", string>> & { readonly digest: Buffer },
): boolean {
  return codeDigests(secrets, code, scope).some((right) => timingSafeEqual(right, digest));
}
