/**
 * An email about an account. Only the recipient's name and address come from outside. It is stored as JSON until it is
 * sent.
 */
export type Message = Addressed & Content;

interface Addressed {
  /** Normalised: one plain address, never a list. */
  readonly to: string;
  /** The name for the greeting, as the account holder wrote it; null for a greeting without a name. */
  readonly name: string | null;
}

type Content =
  | (Linked & { readonly kind: "sign-in-link" })
  | (Coded & { readonly kind: "sign-in-code" })
  /** The second step of a sign-in. */
  | (Coded & { readonly kind: "second-step-code" })
  /** Enabling the second step by mail. */
  | (Coded & { readonly kind: "set-up-code" })
  /** The link is null if the dashboard's address is not configured. */
  | (Coded & { readonly kind: "verification"; readonly link: string | null })
  | (Linked & { readonly kind: "reset-link" })
  /** An operator has created the account; the link sets its first password. */
  | (Linked & { readonly kind: "invitation" })
  /** An attempt to register the address of an existing account. */
  | { readonly kind: "account-exists" }
  /** To the new address of an account. The link is null if the dashboard's address is not configured. */
  | (Coded & { readonly kind: "email-change"; readonly link: string | null })
  /** An attempt to change another account's address to this one. */
  | { readonly kind: "email-wanted" }
  /** For operators. */
  | {
      readonly kind: "webhook-disabled";
      /** The host of the webhook's URL; the rest may be secret. */
      readonly host: string;
      /** Whether the receiver reported its removal, rather than failing for days. */
      readonly isGone: boolean;
    }
  | (Notice & { readonly kind: Exclude<NoticeKind, IdentityNotice | AppNotice> })
  | (Notice & {
      readonly kind: AppNotice;
      /** The app's host. */
      readonly host: string;
    })
  | (Notice & {
      readonly kind: IdentityNotice;
      /** The provider's usual name, such as Google. */
      readonly provider: string;
    });

type IdentityNotice = "identity-added" | "identity-removed";
type AppNotice = "app-connected" | "app-token-reused";

/** Changes to an account's ways to sign in, which its owner is notified of. */
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
  /** An account set up before its address was verified was taken over by a reader of the address. */
  | "address-adopted"
  /** To the current address, before the new one is verified. */
  | "email-change-requested"
  /** To the previous address: an operator has chosen another one. */
  | "email-changed"
  /** An app was allowed to act for the account. */
  | "app-connected"
  /** An app was disconnected, because one of its tokens was used twice. */
  | "app-token-reused"
  /** An operator views the app as the account. */
  | "viewed-as";

interface Notice {
  /** When it happened, in ISO 8601: the email may arrive later. */
  readonly at: string;
}

interface Coded {
  /** Six digits. */
  readonly code: string;
  /** The lifetime of the code. */
  readonly minutes: number;
}

interface Linked {
  readonly link: string;
  /** The lifetime of the link. */
  readonly minutes: number;
}

/** The lifetime of emails without a code or link. */
const minutesWithoutCode = 24 * 60;

/** The minutes after which a message is no longer sent. */
export function lifetimeMinutes(message: Message): number {
  return "minutes" in message ? message.minutes : minutesWithoutCode;
}

/** Whether a message replaces queued ones of its kind to the address: a new code invalidates the previous one. */
export function supersedes(message: Message): boolean {
  return !isNotice(message) && message.kind !== "webhook-disabled";
}

/** Whether a message notifies an account's owner of a change. */
export function isNotice(message: Message): message is Message & { readonly kind: NoticeKind } {
  return "at" in message;
}
