import type { Message } from "../../mail/index.js";
import type { Credentials } from "../account/store.js";

export type Recipient = Pick<Message, "to" | "name">;

/**
 * Returns the recipient for an account. The name is included only if the address is verified or an operator invited the
 * person; otherwise anyone could have chosen it.
 */
export function recipientOf({
  email,
  name,
  emailVerified,
  invited,
}: Pick<Credentials, "email" | "name" | "emailVerified" | "invited">): Recipient {
  return { to: email, name: emailVerified || invited ? name : null };
}
