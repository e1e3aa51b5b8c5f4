import type { ProviderSettings } from "../../../../config/index.js";
import { normaliseAddress } from "../../../account/address.js";
import { nameShape } from "../../../account/input.js";
import { claimAt, isSubject } from "./claim.js";
import type { GitHubUser } from "./github.js";
import type { Claims } from "./id-token.js";
import { isOneTenant } from "./microsoft.js";
import { AnswerRefused } from "./refused.js";

/** The relevant part of a person's profile at a provider. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  /** The normalized address; null if it is missing, or invalid for accounts here. */
  readonly email: string | null;
  /** Whether the provider guarantees that the address belongs to the person. */
  readonly isVouched: boolean;
  readonly name: string | null;
  /**
   * The role by the provider's `roles`: null if nothing matches; omitted if the claim is missing or `roles` is not set.
   */
  readonly role?: string | null;
}

/** Claims, and responses about a person that are read like claims. */
type AnyClaims = Readonly<Record<string, unknown>>;

/**
 * Returns the profile from the ID token's verified claims, and from `more` claims outside it. Refuses Microsoft's
 * claims if they lack the person's id.
 */
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

/** GitHub's profile, which was requested with the person's access token. */
export function profileOfGitHub(provider: ProviderSettings, user: GitHubUser): Profile {
  // The address that GitHub has verified, in place of the public one.
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

/** Returns the normalized address in its claim; null if there is none. */
function addressIn(
  { emailClaim }: Pick<ProviderSettings, "emailClaim">,
  claims: AnyClaims,
): string | null {
  const address = claimAt(claims, emailClaim);
  return typeof address === "string" ? normaliseAddress(address) : null;
}

/**
 * Whether an address counts as proved. An administrator of any Microsoft tenant can set any address, so it counts only
 * from the one trusted tenant, and never because of Microsoft's own claim.
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

/**
 * The role of the first map entry whose value is in the claim, a text or a list of texts. Empty if the claim is
 * missing.
 */
export function roleOf(
  provider: Parameters<typeof isVouched>[0] & Pick<ProviderSettings, "roles" | "emailClaim">,
  claims: AnyClaims,
): Pick<Profile, "role"> {
  const { roles, emailClaim } = provider;
  const claim = roles === null ? undefined : claimAt(claims, roles.claim);
  if (roles === null || claim === undefined) return {};
  // An address that the provider does not guarantee may belong to another person.
  const isAddress = roles.claim === emailClaim || roles.claim === "email";
  if (isAddress && !isVouched(provider, claims.email_verified)) return { role: null };
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return { role: roles.map.find(([value]) => values.includes(value))?.[1] ?? null };
}

/** A valid name for an account; null for anything else. */
function nameOf(name: unknown): string | null {
  return nameShape.safeParse(name).data ?? null;
}
