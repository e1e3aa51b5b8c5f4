import type { EnrolledFactor } from "../account/store.js";

/** A factor that identifies an account. */
export type FirstProof =
  | "password"
  | "passkey"
  | "magic-link"
  | "email-code"
  | "provider"
  /** An address that a provider vouches for, and that was not proved before: counts like a proof by email. */
  | "vouched-address"
  /** A sign-in by a provider that is configured to need no second step. */
  | "trusted-provider";

/** A factor that completes a sign-in begun with a first one. */
export type SecondProof = "totp" | "email" | "backup";

/** The factors proved so far, in order. */
export type Proofs = readonly [FirstProof, ...SecondProof[]];

/** Everything that the second step depends on. */
export interface AssuranceFacts {
  readonly proofs: Proofs;
  readonly enrolled: readonly EnrolledFactor[];
  /** The configuration's `auth.two_factor`. */
  readonly settings: { readonly authenticator: boolean; readonly email: boolean };
}

export type Assurance =
  | { readonly kind: "signed-in" }
  | { readonly kind: "second-step"; readonly methods: readonly SecondProof[] };

const signedIn: Assurance = { kind: "signed-in" };

/** Decides whether the proofs so far are enough, or which second steps can complete them. */
export function assess({
  proofs: [first, ...seconds],
  enrolled,
  settings,
}: AssuranceFacts): Assurance {
  const methods = secondStep(first, enrolled, settings);
  if (methods.length === 0 || seconds.some((proof) => methods.includes(proof))) return signedIn;
  return { kind: "second-step", methods };
}

function secondStep(
  first: FirstProof,
  enrolled: AssuranceFacts["enrolled"],
  settings: AssuranceFacts["settings"],
): readonly SecondProof[] {
  const authenticator = enrolled.includes("authenticator");
  switch (first) {
    case "passkey":
    case "trusted-provider":
      // A verified passkey is two factors: the device, and what unlocks it.
      return [];
    case "magic-link":
    case "email-code":
    case "vouched-address":
      // An emailed code would prove nothing more than the email already has.
      return authenticator ? withBackup(settings.authenticator ? ["totp"] : []) : [];
    case "password":
    case "provider": {
      const totp = authenticator && settings.authenticator;
      const email = enrolled.length > 0 && settings.email;
      return withBackup([
        ...(totp ? (["totp"] as const) : []),
        ...(email ? (["email"] as const) : []),
      ]);
    }
    default:
      return first satisfies never;
  }
}

/** Backup codes substitute for another method; alone they are not a second step. */
function withBackup(methods: readonly SecondProof[]): readonly SecondProof[] {
  return methods.length === 0 ? [] : [...methods, "backup"];
}
