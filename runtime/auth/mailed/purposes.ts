import type { Message } from "../../mail/index.js";

/** What somebody who reads an address's mail may be let do with what is in it. */
export type MailedPurpose = "sign-in-code" | "sign-in-link" | "verification" | "reset";

/** The mail that is asked for, and in whose place one that nobody gets is stored. */
export const kindOf: Readonly<Record<MailedPurpose, Message["kind"]>> = {
  "sign-in-code": "sign-in-code",
  "sign-in-link": "sign-in-link",
  verification: "verification",
  reset: "reset-link",
};

/** How long a code or link works (specification, "Limits"). */
export const minutesOf: Readonly<Record<MailedPurpose, number>> = {
  "sign-in-code": 5,
  "sign-in-link": 5,
  verification: 60,
  reset: 60,
};
