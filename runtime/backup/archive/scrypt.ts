import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { Identity, Recipient } from "age-encryption";

/** The base-2 logarithm of the cost of one guess: 64 MiB and a fifth of a second. */
export const workFactor = 16;

const saltLabel = "age-encryption.org/v1/scrypt";
const cipher = "chacha20-poly1305";
const tagLength = 16;
/** A key encrypts only one value, so the nonce may be constant. */
const nonce = Buffer.alloc(12);

/**
 * Encrypts an age file with a passphrase. The library would derive the key in JavaScript, whose 64 MiB stay allocated
 * until garbage collection; here they are freed at once.
 */
export async function passphraseRecipient(passphrase: string): Promise<Recipient> {
  const { Stanza } = await import("age-encryption");
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(16);
      const key = await keyOf(passphrase, salt, workFactor);
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagLength });
      const body = [sealing.update(fileKey), sealing.final()];
      const args = ["scrypt", salt.toString("base64").replaceAll("=", ""), String(workFactor)];
      return [new Stanza(args, Buffer.concat([...body, sealing.getAuthTag()]))];
    },
  };
}

/** Decrypts an age file with a passphrase. The head of the file must have been checked. */
export function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey([stanza]) {
      const [kind, salt = "", factor] = stanza?.args ?? [];
      if (stanza === undefined || kind !== "scrypt") return null;
      const key = await keyOf(passphrase, Buffer.from(salt, "base64"), Number(factor));
      const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagLength });
      opening.setAuthTag(stanza.body.subarray(-tagLength));
      try {
        return Buffer.concat([
          opening.update(stanza.body.subarray(0, -tagLength)),
          opening.final(),
        ]);
      } catch {
        return null;
      }
    },
  };
}

function keyOf(passphrase: string, salt: Buffer, factor: number): Promise<Buffer> {
  const cost = 2 ** factor;
  const options = { N: cost, r: 8, p: 1, maxmem: 2 * 128 * 8 * cost };
  return derive(passphrase, Buffer.concat([Buffer.from(saltLabel), salt]), 32, options);
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
