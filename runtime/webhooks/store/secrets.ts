import { randomBytes } from "node:crypto";
import { type Decrypted, decrypt, encrypt, type Secrets } from "../../secret/index.js";

/** Bytes of a secret; Standard Webhooks allows 24 to 64. */
const secretBytes = 32;

/** A new secret as text and in encrypted form. */
export interface NewSecret {
  readonly plain: Buffer;
  readonly encrypted: Buffer;
}

export function newSecret(secrets: Secrets, webhookId: string): NewSecret {
  const plain = randomBytes(secretBytes);
  return { plain, encrypted: encrypt(secrets, plain, contextOf(webhookId)) };
}

/**
 * Decrypts a webhook's secret. Throws if none of the server's secrets can decrypt it, or it belongs to another webhook.
 */
export function readSecret(secrets: Secrets, webhookId: string, encrypted: Buffer): Decrypted {
  return decrypt(secrets, encrypted, contextOf(webhookId));
}

function contextOf(webhookId: string): string {
  return `webhook:${webhookId}`;
}
