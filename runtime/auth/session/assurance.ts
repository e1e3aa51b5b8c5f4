import type { EnrolledFactor } from "../account/store.js";

/** A factor that says who somebody is. */
export type FirstProof = "password" | "passkey" | "magic-link" | "email-code";

/** A factor that completes a first one. */
export type SecondProof = "totp" | "email" | "backup";

/** The factors that were shown, in their order. */
export type Proofs = readonly [FirstProof, ...SecondProof[]];

/** Everything the second step depends on. */
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

/** The second step matrix of the specification: whether the proofs so far are enough, or what may complete them. */
export function assure({
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
      // A verified passkey is two factors by itself: the device, and what unlocks it.
      return [];
    case "magic-link":
    case "email-code":
      // Who reads the mail has shown all that an emailed code could show once more.
      return authenticator ? withBackup(settings.authenticator ? ["totp"] : []) : [];
    case "password": {
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

/** Backup codes stand in for another method; alone they are no second step. */
function withBackup(methods: readonly SecondProof[]): readonly SecondProof[] {
  return methods.length === 0 ? [] : [...methods, "backup"];
}
