import type { Message } from "../../../mail/index.js";
import type { Credentials } from "../../account/store.js";
import { countMail } from "../../mailed/limit.js";
import { addresseeOf, verificationMail } from "../../mailed/message.js";
import { replaceSecrets } from "../../mailed/replace.js";
import type { DoorServices } from "../../session/prove.js";

/** Whether the address had an account before somebody registered it. */
export type Registered = "new" | "known";

/**
 * What the owner of an address that was registered is mailed: how to prove it, or, where the address was
 * known, only that somebody tried; what was mailed to it before keeps working. Null for a disabled
 * account, and when six were mailed within the hour. The account must be locked.
 */
export async function mailForRegistration(
  services: DoorServices,
  account: Credentials,
  registered: Registered,
): Promise<Message | null> {
  const purpose = "verification";
  const { allowed } = await countMail(services, purpose, account.email);
  if (!allowed || account.disabled) return null;
  const addressee = addresseeOf(account);
  if (registered === "known") return { ...addressee, kind: "account-exists" };
  const { email } = account;
  const secrets = await replaceSecrets(services, { purpose, email, opens: true });
  return verificationMail(services.config, addressee, secrets);
}
