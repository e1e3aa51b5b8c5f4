/** Somebody else with whom people sign in. */
export interface ProviderSettings {
  /** Lower-case letters, digits and `-`; stored with each identity. */
  readonly name: string;
  readonly title: string;
  readonly kind: "google" | "apple" | "github" | "microsoft" | "own";
  /** Without a trailing slash; Microsoft's is followed by the tenant. */
  readonly issuer: string;
  readonly clientId: string;
  /** Every audience that is accepted, `clientId` first. */
  readonly audiences: readonly string[];
  readonly secret: ClientSecret;
  readonly scope: string;
  /** Whether somebody without an account gets one. */
  readonly register: boolean;
  /** Domains of addresses, normalised; empty: all. */
  readonly domains: readonly string[];
  /** The claim that has somebody's address: a name, or a path. */
  readonly emailClaim: string;
  /** Whether an account with a second step is asked for it. */
  readonly secondStep: boolean;
  /** How long a session that it opened lasts at most; null: as long as any other. */
  readonly sessionHours: number | null;
  readonly roles: RoleClaim | null;
  /** Microsoft's; null for the others. */
  readonly tenant: string | null;
  /** Whether Microsoft's addresses are believed. */
  readonly trustEmail: boolean;
}

export type ClientSecret =
  | { readonly kind: "shared"; readonly secret: string }
  /** Apple's are made for each request. */
  | {
      readonly kind: "key";
      readonly teamId: string;
      readonly keyId: string;
      /** PEM. */
      readonly privateKey: string;
    };

/** How roles follow from a claim. */
export interface RoleClaim {
  /** A name, or a path. */
  readonly claim: string;
  /** Whether sign-ins without it are refused. */
  readonly required: boolean;
  /** Values of the claim and their roles, in the order of the file; the first that fits counts. */
  readonly map: readonly (readonly [value: string, role: string])[];
}
