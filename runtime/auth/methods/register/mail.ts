import type { Message } from "../../../mail/index.js";
import type { Credentials } from "../../account/store.js";
import { recipientOf } from "../../mailed/recipient.js";
import { replaceSecrets } from "../../mailed/secrets.js";
import { verificationMail } from "../../mailed/verification-mail.js";
import type { SessionServices } from "../../session/prove.js";
import type { Site } from "../../site.js";

/**
 * Returns the email to the owner of a registered address: how to verify it or, if it is verified, that it was
 * registered again. Null for a disabled account. The same statements run in each case. The account must be locked, and
 * the email counted and allowed.
 */
export async function registrationMail(
  services: SessionServices,
  account: Credentials,
  site: Site,
): Promise<Message | null> {
  const { email, emailVerified, disabled } = account;
  const purpose = "verification";
  const isUsable = !emailVerified && !disabled;
  const secrets = await replaceSecrets(services, { purpose, email, isUsable });
  if (disabled) return null;
  const recipient = recipientOf(account);
  return emailVerified
    ? { ...recipient, kind: "account-exists" }
    : verificationMail(site, recipient, secrets);
}
