import { createHash, randomBytes } from "node:crypto";

/**
 * The prefix that marks the kind of a bearer token; tokens of devices and service tokens have none.
 */
export type TokenPrefix = "" | "app_" | "view_";

/** Makes a bearer token (32 random bytes, base64url), and the hash that is stored instead of it. */
export function newToken(prefix: TokenPrefix = ""): {
  readonly token: string;
  readonly hash: Buffer;
} {
  const token = prefix + randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

/** SHA-256. A token is random enough that neither a salt nor a slow hash would add anything. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Returns the token of an `Authorization: Bearer <token>` header. Null for another scheme, and for anything that is not
 * in the form of a token, which therefore costs no lookup.
 */
export function bearerToken(header: string | undefined): string | null {
  return bearer.exec(header ?? "")?.[1] ?? null;
}

// The scheme's name is case-insensitive (RFC 9110 §11.1); 32 bytes in base64url are 43 characters.
const bearer = /^[Bb][Ee][Aa][Rr][Ee][Rr] +((?:app_|view_)?[A-Za-z0-9_-]{43})$/;

export function prefixOf(token: string): TokenPrefix {
  if (token.length === 43) return "";
  return token.startsWith("app_") ? "app_" : "view_";
}
