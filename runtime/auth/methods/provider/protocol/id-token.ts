import { errors, type JWTPayload, jwtVerify } from "jose";
import { isUnavailable } from "./ask.js";
import { isSubject } from "./claim.js";
import { keysOf } from "./keys.js";
import type { Metadata, ProviderSource } from "./metadata.js";
import { tokenIssuer } from "./microsoft.js";
import { AnswerRefused } from "./refused.js";

/** Claims about a person, signed by the provider for this app. */
export type Claims = JWTPayload & {
  readonly iss: string;
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
};

/** Only algorithms with public keys: with a shared secret or `none`, anyone who has the client's secret could sign. */
const algorithms = [
  ..."RS256 RS384 RS512 PS256 PS384 PS512".split(" "),
  ..."ES256 ES384 ES512 EdDSA Ed25519".split(" "),
];

/** Seconds by which clocks may differ. */
export const maxSkew = 60;

/** The latest time that a `Date` can hold, in seconds since 1970. */
const maxSeconds = 8_640_000_000_000;

/** The latest accepted `exp`: it leaves room for the time for which a token is remembered after it expires. */
export const maxExpiry = maxSeconds - 2 * 3600;

/**
 * Checks an ID token like `judgeSigned`, and its nonce. Throws `AnswerRefused` if the token is invalid. Used for
 * sign-ins in the browser and in native apps.
 */
export async function judgeIdToken(
  source: ProviderSource,
  metadata: Metadata,
  { idToken, nonce }: { readonly idToken: string; readonly nonce: string },
): Promise<Claims> {
  const claims = await judgeSigned(source, metadata, { token: idToken, required: ["nonce"] });
  if (claims.nonce !== nonce) throw new AnswerRefused("it belongs to another sign-in (nonce)");
  return claims;
}

/** A token, and its additional required claims. */
interface Signed {
  readonly token: string;
  readonly required: readonly string[];
}

/**
 * Checks the common parts of a provider's tokens: signature, issuer, audience, times and subject. Throws
 * `AnswerRefused` if any of them is invalid. Supports several audiences, and Microsoft's issuer per tenant.
 */
export async function judgeSigned(
  source: ProviderSource,
  metadata: Metadata,
  signed: Signed,
): Promise<Claims> {
  const now = source.clock.now();
  const payload = await verifiedPayload(source, metadata, { ...signed, now });
  if (!isOurs(source, payload)) throw new AnswerRefused("it is for another client (aud, azp)");
  if (!isClaims(payload)) throw new AnswerRefused("iss, sub, iat or exp has an invalid value");
  if (!isIssued(source, metadata, payload)) throw new AnswerRefused("it has another issuer (iss)");
  if (payload.iat > now.getTime() / 1000 + maxSkew) {
    throw new AnswerRefused("its time of issue is in the future (iat)");
  }
  return payload;
}

async function verifiedPayload(
  source: ProviderSource,
  metadata: Metadata,
  { token, required, now }: Signed & { readonly now: Date },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keysOf(source, metadata), {
      algorithms,
      clockTolerance: maxSkew,
      currentDate: now,
      requiredClaims: ["iss", "sub", "aud", "exp", "iat", ...required],
    });
    return payload;
  } catch (error) {
    // All other errors are about content from the provider or from an impostor.
    if (isUnavailable(error)) throw error;
    throw new AnswerRefused(reasonOf(error));
  }
}

/** The reason by the library's error code; the library reports only the claims above. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "it has expired (exp)";
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `${error.claim} is ${error.reason === "missing" ? "missing" : "invalid"}`;
  }
  return error instanceof errors.JOSEError ? error.code : "it is not a JWT";
}

function isClaims(payload: JWTPayload): payload is Claims {
  const { iss, sub, iat, exp } = payload;
  return (
    typeof iss === "string" &&
    isSubject(sub) &&
    typeof iat === "number" &&
    typeof exp === "number" &&
    exp <= maxExpiry
  );
}

function isIssued(
  { provider }: ProviderSource,
  { issuer }: Metadata,
  { iss, tid }: Claims,
): boolean {
  return iss === (provider.kind === "microsoft" ? tokenIssuer(provider, issuer, tid) : issuer);
}

/** Whether every audience, and the authorized party, is one of this app's clients. */
function isOurs({ provider: { audiences } }: ProviderSource, { aud, azp }: JWTPayload): boolean {
  const named = typeof aud === "string" ? [aud] : (aud ?? []);
  const isKnown = (one: unknown) => audiences.some((known) => known === one);
  return named.length > 0 && named.every(isKnown) && (azp === undefined || isKnown(azp));
}
