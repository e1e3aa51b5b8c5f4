/**
 * One of the few mails that the accounts send; all of it but the two names is of our own making. It is
 * stored as JSON until it is sent.
 */
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
  | { readonly kind: "account-exists" }
  | (Notice & { readonly kind: NoticeKind });

/** What an owner is told of: changes to how the account is signed in to. */
export type NoticeKind =
  | "password-changed"
  | "password-reset"
  | "second-step-on"
  | "second-step-off"
  | "backup-codes-renewed"
  | "passkey-added"
  | "passkey-removed"
  /** A reader of the address has got the account, which had been set up before anybody proved it. */
  | "address-adopted";

interface Notice {
  /** When it happened, in ISO 8601: the mail may come later. */
  readonly at: string;
}

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

/** A notice is worth reading for a day, as is that an account exists. */
const minutesWithoutCode = 24 * 60;

/** How long it is worth while to send a message. */
export function minutesOf(message: Message): number {
  return "minutes" in message ? message.minutes : minutesWithoutCode;
}

/** Whether earlier messages of the kind to the address are worthless: a new code makes the former dead. */
export function supersedes(message: Message): boolean {
  return !isNotice(message);
}

/** Whether a message tells an owner what changed. */
export function isNotice(message: Message): message is Message & { readonly kind: NoticeKind } {
  return "at" in message;
}
