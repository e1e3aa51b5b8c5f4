import { pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { loadArgon2, loadBcrypt } from "./load.js";
import type { PasswordHash } from "./read.js";

/** Number of bytes of a password that bcrypt uses. */
const bcryptBytes = 72;

/** Whether the hash was made from that text. All hash functions run on threads, not on the event loop. */
export async function matchesHash(hash: PasswordHash, text: string): Promise<boolean> {
  switch (hash.kind) {
    case "argon2id":
    case "argon2i": {
      const { default: argon2 } = await loadArgon2();
      return argon2.verify(hash.text, text);
    }
    case "bcrypt": {
      const { default: bcrypt } = await loadBcrypt();
      const bytes = Buffer.from(text).subarray(0, bcryptBytes);
      // The other prefixes only mark bugs of old implementations, which affect texts that are longer or not ASCII.
      return bcrypt.compare(bytes, `$2b$${hash.text.slice(4)}`);
    }
    case "scrypt":
      return timingSafeEqual(await scryptOf(hash, text), hash.digest);
    case "pbkdf2-sha256":
    case "pbkdf2-sha512":
    case "pbkdf2_sha256": {
      const { salt, rounds, digest, kind } = hash;
      const made = await promisify(pbkdf2)(text, salt, rounds, digest.length, kind.slice(7));
      return timingSafeEqual(made, digest);
    }
  }
}

function scryptOf(
  { ln, r, p, salt, digest }: Extract<PasswordHash, { kind: "scrypt" }>,
  text: string,
): Promise<Buffer> {
  const N = 2 ** ln;
  // The memory that scrypt needs, with OpenSSL's overhead.
  const maxmem = 128 * r * (N + p + 2);
  return new Promise((resolve, reject) => {
    scrypt(text, salt, digest.length, { N, r, p, maxmem }, (error, made) =>
      error === null ? resolve(made) : reject(error),
    );
  });
}
