/** What somebody who reads an address's mail may be let do with what is in it. */
export type MailedPurpose = "sign-in-code" | "sign-in-link" | "verification" | "reset";

/** How long a code or link works (specification, "Limits"). */
export const minutesOf: Readonly<Record<MailedPurpose, number>> = {
  "sign-in-code": 5,
  "sign-in-link": 5,
  verification: 60,
  reset: 60,
};
