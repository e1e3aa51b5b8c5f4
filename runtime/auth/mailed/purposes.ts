import type { Message } from "../../mail/index.js";

export type MailedPurpose =
  | "sign-in-code"
  | "sign-in-link"
  | "verification"
  | "reset"
  | "invitation";

/** The kind of email sent for each purpose, which a decoy imitates. */
export const kindOf: Readonly<Record<MailedPurpose, Message["kind"]>> = {
  "sign-in-code": "sign-in-code",
  "sign-in-link": "sign-in-link",
  verification: "verification",
  reset: "reset-link",
  invitation: "invitation",
};

export const minutesOf: Readonly<Record<MailedPurpose, number>> = {
  "sign-in-code": 5,
  "sign-in-link": 5,
  verification: 60,
  reset: 60,
  invitation: 7 * 24 * 60,
};
