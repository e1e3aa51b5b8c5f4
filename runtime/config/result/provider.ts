/** An external sign-in provider. */
export interface ProviderSettings {
  /** Lower-case letters, digits and `-`; stored with each identity. */
  readonly name: string;
  readonly title: string;
  readonly kind: "google" | "apple" | "github" | "microsoft" | "own";
  /** Without a trailing slash; Microsoft's is followed by the tenant. */
  readonly issuer: string;
  readonly clientId: string;
  /** All accepted audiences, `clientId` first. */
  readonly audiences: readonly string[];
  readonly secret: ClientSecret;
  readonly scope: string;
  /** Whether a sign-in without an account creates one. */
  readonly register: boolean;
  /** Normalised domains of addresses; empty: all. */
  readonly domains: readonly string[];
  /** The claim with the email address: a name, or a path. */
  readonly emailClaim: string;
  /** Whether an account's second step is required. */
  readonly secondStep: boolean;
  /** The maximum lifetime of its sessions; null: no separate limit. */
  readonly sessionHours: number | null;
  readonly roles: RoleClaim | null;
  /** Microsoft's; null for the others. */
  readonly tenant: string | null;
  /** Whether Microsoft's addresses are trusted. */
  readonly trustEmail: boolean;
}

export type ClientSecret =
  | { readonly kind: "shared"; readonly secret: string }
  /** Apple's client secrets are created for each request. */
  | {
      readonly kind: "key";
      readonly teamId: string;
      readonly keyId: string;
      /** PEM. */
      readonly privateKey: string;
    };

/** Determines roles from a claim. */
export interface RoleClaim {
  /** A name, or a path. */
  readonly claim: string;
  /** Whether sign-ins without it are refused. */
  readonly required: boolean;
  /** Values of the claim and their roles, in the order of the file; the first match counts. */
  readonly map: readonly (readonly [value: string, role: string])[];
}
