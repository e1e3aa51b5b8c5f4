import { createHash, hkdfSync } from "node:crypto";
import type { Config } from "../config/index.js";

/** What keys are derived from: the present secret, and while it is being rotated the one before it. */
export type Secrets = Pick<Config, "secret" | "previousSecret">;

/** What a key is for; keys of two purposes tell nothing of each other. */
export type KeyPurpose = "seal" | "codes" | "attempts";

/** 32 bytes, and the name by which what was made with it is recognised. */
export interface Key {
  /** Four bytes. */
  readonly id: Buffer;
  readonly bytes: Buffer;
}

/** The key that new things are made with. */
export function currentKey({ secret }: Secrets, purpose: KeyPurpose): Key {
  return derive(secret, purpose);
}

/** The keys that things may have been made with, the present one first. */
export function acceptedKeys(secrets: Secrets, purpose: KeyPurpose): readonly Key[] {
  const current = currentKey(secrets, purpose);
  const { previousSecret } = secrets;
  return previousSecret === null ? [current] : [current, derive(previousSecret, purpose)];
}

/** HKDF with SHA-256 (RFC 5869). */
function derive(secret: Buffer, purpose: KeyPurpose): Key {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", `service/${purpose}/1`, 32));
  return { id: createHash("sha256").update(bytes).digest().subarray(0, 4), bytes };
}
