import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { acceptedKeys, currentKey, type Key, type Secrets } from "./keys.js";

/** The first byte of an encrypted value: the version of its format. */
const formatVersion = 1;
/** Bytes of a key id. */
const idLength = 4;
const nonceLength = 12;
const tagLength = 16;
const headLength = 1 + idLength + nonceLength + tagLength;

/** A decrypted value, and whether it was encrypted with the previous secret's key. */
export interface Decrypted {
  readonly plain: Buffer;
  readonly outdated: boolean;
}

/**
 * Encrypts with AES-256-GCM. The result is format, key id, nonce, tag, and ciphertext. `context` names the purpose and
 * owner (`authenticator:<account>`) as associated data: in another context, decryption fails.
 */
export function encrypt(secrets: Secrets, plain: Buffer, context: string): Buffer {
  const key = currentKey(secrets, "seal");
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(formatVersion), key.id, nonce, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts a value from `encrypt` with that context. Throws if the secret, the context or the bytes differ. */
export function decrypt(secrets: Secrets, encrypted: Buffer, context: string): Decrypted {
  const id = encrypted.subarray(1, 1 + idLength);
  const keys = acceptedKeys(secrets, "seal");
  const at = keys.findIndex((key) => key.id.equals(id));
  const key = keys[at];
  if (encrypted[0] !== formatVersion || key === undefined) {
    throw new Error(
      "Encrypted with a secret that is neither SERVICE_SECRET nor SERVICE_SECRET_PREVIOUS",
    );
  }
  return { plain: decryptWith(key, encrypted, context), outdated: at > 0 };
}

/** SQL for the key id of an encrypted column. */
export function keyIdOf(column: string): string {
  return `substring(${column} from 2 for ${idLength})`;
}

function decryptWith({ bytes }: Key, encrypted: Buffer, context: string): Buffer {
  const nonce = encrypted.subarray(1 + idLength, 1 + idLength + nonceLength);
  const tag = encrypted.subarray(headLength - tagLength, headLength);
  const decipher = createDecipheriv("aes-256-gcm", bytes, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(headLength)), decipher.final()]);
  } catch (cause) {
    throw new Error(
      "The stored bytes cannot be decrypted: they were changed, or belong to another row",
      {
        cause,
      },
    );
  }
}
