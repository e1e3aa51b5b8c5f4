import type { ProviderSettings } from "../../../../config/index.js";
import { normaliseAddress } from "../../../account/address.js";
import { nameShape } from "../../../account/input.js";
import type { GitHubUser } from "./github.js";
import type { Claims } from "./id-token.js";
import { isOneTenant } from "./microsoft.js";

/** Who somebody is at a provider, as far as it matters here. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  /** Normalised; null without one, and for one that no account here could have. */
  readonly email: string | null;
  /** Whether the provider guarantees that the address is theirs. */
  readonly isVouched: boolean;
  readonly name: string | null;
  /** By `roles` of the provider; null where nothing fits. */
  readonly role: string | null;
}

/** Claims about somebody that are not in the ID token. */
export interface MoreClaims {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
}

/** The profile of verified claims; null where Microsoft's lack who somebody is. */
export function profileOf(
  provider: ProviderSettings,
  claims: Claims,
  more: MoreClaims = {},
): Profile | null {
  const subject = provider.kind === "microsoft" ? claims.oid : claims.sub;
  if (typeof subject !== "string" || subject === "" || subject.length > 255) return null;
  const found = { ...claims, ...more };
  const email = typeof found.email === "string" ? normaliseAddress(found.email) : null;
  const isProved = email !== null && isVouched(provider, found.email_verified);
  const { email: _email, ...others } = claims;
  return {
    issuer: claims.iss,
    subject,
    email,
    isVouched: isProved,
    name: nameOf(found.name),
    // Anybody may write any address where nobody vouches for it.
    role: roleOf(provider, isProved ? claims : others),
  };
}

/** GitHub's profile; what it says was asked for with a token of its own. */
export function profileOfGitHub(provider: ProviderSettings, user: GitHubUser): Profile {
  const email = user.email === null ? null : normaliseAddress(user.email);
  return {
    issuer: provider.issuer,
    subject: user.id,
    email,
    isVouched: email !== null,
    name: nameOf(user.name),
    // The address that it vouches for, in place of the one that somebody shows to all.
    role: roleOf(provider, { ...user.claims, email: user.email }),
  };
}

/**
 * Whether an address counts as proved. Microsoft's is whatever an administrator of any tenant has written there, so it
 * counts only from the one tenant that is trusted, and never by its own word.
 */
export function isVouched(
  provider: Pick<ProviderSettings, "kind" | "issuer" | "tenant" | "trustEmail">,
  emailVerified: unknown,
): boolean {
  switch (provider.kind) {
    case "google":
    case "own":
    case "github":
      return emailVerified === true;
    case "apple":
      return emailVerified === true || emailVerified === "true";
    case "microsoft":
      return provider.trustEmail && isOneTenant(provider);
    default:
      return provider.kind satisfies never;
  }
}

/** The role of the first value in the map that the claim has: a text, or a list of texts. */
export function roleOf(
  { roles }: Pick<ProviderSettings, "roles">,
  claims: Readonly<Record<string, unknown>>,
): string | null {
  if (roles === null) return null;
  const claim = Object.hasOwn(claims, roles.claim) ? claims[roles.claim] : [];
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const found = roles.map.find(([value]) => values.includes(value));
  return found?.[1] ?? null;
}

/** A name that an account may have; null for anything else. */
function nameOf(name: unknown): string | null {
  return nameShape.safeParse(name).data ?? null;
}
