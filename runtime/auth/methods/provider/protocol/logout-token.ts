import { decodeJwt, type JWTPayload } from "jose";
import type { ProviderSettings } from "../../../../config/index.js";
import { type Claims, judgeSigned } from "./id-token.js";
import type { Metadata, ProviderSource } from "./metadata.js";
import { AnswerRefused } from "./refused.js";

/** The member of `events` that makes a token a logout token. */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** The providers that may have issued a logout token, by its unverified claims. GitHub signs no tokens. */
export function providersOfToken(
  token: string,
  providers: readonly ProviderSettings[],
): readonly ProviderSettings[] {
  const { iss, aud } = unverified(token);
  const named: readonly unknown[] = typeof aud === "string" ? [aud] : (aud ?? []);
  return providers.filter(
    ({ kind, issuer, audiences }) =>
      kind !== "github" &&
      iss?.startsWith(issuer) === true &&
      audiences.some((known) => named.includes(known)),
  );
}

function unverified(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/**
 * Checks a logout token like an ID token, and by the rules for logout tokens (OpenID Connect Back-Channel Logout 1.0
 * §2.6). Throws `AnswerRefused` if the token is invalid.
 */
export async function judgeLogoutToken(
  source: ProviderSource,
  metadata: Metadata,
  token: string,
): Promise<Claims> {
  const claims = await judgeSigned(source, metadata, { token, required: ["jti", "events"] });
  const { jti, events, nonce } = claims;
  if (nonce !== undefined) throw new AnswerRefused("it has a nonce, like an ID token");
  if (typeof jti !== "string" || jti === "") throw new AnswerRefused("jti is invalid");
  if (!isLogout(events)) throw new AnswerRefused("it describes no sign-out (events)");
  return claims;
}

function isLogout(events: unknown): boolean {
  return isObject(events) && Object.hasOwn(events, logoutEvent) && isObject(events[logoutEvent]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
