import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";
import { acceptedKeys, currentKey, type Key, type Secrets } from "./keys.js";

/** Bytes of the digest before the ciphertext: the size of AES's counter block. */
const digestLength = 16;

/**
 * Seals a text that a client stores for the server: the client cannot read it, change it, or use it in another context.
 * The digest of context and text is the cipher's initial counter (as in RFC 5297). Any number of texts may thus be
 * sealed with one key, and equal texts yield equal tokens.
 */
export function sealToken(secrets: Secrets, text: string, context: string): string {
  const keys = tokenKeys(currentKey(secrets, "tokens"));
  const plain = Buffer.from(text);
  const digest = digestOf(keys, plain, context);
  const cipher = createCipheriv("aes-256-ctr", keys.cipher, digest);
  return Buffer.concat([digest, cipher.update(plain), cipher.final()]).toString("base64url");
}

/** The text of a token sealed in that context; null for anything else. */
export function openToken(secrets: Secrets, token: string, context: string): string | null {
  const bytes = Buffer.from(token, "base64url");
  // Several strings decode to the same bytes; only the canonical one is a token.
  if (bytes.length < digestLength || bytes.toString("base64url") !== token) return null;
  const digest = bytes.subarray(0, digestLength);
  for (const key of acceptedKeys(secrets, "tokens")) {
    const keys = tokenKeys(key);
    const cipher = createDecipheriv("aes-256-ctr", keys.cipher, digest);
    const plain = Buffer.concat([cipher.update(bytes.subarray(digestLength)), cipher.final()]);
    if (timingSafeEqual(digestOf(keys, plain, context), digest)) return plain.toString("utf8");
  }
  return null;
}

interface TokenKeys {
  readonly cipher: Buffer;
  readonly digest: Buffer;
}

function tokenKeys({ bytes }: Key): TokenKeys {
  const part = (name: string) => createHmac("sha256", bytes).update(name).digest();
  return { cipher: part("cipher"), digest: part("digest") };
}

function digestOf({ digest }: TokenKeys, plain: Buffer, context: string): Buffer {
  const bound = Buffer.from(context);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bound.length);
  const hmac = createHmac("sha256", digest).update(length).update(bound).update(plain);
  return hmac.digest().subarray(0, digestLength);
}
