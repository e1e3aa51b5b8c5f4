import { minutesOf } from "../../mailed/purposes.js";

/** Minutes for which the code and the link are valid. */
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
