export interface ProviderSettings {
  /** Lower-case letters, digits and `-`; stored with each identity. */
  readonly name: string;
  readonly title: string;
  readonly kind: "google" | "apple" | "github" | "microsoft" | "own";
  /** The issuer's URL without a trailing slash; Microsoft's is followed by the tenant. */
  readonly issuer: string;
  readonly clientId: string;
  /** All accepted audiences, `clientId` first. */
  readonly audiences: readonly string[];
  readonly secret: ClientSecret;
  readonly scope: string;
  /** Whether signing in without an account creates one. */
  readonly register: boolean;
  /** The normalized domains of allowed addresses; empty means all. */
  readonly domains: readonly string[];
  /** The claim that contains the email address: a name, or a path. */
  readonly emailClaim: string;
  /** Whether an account's second step is still required. */
  readonly secondStep: boolean;
  /** Maximum lifetime of the provider's sessions in hours; null: no separate limit. */
  readonly sessionHours: number | null;
  readonly roles: RoleClaim | null;
  /** Microsoft's tenant; null for other providers. */
  readonly tenant: string | null;
  /** Whether addresses from Microsoft are trusted. */
  readonly trustEmail: boolean;
}

export type ClientSecret =
  | { readonly kind: "shared"; readonly secret: string }
  /** Apple's client secrets are created per request. */
  | {
      readonly kind: "key";
      readonly teamId: string;
      readonly keyId: string;
      /** The key in PEM. */
      readonly privateKey: string;
    };

/** How roles are derived from a claim. */
export interface RoleClaim {
  /** The claim: a name, or a path. */
  readonly claim: string;
  /** Whether sign-ins without the claim are refused. */
  readonly required: boolean;
  /** Values of the claim with their roles, in the order of the file; the first match counts. */
  readonly map: readonly (readonly [value: string, role: string])[];
}
