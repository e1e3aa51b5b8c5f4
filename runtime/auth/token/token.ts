import { createHash, randomBytes } from "node:crypto";

/** A new bearer token (32 random bytes, base64url) and the only thing of it that is stored. */
export function newToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

/** SHA-256. A token is random enough that neither salt nor slowness would add anything. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
