import { createHash, hkdfSync } from "node:crypto";
import type { Config } from "../config/index.js";

/** The secrets from which keys are derived: the current one, and the previous one during a rotation. */
export type Secrets = Pick<Config, "secret" | "previousSecret">;

/** The purpose of a key. Each purpose has an independently derived key; renaming a purpose changes its key. */
export type KeyPurpose = "seal" | "codes" | "attempts" | "tokens" | "files" | "providers";

/** A key of 32 bytes, and the id that is stored with values encrypted or signed with it. */
export interface Key {
  /** Four bytes. */
  readonly id: Buffer;
  readonly bytes: Buffer;
}

/** The key for new values. */
export function currentKey({ secret }: Secrets, purpose: KeyPurpose): Key {
  return derive(secret, purpose);
}

/** Keys that may have been used for stored values, the current one first. */
export function acceptedKeys(secrets: Secrets, purpose: KeyPurpose): readonly Key[] {
  const current = currentKey(secrets, purpose);
  const { previousSecret } = secrets;
  return previousSecret === null ? [current] : [current, derive(previousSecret, purpose)];
}

/** Cached keys of each secret: deriving one takes a tenth of the time of a short request. */
const derived = new WeakMap<Buffer, Map<KeyPurpose, Key>>();

function derive(secret: Buffer, purpose: KeyPurpose): Key {
  const known = derived.get(secret) ?? new Map<KeyPurpose, Key>();
  derived.set(secret, known);
  const key = known.get(purpose) ?? newKey(secret, purpose);
  known.set(purpose, key);
  return key;
}

/** HKDF with SHA-256 (RFC 5869). */
function newKey(secret: Buffer, purpose: KeyPurpose): Key {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", `service/${purpose}/1`, 32));
  return { id: createHash("sha256").update(bytes).digest().subarray(0, 4), bytes };
}
