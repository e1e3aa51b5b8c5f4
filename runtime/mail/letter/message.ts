/**
 * An email about an account, stored as JSON until it is sent. Only the recipient's name and address come from users.
 */
export type Message = Addressed & Content;

interface Addressed {
  /** Normalized: one plain address, never a list. */
  readonly to: string;
  /** The name for the greeting, as the account's owner entered it; null for a greeting without a name. */
  readonly name: string | null;
}

type Content =
  | (Linked & { readonly kind: "sign-in-link" })
  | (Coded & { readonly kind: "sign-in-code" })
  /** The code for the second step of a sign-in. */
  | (Coded & { readonly kind: "second-step-code" })
  /** The code for enabling the second step by email. */
  | (Coded & { readonly kind: "set-up-code" })
  /** The link is null if no address of the dashboard is configured. */
  | (Coded & { readonly kind: "verification"; readonly link: string | null })
  | (Linked & { readonly kind: "reset-link" })
  /** Sent when an operator creates the account; the link sets its first password. */
  | (Linked & { readonly kind: "invitation" })
  /** Reports an attempt to register the address of an existing account. */
  | { readonly kind: "account-exists" }
  /** Sent to the new address of an account. The link is null if no address of the dashboard is configured. */
  | (Coded & { readonly kind: "email-change"; readonly link: string | null })
  /** Reports an attempt to change another account's address to this one. */
  | { readonly kind: "email-wanted" }
  /** Sent to operators. */
  | {
      readonly kind: "webhook-disabled";
      /** The host of the webhook's URL; the rest may be secret. */
      readonly host: string;
      /** Whether the receiver reported that the endpoint was removed, instead of failing for days. */
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

/** Changes to an account's sign-in methods of which its owner is notified. */
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
  /** The account existed before its address was verified; the owner of the address has taken it over. */
  | "address-adopted"
  /** Sent to the current address before the new one is verified. */
  | "email-change-requested"
  /** Sent to the previous address after an operator changed it. */
  | "email-changed"
  /** An app was authorized to act for the account. */
  | "app-connected"
  /** An app was disconnected because one of its tokens was used twice. */
  | "app-token-reused"
  /** An operator is viewing the app as the account. */
  | "viewed-as";

interface Notice {
  /** When it happened, in ISO 8601: the email may arrive later. */
  readonly at: string;
}

interface Coded {
  /** Six digits. */
  readonly code: string;
  /** The lifetime of the code in minutes. */
  readonly minutes: number;
}

interface Linked {
  readonly link: string;
  /** The lifetime of the link in minutes. */
  readonly minutes: number;
}

/** The lifetime in minutes of emails without a code or link. */
const minutesWithoutCode = 24 * 60;

/** The minutes after which a message is no longer sent. */
export function lifetimeMinutes(message: Message): number {
  return "minutes" in message ? message.minutes : minutesWithoutCode;
}

/** Whether a message replaces queued ones of its kind to the same address: a new code invalidates the previous one. */
export function supersedes(message: Message): boolean {
  return !isNotice(message) && message.kind !== "webhook-disabled";
}

/** Whether a message notifies an account's owner of a change. */
export function isNotice(message: Message): message is Message & { readonly kind: NoticeKind } {
  return "at" in message;
}
