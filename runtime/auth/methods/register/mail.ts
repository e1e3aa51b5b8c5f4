import type { Message } from "../../../mail/index.js";
import type { Credentials } from "../../account/store.js";
import { addresseeOf, verificationMail } from "../../mailed/message.js";
import { replaceSecrets } from "../../mailed/secrets.js";
import type { DoorServices } from "../../session/prove.js";

/**
 * What the owner of an address that was registered is mailed: how to prove it, or where that is done
 * already, that somebody tried. Null for a disabled account. The same statements are run for each; the
 * account must be locked, and the mail counted and allowed.
 */
export async function mailForRegistration(
  services: DoorServices,
  account: Credentials,
): Promise<Message | null> {
  const { email, emailVerified, disabled } = account;
  const purpose = "verification";
  const opens = !emailVerified && !disabled;
  const secrets = await replaceSecrets(services, { purpose, email, opens });
  if (disabled) return null;
  const addressee = addresseeOf(account);
  return emailVerified
    ? { ...addressee, kind: "account-exists" }
    : verificationMail(services.config, addressee, secrets);
}
