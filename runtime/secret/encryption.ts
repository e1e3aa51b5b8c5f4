import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { acceptedKeys, currentKey, type Key, type Secrets } from "./keys.js";

/** The first byte of what is sealed: how the rest is laid out. */
const layout = 1;
/** Bytes. */
const idLength = 4;
const nonceLength = 12;
const tagLength = 16;
const headLength = 1 + idLength + nonceLength + tagLength;

/** What was sealed, and whether it was with a key that is on its way out. */
export interface Opened {
  readonly plain: Buffer;
  readonly outdated: boolean;
}

/**
 * Encrypts with AES-256-GCM: layout, key id, nonce, tag, then the text. `place` says whose it is and what
 * for (`authenticator:<account>`): moved to another place it does not open.
 */
export function seal(secrets: Secrets, plain: Buffer, place: string): Buffer {
  const key = currentKey(secrets, "seal");
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(layout), key.id, nonce, cipher.getAuthTag(), text]);
}

/** Decrypts what `seal` made for that place. Throws where the secret is another one, or the bytes are. */
export function open(secrets: Secrets, sealed: Buffer, place: string): Opened {
  const id = sealed.subarray(1, 1 + idLength);
  const keys = acceptedKeys(secrets, "seal");
  const at = keys.findIndex((key) => key.id.equals(id));
  const key = keys[at];
  if (sealed[0] !== layout || key === undefined) {
    throw new Error(
      "Sealed with a secret that is neither SERVICE_SECRET nor SERVICE_SECRET_PREVIOUS",
    );
  }
  return { plain: decrypt(key, sealed, place), outdated: at > 0 };
}

/** The SQL of the key's id in a sealed column. */
export function keyIdOf(column: string): string {
  return `substring(${column} from 2 for ${idLength})`;
}

function decrypt({ bytes }: Key, sealed: Buffer, place: string): Buffer {
  const nonce = sealed.subarray(1 + idLength, 1 + idLength + nonceLength);
  const tag = sealed.subarray(headLength - tagLength, headLength);
  const decipher = createDecipheriv("aes-256-gcm", bytes, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(place))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()]);
  } catch (cause) {
    throw new Error("The stored bytes do not open: they were changed, or belong to another row", {
      cause,
    });
  }
}
