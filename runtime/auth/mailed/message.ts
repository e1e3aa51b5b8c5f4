import type { Config } from "../../config/index.js";
import type { Message } from "../../mail/index.js";
import type { Credentials } from "../account/store.js";
import { linkTo } from "./link.js";
import type { MailedSecrets } from "./replace.js";

/** Whom a mail goes to. */
export type Addressee = Pick<Message, "to" | "name">;

/** The owner of an account's address, by name only where the name is certainly of their own choice. */
export function addresseeOf({
  email,
  name,
  emailVerified,
}: Pick<Credentials, "email" | "name" | "emailVerified">): Addressee {
  return { to: email, name: emailVerified ? name : null };
}

/** The mail that proves an address, by its code or by its link. */
export function verificationMail(
  config: Pick<Config, "webUrl">,
  addressee: Addressee,
  { code, token, minutes }: MailedSecrets,
): Message {
  const link = linkTo(config, "/verify-email", { token });
  return { ...addressee, kind: "verification", code, link, minutes };
}
