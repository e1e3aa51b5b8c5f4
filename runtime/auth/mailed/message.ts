import type { Config } from "../../config/index.js";
import type { Message } from "../../mail/index.js";
import type { Credentials } from "../account/store.js";
import type { MailedSecrets } from "./secrets.js";

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

/** The dashboard's pages that mailed links lead to. */
export type LinkPath = "/sign-in/link" | "/verify-email" | "/reset-password";

/**
 * A link to the configured dashboard, never to an address that a request names; null where none is
 * configured, which production may leave out while no method needs it.
 */
export function linkTo(
  { webUrl }: Pick<Config, "webUrl">,
  path: LinkPath,
  query: Readonly<Record<string, string>>,
): string | null {
  if (webUrl === null) return null;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${webUrl}${path}?${pairs.join("&")}`;
}
