import { createHmac, randomBytes } from "node:crypto";

const codesPerSet = 10;

// Crockford's base32: no letter that looks like a digit or another letter, and no U.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Five groups of five characters of five bits each: 125 bits. */
const groups = 5;
const groupLength = 5;

/** Ten codes, shown only once, and their stored digests. */
export interface BackupSet {
  readonly codes: readonly string[];
  /** The key of the digests; must be encrypted. */
  readonly key: Buffer;
  readonly digests: readonly Buffer[];
}

/**
 * Makes ten codes with their own random key. The key is not derived from `SERVICE_SECRET`, so that the codes stay valid
 * when that changes: they cannot be recomputed from their digests.
 */
export function newBackupSet(): BackupSet {
  const key = randomBytes(32);
  const codes = Array.from({ length: codesPerSet }, newBackupCode);
  return { codes, key, digests: codes.map((code) => backupDigest(key, code)) };
}

/** The HMAC-SHA-256 of a code in its normalized form. */
export function backupDigest(key: Buffer, code: string): Buffer {
  return createHmac("sha256", key).update(normaliseCode(code)).digest();
}

function newBackupCode(): string {
  // 32 divides 256, so every character is equally likely.
  const characters = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % 32]);
  return Array.from({ length: groups }, (_, at) =>
    characters.slice(at * groupLength, (at + 1) * groupLength).join(""),
  ).join("-");
}

/**
 * Converts to lower case, removes whitespace and dashes, and replaces the letters that Crockford's base32 treats as
 * digits.
 */
function normaliseCode(code: string): string {
  return code
    .replaceAll(/[\s\p{Pd}]/gu, "")
    .toLowerCase()
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
}
