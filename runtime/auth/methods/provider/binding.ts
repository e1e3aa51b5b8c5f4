import { createHash, createHmac } from "node:crypto";
import { acceptedKeys, currentKey, type Key, type Secrets } from "../../../secret/index.js";
import { hashToken } from "../../token/token.js";

/** The secrets of one sign-in at a provider, all derived from its state and never stored. */
export interface StateSecrets {
  readonly nonce: string;
  readonly verifier: string;
  /** S256 of the verifier. */
  readonly challenge: string;
}

export function stateSecrets(secrets: Secrets, state: string): StateSecrets {
  return derive(currentKey(secrets, "providers"), state);
}

/** Returns the secrets of a state whose nonce has that hash; null if none of the app's accepted keys produces it. */
export function knownStateSecrets(
  secrets: Secrets,
  state: string,
  nonceHash: Buffer,
): StateSecrets | null {
  const made = acceptedKeys(secrets, "providers").map((key) => derive(key, state));
  return made.find(({ nonce }) => hashToken(nonce).equals(nonceHash)) ?? null;
}

/** S256 of RFC 7636: the SHA-256 of a secret, in base64url. */
export function challengeOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function derive({ bytes }: Key, state: string): StateSecrets {
  const part = (name: string) =>
    createHmac("sha256", bytes).update(`${name}\n${state}`).digest("base64url");
  const verifier = part("verifier");
  return { nonce: part("nonce"), verifier, challenge: challengeOf(verifier) };
}
