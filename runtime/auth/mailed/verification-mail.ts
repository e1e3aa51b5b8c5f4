import type { Message } from "../../mail/index.js";
import type { Site } from "../site.js";
import { linkTo } from "./link.js";
import type { Recipient } from "./recipient.js";
import type { MailedSecrets } from "./secrets.js";

/** The email that verifies an address, by its code or by its link. */
export function verificationMail(
  site: Pick<Site, "webUrl">,
  recipient: Recipient,
  { code, token, minutes }: MailedSecrets,
): Message {
  const link = linkTo(site, "/verify-email", { token });
  return { ...recipient, kind: "verification", code, link, minutes };
}
