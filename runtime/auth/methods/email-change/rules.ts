import { minutesOf } from "../../mailed/purposes.js";

export const changeMinutes = minutesOf.verification;

/** The scope in which a code is valid: it proves an address for one account only. */
export function changeScope({
  accountId,
  email,
}: {
  readonly accountId: string;
  readonly email: string;
}): string {
  return `email-change:${accountId}:${email}`;
}
