/**
 * A mail about an account. Everything in it but the recipient's name and address is generated. It is stored as
 * JSON until it is sent.
 */
export type Message = Addressed & Content;

interface Addressed {
  /** Normalised: one plain address, never a list. */
  readonly to: string;
  /** The name for the greeting, as its owner wrote it; null greets without a name. */
  readonly name: string | null;
}

type Content =
  | (Linked & { readonly kind: "sign-in-link" })
  | (Coded & { readonly kind: "sign-in-code" })
  /** The second step of a sign-in. */
  | (Coded & { readonly kind: "second-step-code" })
  /** Switching the emailed second step on. */
  | (Coded & { readonly kind: "set-up-code" })
  /** The link is null when the dashboard's address is not configured. */
  | (Coded & { readonly kind: "verification"; readonly link: string | null })
  | (Linked & { readonly kind: "reset-link" })
  /** An operator has made the account; the link sets its first password. */
  | (Linked & { readonly kind: "invitation" })
  /** Somebody tried to register the address of an account once more. */
  | { readonly kind: "account-exists" }
  /** To the new address of an account. The link is null when the dashboard's address is not configured. */
  | (Coded & { readonly kind: "email-change"; readonly link: string | null })
  /** Somebody tried to change the address of another account to this one's. */
  | { readonly kind: "email-wanted" }
  /** For operators. */
  | {
      readonly kind: "webhook-disabled";
      /** Of its address: the rest may be secret. */
      readonly host: string;
      /** Whether its receiver said so, rather than failing for days. */
      readonly isGone: boolean;
    }
  | (Notice & { readonly kind: Exclude<NoticeKind, IdentityNotice> })
  | (Notice & {
      readonly kind: IdentityNotice;
      /** What people call it, such as Google. */
      readonly provider: string;
    });

type IdentityNotice = "identity-added" | "identity-removed";

/** Changes to how an account is signed in to, of which its owner is notified. */
export type NoticeKind =
  | "password-changed"
  | "password-reset"
  | "second-step-on"
  | "second-step-off"
  | "backup-codes-renewed"
  | "passkey-added"
  | "passkey-removed"
  | "identity-added"
  | "identity-removed"
  /** A reader of the address has taken over an account that was set up before the address was verified. */
  | "address-adopted"
  /** To the present address, before the new one is proved. */
  | "email-change-requested"
  /** To the former address: an operator has chosen another one. */
  | "email-changed";

interface Notice {
  /** When it happened, in ISO 8601: the mail may arrive later. */
  readonly at: string;
}

interface Coded {
  /** Six digits. */
  readonly code: string;
  /** How long it works. */
  readonly minutes: number;
}

interface Linked {
  readonly link: string;
  /** How long it works. */
  readonly minutes: number;
}

/** How long what has no code and no link is worth sending. */
const minutesWithoutCode = 24 * 60;

/** How long a message is worth sending. */
export function lifetimeMinutes(message: Message): number {
  return "minutes" in message ? message.minutes : minutesWithoutCode;
}

/** Whether a message replaces queued ones of its kind to the address: a new code invalidates the previous one. */
export function supersedes(message: Message): boolean {
  return !isNotice(message) && message.kind !== "webhook-disabled";
}

/** Whether a message notifies an owner of a change. */
export function isNotice(message: Message): message is Message & { readonly kind: NoticeKind } {
  return "at" in message;
}
