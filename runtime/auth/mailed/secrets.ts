import { randomBytes } from "node:crypto";
import type { Queryable } from "../../db/index.js";
import type { Services } from "../../services/index.js";
import { codeDigest, newCode } from "../token/code.js";
import { newToken } from "../token/token.js";
import { type MailedPurpose, minutesOf } from "./purposes.js";
import { upsertMailedProof } from "./store.js";

/** What goes into a mail, as text or as a link. */
export interface MailedSecrets {
  readonly code: string;
  readonly token: string;
  readonly minutes: number;
}

/**
 * Makes a new code and a new link's token for an address; those before them are dead. With
 * `opens: false` the same is done and stored, but nothing will ever be right: for addresses that have
 * no account, which must not be told apart.
 */
export async function replaceSecrets(
  { db, clock, config }: Pick<Services, "clock" | "config"> & { readonly db: Queryable },
  { purpose, email, opens }: { purpose: MailedPurpose; email: string; opens: boolean },
): Promise<MailedSecrets> {
  const minutes = minutesOf[purpose];
  const now = clock.now();
  const code = newCode();
  const { token, hash } = newToken();
  // Both are made each time: deriving the code's key alone takes long enough to be measured.
  const right = { codeDigest: codeDigest(config, code, `${purpose}:${email}`), tokenHash: hash };
  const never = { codeDigest: randomBytes(32), tokenHash: randomBytes(32) };
  const expiresAt = new Date(now.getTime() + minutes * 60_000);
  await upsertMailedProof(db, { purpose, email, ...(opens ? right : never), expiresAt });
  return { code, token, minutes };
}
