export type PasswordHash =
  | { readonly kind: "argon2id" | "argon2i"; readonly text: string }
  | { readonly kind: "bcrypt"; readonly text: string }
  | {
      readonly kind: "scrypt";
      /** The base-2 logarithm of the cost N. */
      readonly ln: number;
      readonly r: number;
      readonly p: number;
      readonly salt: Buffer;
      readonly digest: Buffer;
    }
  | {
      readonly kind: "pbkdf2-sha256" | "pbkdf2-sha512" | "pbkdf2_sha256";
      readonly rounds: number;
      readonly salt: Buffer;
      readonly digest: Buffer;
    };

/** The kinds of hashes supported for imported accounts, for messages. */
export const hashKinds =
  "$argon2id$, $argon2i$, $2a$, $2b$, $2y$, $scrypt$, $pbkdf2-sha256$, $pbkdf2-sha512$ and Django's pbkdf2_sha256$";

/**
 * Maximum cost of checking one password: kibibytes, passes and lanes of Argon2; the cost of bcrypt; N·r·p of scrypt,
 * which takes 128 bytes for each N·r; rounds of PBKDF2.
 */
const most = { memory: 262_144, passes: 16, lanes: 8, cost: 16, work: 2 ** 20, rounds: 2_000_000 };

/** Bytes of a digest. A shorter one could match by accident; a longer one takes several runs of PBKDF2. */
const digestBytes = { least: 16, most: 64 };
const mostSaltBytes = 128;

const argon2 =
  /^\$(argon2id?)\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]{11,172})\$([A-Za-z0-9+/]{22,86})$/;
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const scrypt =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,5}),p=(\d{1,5})\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/;
const pbkdf2 =
  /^\$(pbkdf2-sha(?:256|512))\$i=(\d{1,7})(?:,l=(\d{1,2}))?\$([A-Za-z0-9+/]+={0,2})\$([A-Za-z0-9+/]+={0,2})$/;
/** Django's format, in which the salt is text. */
const djangoPbkdf2 = /^pbkdf2_sha256\$(\d{1,7})\$([^$]+)\$([A-Za-z0-9+/]{43}=)$/;

/**
 * Parses a hash in the usual text form of its function (PHC) or in Django's. Null for another kind, or for a hash that
 * would cost too much to check.
 */
export function readHash(text: string): PasswordHash | null {
  return (
    readArgon2(text) ??
    readBcrypt(text) ??
    readScrypt(text) ??
    readPbkdf2(text) ??
    readDjangoPbkdf2(text)
  );
}

function readArgon2(text: string): PasswordHash | null {
  const [, kind, memory = "", passes = "", lanes = ""] = argon2.exec(text) ?? [];
  if (kind !== "argon2id" && kind !== "argon2i") return null;
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
  const isBounded = m <= most.memory && t <= most.passes && p <= most.lanes;
  // RFC 9106 §3.1.
  return isBounded && t >= 1 && p >= 1 && m >= 8 * p ? { kind, text } : null;
}

function readBcrypt(text: string): PasswordHash | null {
  const [, cost] = bcrypt.exec(text) ?? [];
  const isBounded = cost !== undefined && Number(cost) >= 4 && Number(cost) <= most.cost;
  return isBounded ? { kind: "bcrypt", text } : null;
}

function readScrypt(text: string): PasswordHash | null {
  const [, written = "", blocks = "", lanes = "", salt = "", digest = ""] = scrypt.exec(text) ?? [];
  const [ln, r, p] = [Number(written), Number(blocks), Number(lanes)];
  const isBounded = ln >= 1 && r >= 1 && p >= 1 && 2 ** ln * r * p <= most.work;
  const bytes = bytesOf(salt, digest);
  return isBounded && bytes !== null ? { kind: "scrypt", ln, r, p, ...bytes } : null;
}

function readPbkdf2(text: string): PasswordHash | null {
  const [, kind, written = "", length, salt = "", digest = ""] = pbkdf2.exec(text) ?? [];
  if (kind !== "pbkdf2-sha256" && kind !== "pbkdf2-sha512") return null;
  const rounds = Number(written);
  const bytes = bytesOf(salt, digest);
  if (bytes === null || rounds < 1 || rounds > most.rounds) return null;
  const isWhole = length === undefined || Number(length) === bytes.digest.length;
  return isWhole ? { kind, rounds, ...bytes } : null;
}

function readDjangoPbkdf2(text: string): PasswordHash | null {
  const [, written = "", salt = "", digest = ""] = djangoPbkdf2.exec(text) ?? [];
  const rounds = Number(written);
  const bytes = bytesOf(salt, digest, "utf8");
  if (bytes === null || rounds < 1 || rounds > most.rounds) return null;
  return { kind: "pbkdf2_sha256", rounds, ...bytes };
}

function bytesOf(salt: string, digest: string, saltEncoding: "base64" | "utf8" = "base64") {
  const bytes = { salt: Buffer.from(salt, saltEncoding), digest: Buffer.from(digest, "base64") };
  const { length } = bytes.digest;
  const isSound = length >= digestBytes.least && length <= digestBytes.most;
  return isSound && bytes.salt.length > 0 && bytes.salt.length <= mostSaltBytes ? bytes : null;
}
