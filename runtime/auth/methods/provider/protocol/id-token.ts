import { type JWTPayload, jwtVerify } from "jose";
import { isUnavailable } from "./ask.js";
import { keysOf } from "./keys.js";
import type { Asked, Metadata } from "./metadata.js";
import { tokenIssuer } from "./microsoft.js";

/** What a provider says about somebody, signed by it and for this app. */
export type Claims = JWTPayload & {
  readonly iss: string;
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
};

/** Public keys only: with a shared secret, or none, anybody who knows the client could sign. */
const algorithms = [
  ..."RS256 RS384 RS512 PS256 PS384 PS512".split(" "),
  ..."ES256 ES384 ES512 EdDSA Ed25519".split(" "),
];

/** Seconds that clocks may differ. */
export const maxSkew = 60;

/**
 * Judges an ID token: its signature, issuer, audience, times and nonce. Null when any of them is not right. Both ways in
 * have one judge, which knows several audiences, and the issuer that Microsoft has for each tenant.
 */
export async function judgeIdToken(
  asked: Asked,
  metadata: Metadata,
  { idToken, nonce }: { readonly idToken: string; readonly nonce: string },
): Promise<Claims | null> {
  const now = asked.clock.now();
  try {
    const { payload } = await jwtVerify(idToken, keysOf(asked, metadata), {
      algorithms,
      clockTolerance: maxSkew,
      currentDate: now,
      requiredClaims: ["iss", "sub", "aud", "exp", "iat", "nonce"],
    });
    const isForUs = isOurs(asked, payload) && payload.nonce === nonce;
    return isForUs && isClaims(payload) && isIssued(asked, metadata, payload, now) ? payload : null;
  } catch (error) {
    // Every other error is about what the provider, or somebody in its place, has written.
    if (isUnavailable(error)) throw error;
    return null;
  }
}

function isClaims(payload: JWTPayload): payload is Claims {
  const { iss, sub, iat, exp } = payload;
  return (
    typeof iss === "string" &&
    typeof sub === "string" &&
    sub !== "" &&
    sub.length <= 255 &&
    typeof iat === "number" &&
    typeof exp === "number"
  );
}

function isIssued(
  { provider }: Asked,
  { issuer }: Metadata,
  { iss, iat, tid }: Claims,
  now: Date,
): boolean {
  const expected = provider.kind === "microsoft" ? tokenIssuer(provider, issuer, tid) : issuer;
  return iss === expected && iat <= now.getTime() / 1000 + maxSkew;
}

/** Whether every audience, and the party that it was issued to, is one of this app's clients. */
function isOurs({ provider: { audiences } }: Asked, { aud, azp }: JWTPayload): boolean {
  const named = typeof aud === "string" ? [aud] : (aud ?? []);
  const isKnown = (one: unknown) => audiences.some((known) => known === one);
  return named.length > 0 && named.every(isKnown) && (azp === undefined || isKnown(azp));
}
