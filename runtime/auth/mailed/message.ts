import type { Message } from "../../mail/index.js";
import type { Credentials } from "../account/store.js";
import type { Site } from "../site.js";
import type { MailedSecrets } from "./secrets.js";

export type Recipient = Pick<Message, "to" | "name">;

/**
 * The recipient for an account. The name is included only if the address is verified or an operator invited the person,
 * since anyone could otherwise have written it.
 */
export function recipientOf({
  email,
  name,
  emailVerified,
  invited,
}: Pick<Credentials, "email" | "name" | "emailVerified" | "invited">): Recipient {
  return { to: email, name: emailVerified || invited ? name : null };
}

/** The email that verifies an address, by its code or by its link. */
export function verificationMail(
  site: Pick<Site, "webUrl">,
  recipient: Recipient,
  { code, token, minutes }: MailedSecrets,
): Message {
  const link = linkTo(site, "/verify-email", { token });
  return { ...recipient, kind: "verification", code, link, minutes };
}

/** The pages of a site that emails link to. */
export type LinkPath = "/sign-in/link" | "/verify-email" | "/reset-password" | "/change-email";

/**
 * A link to a configured site, by default the dashboard, never to an address from a request. Null if the site's address
 * is not configured, which production allows if no method needs it.
 */
export function linkTo(
  { webUrl }: Pick<Site, "webUrl">,
  path: LinkPath,
  query: Readonly<Record<string, string>>,
): string | null {
  if (webUrl === null) return null;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${webUrl}${path}?${pairs.join("&")}`;
}
