import type { ProviderSettings } from "../../../../config/index.js";
import { normaliseAddress } from "../../../account/address.js";
import { nameShape } from "../../../account/input.js";
import { claimAt, isSubject } from "./claim.js";
import type { GitHubUser } from "./github.js";
import type { Claims } from "./id-token.js";
import { isOneTenant } from "./microsoft.js";
import { AnswerRefused } from "./refused.js";

/** Who somebody is at a provider, as far as it matters here. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  /** Normalised; null without one, and for one that no account here could have. */
  readonly email: string | null;
  /** Whether the provider guarantees that the address is theirs. */
  readonly isVouched: boolean;
  readonly name: string | null;
  /** By `roles` of the provider: null if nothing fits; left out if the claim is missing, and without `roles`. */
  readonly role?: string | null;
}

/** Claims, and answers about somebody that are read like them. */
type AnyClaims = Readonly<Record<string, unknown>>;

/** The profile of verified claims, and of more that are not in the ID token. Refuses Microsoft's if they lack who somebody is. */
export function profileOf(
  provider: ProviderSettings,
  claims: Claims,
  more: AnyClaims = {},
): Profile {
  const subject = provider.kind === "microsoft" ? claims.oid : claims.sub;
  if (!isSubject(subject)) throw new AnswerRefused("the claim oid is missing or invalid");
  const all: AnyClaims = { ...claims, ...more };
  const email = addressIn(provider, all);
  return {
    issuer: claims.iss,
    subject,
    email,
    isVouched: email !== null && isVouched(provider, all.email_verified),
    name: nameOf(all.name),
    ...roleOf(provider, claims),
  };
}

/** GitHub's profile; what it says was asked for with a token of its own. */
export function profileOfGitHub(provider: ProviderSettings, user: GitHubUser): Profile {
  // The address that GitHub vouches for, in place of the one that somebody shows to all.
  const claims = { ...user.claims, email: user.email, email_verified: user.email !== null };
  const email = addressIn(provider, claims);
  return {
    issuer: provider.issuer,
    subject: user.id,
    email,
    isVouched: email !== null && email === addressIn({ emailClaim: "email" }, claims),
    name: nameOf(user.name),
    ...roleOf(provider, claims),
  };
}

/** The normalised address in the claim that has it; null without one. */
function addressIn(
  { emailClaim }: Pick<ProviderSettings, "emailClaim">,
  claims: AnyClaims,
): string | null {
  const address = claimAt(claims, emailClaim);
  return typeof address === "string" ? normaliseAddress(address) : null;
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
    case "apple":
      return emailVerified === true || emailVerified === "true";
    case "microsoft":
      return provider.trustEmail && isOneTenant(provider);
    default:
      return provider.kind satisfies never;
  }
}

/** The role of the first value in the map that the claim has: a text, or a list of texts. Nothing without the claim. */
export function roleOf(
  provider: Parameters<typeof isVouched>[0] & Pick<ProviderSettings, "roles" | "emailClaim">,
  claims: AnyClaims,
): Pick<Profile, "role"> {
  const { roles, emailClaim } = provider;
  const claim = roles === null ? undefined : claimAt(claims, roles.claim);
  if (roles === null || claim === undefined) return {};
  // Anybody may write any address where nobody vouches for it.
  const isAddress = roles.claim === emailClaim || roles.claim === "email";
  if (isAddress && !isVouched(provider, claims.email_verified)) return { role: null };
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return { role: roles.map.find(([value]) => values.includes(value))?.[1] ?? null };
}

/** A name that an account may have; null for anything else. */
function nameOf(name: unknown): string | null {
  return nameShape.safeParse(name).data ?? null;
}
