import type { Message } from "./message.js";

/**
 * Where a mail waits. The route that asks for it decides, never the account: what is mailed to a known
 * address and to an unknown one waits in the same place.
 */
export type Queue = "second-step" | "sign-in" | "reset" | "notices" | "registration";

/**
 * How often a queue is drawn while others have mails too. Everybody can have mails sent to any number of
 * addresses by registering them; to ask for the others takes an account, and somebody waits for them.
 */
export const turnsOf: Readonly<Record<Queue, number>> = {
  "second-step": 8,
  "sign-in": 8,
  reset: 8,
  notices: 4,
  registration: 1,
};

/** The queue of each kind of mail. */
export const queueOf: Readonly<Record<Message["kind"], Queue>> = {
  "sign-in-link": "sign-in",
  "sign-in-code": "sign-in",
  "second-step-code": "second-step",
  "set-up-code": "second-step",
  verification: "registration",
  "account-exists": "registration",
  "reset-link": "reset",
  "password-changed": "notices",
  "password-reset": "notices",
  "second-step-on": "notices",
  "second-step-off": "notices",
  "backup-codes-renewed": "notices",
  "passkey-added": "notices",
  "passkey-removed": "notices",
  "address-adopted": "notices",
};
