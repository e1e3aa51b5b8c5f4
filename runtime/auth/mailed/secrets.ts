import { randomBytes } from "node:crypto";
import type { Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import type { Secrets } from "../../secret/index.js";
import { codeDigest, newCode } from "../token/code.js";
import { newToken } from "../token/token.js";
import { type MailedPurpose, minutesOf } from "./purposes.js";
import { upsertMailedProof } from "./store.js";

export interface MailedSecrets {
  readonly code: string;
  readonly token: string;
  readonly minutes: number;
}

/**
 * Makes a new code and link token for an address; the previous ones become invalid. With `isUsable: false` it does the
 * same work, but stores random digests that nothing matches, so that addresses without an account cannot be
 * distinguished.
 */
export async function replaceSecrets(
  { db, clock, config }: Pick<Services, "clock" | "config"> & { readonly db: Queryable },
  { purpose, email, isUsable }: { purpose: MailedPurpose; email: string; isUsable: boolean },
): Promise<MailedSecrets> {
  const minutes = minutesOf[purpose];
  const now = clock.now();
  const { stored, ...made } = newSecrets(config, { scope: `${purpose}:${email}`, isUsable });
  const expiresAt = new Date(now.getTime() + minutes * 60_000);
  await upsertMailedProof(db, { purpose, email, ...stored, expiresAt });
  return { ...made, minutes };
}

/**
 * Returns a new code and link token, and the digests to store; with `isUsable: false` the digests are random, and
 * nothing matches them.
 */
export function newSecrets(
  secrets: Secrets,
  { scope, isUsable }: { readonly scope: string; readonly isUsable: boolean },
): Pick<MailedSecrets, "code" | "token"> & {
  readonly stored: Readonly<Record<"codeDigest" | "tokenHash", Buffer>>;
} {
  const code = newCode();
  const { token, hash } = newToken();
  // Both are always computed, so that the time does not differ: deriving the code's key alone takes measurable time.
  const usable = { codeDigest: codeDigest(secrets, code, scope), tokenHash: hash };
  const unusable = { codeDigest: randomBytes(32), tokenHash: randomBytes(32) };
  return { code, token, stored: isUsable ? usable : unusable };
}
