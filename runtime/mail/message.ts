/** One of the few mails that the accounts send; all of it but the two names is of our own making. */
export type Message = Addressed & Content;

interface Addressed {
  /** In the form that addresses are stored in: one plain address, never a list. */
  readonly to: string;
  /** Whom to greet, as the person wrote it; null greets nobody by name. */
  readonly name: string | null;
}

type Content =
  | (Linked & { readonly kind: "sign-in-link" })
  | (Coded & { readonly kind: "sign-in-code" })
  /** The second step of a sign-in. */
  | (Coded & { readonly kind: "second-step-code" })
  /** Switching the emailed second step on. */
  | (Coded & { readonly kind: "set-up-code" })
  /** The link is null where the dashboard's address is not known. */
  | (Coded & { readonly kind: "verification"; readonly link: string | null })
  | (Linked & { readonly kind: "reset-link" })
  /** Somebody tried to register the address of an account once more. */
  | { readonly kind: "account-exists" };

interface Coded {
  /** Six digits. */
  readonly code: string;
  /** How long it counts. */
  readonly minutes: number;
}

interface Linked {
  readonly link: string;
  /** How long it counts. */
  readonly minutes: number;
}
