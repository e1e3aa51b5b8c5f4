import type { Message } from "../letter/message.js";

/**
 * The queue of an email. The requesting route determines it, never the account: emails to known addresses and decoys
 * for unknown ones share a queue. With separate queues, a full one would cause 503 responses for only one of the two
 * groups, and so reveal which addresses are known.
 */
export type Queue = "second-step" | "sign-in" | "reset" | "notices" | "registration" | "own";

/**
 * Within a queue, `low` is for emails to unverified addresses: anyone can register thousands and request codes for
 * them. They are sent after all others, and never from the slot reserved for an address's first email. Only their
 * recipients could notice: decoys are stored alike and never sent, and a queue's limit counts all emails.
 */
export type MailPriority = "normal" | "low";

/**
 * The weight of each queue in the random draw among the queues that have emails. Anyone can cause emails to any number
 * of addresses by registering them; the other emails need an account, and their recipients wait for them.
 */
export const weightOf: Readonly<Record<Queue, number>> = {
  "second-step": 8,
  "sign-in": 8,
  reset: 8,
  notices: 4,
  own: 4,
  registration: 1,
};

/** The queue for each kind of email. */
export const queueOf: Readonly<Record<Message["kind"], Queue>> = {
  "sign-in-link": "sign-in",
  "sign-in-code": "sign-in",
  "second-step-code": "second-step",
  "set-up-code": "second-step",
  verification: "registration",
  "account-exists": "registration",
  "reset-link": "reset",
  invitation: "reset",
  "email-change": "reset",
  "email-wanted": "reset",
  "password-changed": "notices",
  "password-reset": "notices",
  "second-step-on": "notices",
  "second-step-off": "notices",
  "backup-codes-renewed": "notices",
  "passkey-added": "notices",
  "passkey-removed": "notices",
  "identity-added": "notices",
  "identity-removed": "notices",
  "address-adopted": "notices",
  "email-change-requested": "notices",
  "email-changed": "notices",
  "app-connected": "notices",
  "app-token-reused": "notices",
  "viewed-as": "notices",
  "webhook-disabled": "notices",
};
